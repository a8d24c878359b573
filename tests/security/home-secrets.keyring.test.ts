import { spawn } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildStale } from '../../scripts/build/buildStale.ts';
import { allTargets } from '../../scripts/build/targets.ts';
import { root, workFolder } from '../../scripts/paths.ts';
import { OsSecureStore } from '../../host/src/runtime/credentials/osSecureStore.ts';

const main = fileURLToPath(new URL('../../host/src/cli/main.ts', import.meta.url));
const secret = 'a-secret-that-stands-nowhere';

let home: string;
// The program runs from its source, but the runtime requires the program of a driver's process to exist.
beforeAll(() =>
  buildStale({
    root,
    workFolder,
    targets: allTargets(root).filter(({ name }) => name === 'driver-process'),
    log: () => undefined,
  }),
);
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'tabularium-test-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function command(words: readonly string[], input = ''): Promise<{ out: string; err: string }> {
  const child = spawn(process.execPath, ['--conditions=tabularium:source', main, ...words], {
    env: { ...process.env, TABULARIUM_HOME: home },
  });
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, err };
}

/** The entry of the data directory in the keyring. */
async function entryOf(account: string): Promise<string | undefined> {
  const { name } = z.object({ name: z.string() }).parse(JSON.parse(await readFile(join(home, 'home-identity.json'), 'utf8')));
  return new OsSecureStore().get(`${name}/${account}`);
}

describe('a credential of a saved connection', () => {
  it('is in the secure store and nowhere else, and leaves it with the connection', async () => {
    const words = ['connections', 'add', '--driver', 'search', '--name', 'Prod', '--api-key-stdin', '--json'];
    const { out, err } = await command(words, `${secret}\n`);
    const saved = JSON.parse(out) as { id: string };
    expect(saved).toMatchObject({ secrets: { apiKey: { kind: 'store' } } });
    expect(out + err).not.toContain(secret);
    const account = `${saved.id}/apiKey`;
    // The digest of the permitted targets is stored next to the secret.
    expect(await entryOf(account)).toMatch(new RegExp(`^tabularium-secret-1:[0-9a-f]{64}:${secret}$`));

    for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      expect((await readFile(join(entry.parentPath, entry.name))).includes(secret)).toBe(false);
    }

    await command(['connections', 'remove', 'Prod']);
    expect(await entryOf(account)).toBeUndefined();
  });
});

describe('the token of a registry', () => {
  it('is in the secure store and nowhere else, and leaves it with the registry', async () => {
    const url = 'https://registry.example/';
    const words = ['drivers', 'registries', 'add', url, '--scope', '@acme', '--token-stdin', '--json'];
    const { out, err } = await command(words, `${secret}\n`);
    expect(JSON.parse(out)).toMatchObject({ registries: [{ url, scopes: ['@acme'], hasCredential: true }] });
    expect(out + err).not.toContain(secret);
    expect(await entryOf(`registry:${url}`)).toMatch(new RegExp(`^tabularium-secret-1:[0-9a-f]{64}:${secret}$`, 'v'));
    for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      expect((await readFile(join(entry.parentPath, entry.name))).includes(secret)).toBe(false);
    }
    await command(['drivers', 'registries', 'remove', url]);
    expect(await entryOf(`registry:${url}`)).toBeUndefined();
  });
});
