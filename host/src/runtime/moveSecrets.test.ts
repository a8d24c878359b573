import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../tests/security/memoryStore.ts';
import { HostError } from '../common/errors.ts';
import { ConnectionStore } from './connections/connectionStore.ts';
import { HomeKeyring } from './credentials/homeKeyring.ts';
import { finishSecretMove } from './credentials/secretMove.ts';
import type { SecureStore } from './credentials/secureStore.ts';
import { moveSecrets } from './moveSecrets.ts';
import type { ChosenPlace } from './moveSecrets.ts';
import { openHome } from './storage/home.ts';
import { openHomeDatabase } from './storage/homeDatabase.ts';
import { homeIdentity } from './storage/homeIdentity.ts';
import { silentLogger } from './storage/logger.ts';
import { MIGRATIONS } from './storage/migrations.ts';

let folder: string;
let file: ChosenPlace;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-move-'));
  const path = join(folder, 'key');
  await writeFile(path, 'the passphrase of this test\n', { mode: 0o600 });
  file = { place: 'file', key: { from: 'keyFile', path } };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const home = (name: string) => openHome(join(folder, name));
const keyringOf = (folder: string, store: SecureStore): SecureStore => new HomeKeyring(store, () => homeIdentity(folder));

/** A home with saved connections. @returns the accounts of their secrets */
async function homeWith(store: SecureStore, ...names: string[]): Promise<readonly string[]> {
  const made = await home('home');
  await homeIdentity(made.folder);
  const { database } = openHomeDatabase(made, MIGRATIONS, silentLogger);
  const connections = new ConnectionStore(database);
  const accounts = names.map((name) => {
    const access = { externalClients: 'readOnly', aiPolicy: 'askEachTime' } as const;
    const secrets = { apiKey: { kind: 'store' } } as const;
    return `${connections.create({ name, driver: 'search', settings: {}, secrets, access, color: 'blue' }).id}/apiKey`;
  });
  database[Symbol.dispose]();
  for (const account of accounts) await keyringOf(made.folder, store).set(account, `secret of ${account}`);
  return accounts;
}

async function move(to: ChosenPlace, store: SecureStore, name = 'home', leave = false) {
  const opened = await home(name);
  return moveSecrets({ home: opened, env: {}, logger: silentLogger, to, leave, keyring: keyringOf(opened.folder, store) });
}

describe('moving secrets', () => {
  it('leaves the entries of the original home where a copy of it moves its own', async () => {
    const store = new MemoryStore();
    const [account = ''] = await homeWith(store, 'Shop');
    await cp(join(folder, 'home'), join(folder, 'copy'), { recursive: true });
    expect(await move(file, store, 'copy')).toMatchObject({ place: 'file', moved: 1, left: 0 });
    const original = keyringOf((await home('home')).folder, store);
    expect(await original.get(account)).toBe(`secret of ${account}`);
    expect(await move(file, store)).toMatchObject({ moved: 1 });
    expect([...store.values]).toEqual([]);
  });

  it('deletes what it copied into the keyring when it fails', async () => {
    const store = new MemoryStore();
    await homeWith(store, 'Shop', 'Books');
    await move(file, store);
    expect(store.values.size).toBe(0);
    const set = store.set.bind(store);
    store.set = async (account, secret) => {
      if (store.values.size === 1) throw new HostError('SECURE_STORE_UNAVAILABLE', 'locked');
      await set(account, secret);
    };
    await expect(move({ place: 'keyring' }, store)).rejects.toThrow('locked');
    expect([...store.values]).toEqual([]);
    expect(JSON.parse(await readFile(join(folder, 'home', 'secret-store.json'), 'utf8'))).toMatchObject({ place: 'file' });
  });

  it('leaves the copies to the next start where the keyring cannot delete them then', async () => {
    const store = new MemoryStore();
    const accounts = await homeWith(store, 'Shop', 'Books');
    const remove = store.delete.bind(store);
    // The trial before a move is deleted; what the move copied is not.
    store.delete = async (account) => {
      if (!account.endsWith('apiKey')) return remove(account);
      throw new Error('locked');
    };
    await move(file, store);
    expect(store.values.size).toBe(2);
    // A move to another file doesn't forget them.
    await writeFile(join(folder, 'second'), 'another passphrase, also long', { mode: 0o600 });
    await move({ place: 'file', key: { from: 'keyFile', path: join(folder, 'second') } }, store);
    store.delete = remove;
    const opened = await home('home');
    await finishSecretMove(opened.folder, keyringOf(opened.folder, store));
    expect([...store.values]).toEqual([]);
    expect(await readdir(opened.folder)).not.toContain('secret-move.json');
    expect(accounts).toHaveLength(2);
  });

  it('deletes nothing that --leave left', async () => {
    const store = new MemoryStore();
    const accounts = await homeWith(store, 'Shop');
    expect(await move(file, store, 'home', true)).toMatchObject({ moved: 0, left: 1 });
    await finishSecretMove((await home('home')).folder, store);
    expect(store.values.size).toBe(accounts.length);
  });
});
