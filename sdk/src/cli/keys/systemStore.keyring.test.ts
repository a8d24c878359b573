import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KeyStore } from './keyStore.ts';
import { openSystemStore } from './systemStore.ts';

const never = (): Promise<string> => Promise.reject(new Error('nobody is to be asked for a passphrase'));

describe('a key in a real Secret Service', () => {
  it('outlives the command that created it, and is in no file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tabularium-keys-'));
    try {
      const made = await new KeyStore(folder, openSystemStore).create({ id: 'acme', name: 'Acme' }, 'system', never);
      const keys = new KeyStore(folder, openSystemStore);
      const opened = await keys.open(await keys.find('acme'), never);
      expect(opened.publicKey).toBe(made.publicKey);
      expect(await readFile(made.file, 'utf8')).not.toContain(opened.privateKey);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
