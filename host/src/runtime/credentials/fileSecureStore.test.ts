import { execFileSync } from 'node:child_process';
import { chmod, chown, lstat, mkdir, mkdtemp, readFile, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HostError } from '../../common/errors.ts';
import { deriveKeysOnce } from './deriveKeysOnce.test-helper.ts';
import { FileSecureStore } from './fileSecureStore.ts';
import { readSecretKey } from './secretKey.ts';
import type { SecretKeySource } from './secretPlace.ts';

deriveKeysOnce();

const FILE = 'secrets-0123456789abcdef.json';
let homeFolder: string;
beforeEach(async () => {
  homeFolder = await mkdtemp(join(tmpdir(), 'tabularium-secrets-'));
});
afterEach(() => rm(homeFolder, { recursive: true, force: true }));

const store = (passphrase = 'a long passphrase'): FileSecureStore =>
  new FileSecureStore({ homeFolder, file: FILE, key: async () => Buffer.from(passphrase) });
const path = (): string => join(homeFolder, FILE);
const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing was thrown',
    (error: unknown) => (error instanceof HostError ? `${error.code}: ${error.message}` : String(error)),
  );

describe('FileSecureStore', () => {
  it('gives another process what was saved, and the file has neither names nor values, for its owner alone', async () => {
    const first = store();
    await first.create();
    await first.set('shop/apiKey', 'MARKED-VALUE');
    await first.set('gone/apiKey', 'x');
    await first.delete('gone/apiKey');
    const second = store();
    expect(await second.get('shop/apiKey')).toBe('MARKED-VALUE');
    expect(await second.get('gone/apiKey')).toBeUndefined();
    expect(await second.state()).toEqual({ available: true, name: 'the encrypted secrets file' });
    const text = await readFile(path(), 'utf8');
    expect(text).not.toMatch(/MARKED|shop/);
    expect(Buffer.from((JSON.parse(text) as { data: string }).data, 'base64').toString('latin1')).not.toMatch(/MARKED|shop/);
    expect((await stat(path())).mode & 0o777).toBe(0o600);
    expect(await readdir(homeFolder)).toEqual([FILE]);
  });

  it('keeps every entry of calls that come at once', async () => {
    const opened = store();
    await opened.create();
    await Promise.all(Array.from({ length: 20 }, (_, index) => opened.set(`a/${index}`, String(index))));
    const found = await Promise.all(Array.from({ length: 20 }, (_, index) => opened.get(`a/${index}`)));
    expect(found).toEqual(Array.from({ length: 20 }, (_, index) => String(index)));
  });

  it('rejects a wrong passphrase, and leaves the file as it was', async () => {
    await store().create();
    const before = await readFile(path());
    const wrong = store('another passphrase');
    expect(await messageOf(wrong.get('a'))).toMatch(
      /^SECURE_STORE_UNAVAILABLE: The passphrase or key doesn't open .*another one/,
    );
    expect(await messageOf(wrong.set('a', 'b'))).toMatch(/passphrase or key/);
    expect(await wrong.state()).toMatchObject({
      available: false,
      reason: expect.stringMatching(/passphrase/) as string,
      advice: expect.stringMatching(/key that the file was made with/) as string,
    });
    expect(await readFile(path())).toEqual(before);
  });

  it('rejects a file with any part changed, cut or missing, and never writes over it', async () => {
    const opened = store();
    await opened.create();
    await opened.set('shop/apiKey', 'value');
    const whole = await readFile(path(), 'utf8');
    const sealed = JSON.parse(whole) as Record<string, string>;
    const flipped = (name: string): string => {
      const text = sealed[name] ?? '';
      return JSON.stringify({ ...sealed, [name]: `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}` });
    };
    const damaged = [
      '',
      'x',
      whole.slice(0, whole.length / 2),
      ...['proof', 'nonce', 'tag', 'data', 'salt'].map(flipped),
      JSON.stringify({ ...sealed, more: 1 }),
      JSON.stringify({ ...sealed, kdf: { name: 'scrypt', N: 2, r: 8, p: 1 } }),
      JSON.stringify({ ...sealed, cipher: 'none' }),
    ];
    for (const text of damaged) {
      await writeFile(path(), text);
      expect(await messageOf(opened.get('shop/apiKey')), text).toMatch(/changed or cut short|doesn't open/);
      expect(await messageOf(opened.set('shop/apiKey', 'new'))).toMatch(/^SECURE_STORE_UNAVAILABLE/);
      expect(await readFile(path(), 'utf8')).toBe(text);
    }
    await writeFile(path(), JSON.stringify({ ...sealed, version: 2 }));
    expect(await messageOf(opened.get('shop/apiKey'))).toMatch(/newer version/);
    await rm(path());
    expect(await messageOf(opened.set('shop/apiKey', 'new'))).toMatch(/can't be read \(ENOENT\)/);
    expect(await readdir(homeFolder)).toEqual([]);
    // The whole one still opens.
    await writeFile(path(), whole, { mode: 0o600 });
    expect(await opened.get('shop/apiKey')).toBe('value');
  });

  it.each([0o640, 0o604, 0o620, 0o666])('uses no file of mode %o', async (mode) => {
    if (process.platform === 'win32') return;
    const opened = store();
    await opened.create();
    await opened.set('a', 'value');
    await chmod(path(), mode);
    expect(await messageOf(opened.get('a'))).toBe(
      `SECURE_STORE_UNAVAILABLE: The secrets file ${path()} is open to other users. Close it with chmod 600.`,
    );
    expect(await messageOf(opened.set('a', 'new'))).toMatch(/open to other users/);
    await chmod(path(), 0o600);
    expect(await opened.get('a')).toBe('value');
  });

  it('uses no file in a folder that is open to other users', async () => {
    if (process.platform === 'win32') return;
    const opened = store();
    await opened.create();
    await opened.set('a', 'value');
    await chmod(homeFolder, 0o750);
    expect(await opened.state()).toMatchObject({
      available: false,
      reason: `The folder ${homeFolder} of the secrets file is open to other users. Close it with chmod 700.`,
    });
    expect(await messageOf(opened.set('a', 'new'))).toMatch(/chmod 700/);
    await chmod(homeFolder, 0o700);
    expect(await opened.get('a')).toBe('value');
  });

  it('follows no symbolic link, and replaces none', async () => {
    if (process.platform === 'win32') return;
    const opened = store();
    await opened.create();
    const elsewhere = join(homeFolder, 'elsewhere.json');
    await rename(path(), elsewhere);
    await symlink(elsewhere, path());
    expect(await messageOf(opened.get('a'))).toBe(
      `SECURE_STORE_UNAVAILABLE: ${path()} is a symbolic link, so nothing in it is used. Put the secrets file itself there.`,
    );
    expect(await messageOf(opened.set('a', 'new'))).toMatch(/symbolic link/);
    expect((await lstat(path())).isSymbolicLink()).toBe(true);
  });

  it('uses no file or folder of another user', async () => {
    // Only root may give files away.
    if (process.getuid?.() !== 0) return;
    const opened = store();
    await opened.create();
    await chown(path(), 65_534, 65_534);
    expect(await messageOf(opened.get('a'))).toMatch(/secrets file .* belongs to another user/);
    await chown(path(), 0, 0);
    await chown(homeFolder, 65_534, 65_534);
    expect(await messageOf(opened.get('a'))).toMatch(/folder .* belongs to another user/);
    await chown(homeFolder, 0, 0);
    expect(await opened.get('a')).toBeUndefined();
  });

  it('writes what was restored while it runs, not what it remembers', async () => {
    const opened = store();
    await opened.create();
    await opened.set('a', 'old');
    const old = await readFile(path());
    await opened.set('b', 'new');
    await writeFile(path(), old);
    await opened.set('c', 'newer');
    expect([await opened.get('a'), await opened.get('b'), await opened.get('c')]).toEqual(['old', undefined, 'newer']);
  });

  it('keeps the file when it cannot be replaced', async () => {
    const opened = store();
    await opened.create();
    await opened.set('a', 'old');
    await mkdir(`${path()}.new/inside`, { recursive: true });
    await chmod(homeFolder, 0o500);
    try {
      if (process.getuid?.() !== 0) expect(await messageOf(opened.set('a', 'new'))).toMatch(/is as it was/);
    } finally {
      await chmod(homeFolder, 0o700);
    }
    expect(['old', 'new']).toContain(await opened.get('a'));
  });
});

describe('readSecretKey', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tabularium-key-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const key = (file: string): Promise<Buffer> => readSecretKey({ source: { from: 'keyFile', path: file }, env: {}, homeFolder });
  const written = async (name: string, text: string, mode = 0o600): Promise<string> => {
    const file = join(folder, name);
    await writeFile(file, text, { mode });
    await chmod(file, mode);
    return file;
  };

  it('reads a file of its owner, without the line break at its end', async () => {
    expect((await key(await written('key', 'sixteen bytes ok\r\n', 0o400))).toString()).toBe('sixteen bytes ok');
  });

  it.each([0o640, 0o604, 0o666, 0o620])('rejects a file of mode %o', async (mode) => {
    if (process.platform === 'win32') return;
    expect(await messageOf(key(await written('key', 'sixteen bytes ok', mode)))).toMatch(/open to other users/);
  });

  it('rejects what is missing, short, a folder, a pipe, or in the data directory', async () => {
    expect(await messageOf(key(join(folder, 'none')))).toMatch(/can't be read \(ENOENT\)/);
    expect(await messageOf(key(await written('short', 'fifteen bytes..\n')))).toMatch(/16 to 4096 bytes/);
    expect(await messageOf(key(await written('empty', '')))).toMatch(/16 to 4096 bytes/);
    expect(await messageOf(key(await written('long', 'x'.repeat(4_097))))).toMatch(/16 to 4096 bytes/);
    expect(await messageOf(key(folder))).toMatch(/not a file/);
    if (process.platform !== 'win32') {
      execFileSync('mkfifo', ['-m', '600', join(folder, 'pipe')]);
      expect(await messageOf(key(join(folder, 'pipe')))).toMatch(/not a file/);
    }
    const inHome = join(homeFolder, 'key');
    await writeFile(inHome, 'sixteen bytes ok', { mode: 0o600 });
    expect(await messageOf(key(inHome))).toMatch(/in the data directory/);
  });

  it('rejects a new key that is easy to guess, and says how to make one', async () => {
    const source = { from: 'keyFile', path: await written('weak', `${'x'.repeat(64)}\n`) } as const;
    const message = await messageOf(readSecretKey({ source, env: {}, homeFolder, isNew: true }));
    expect(message).toMatch(/weak is easy to guess/);
    expect(message).toContain('(umask 077 && head -c 32 /dev/urandom | base64 > FILE)');
    // A file that was made with it still opens, so that its secrets can be moved.
    expect((await key(source.path)).toString()).toBe('x'.repeat(64));
  });

  it('names the option by which the key is given, for a choice of now and one of long ago', async () => {
    const adviceOf = async (source: SecretKeySource, isNew?: boolean): Promise<unknown> =>
      readSecretKey({ source, env: {}, homeFolder, ...(isNew === undefined ? {} : { isNew }) }).catch((error: unknown) =>
        error instanceof HostError ? error.details.advice : error,
      );
    const file = { from: 'keyFile', path: join(folder, 'none') } as const;
    expect(await adviceOf(file)).toMatch(/“secrets use file” was given with --key-file/);
    expect(await adviceOf(file, true)).toMatch(/^Correct the file that --key-file names/);
    expect(await adviceOf({ from: 'credential', name: 'passphrase' })).toMatch(/--credential\b.* LoadCredential=passphrase:FILE/);
  });

  it('reads the credential of a service, and says when this process has none', async () => {
    await written('passphrase', 'sixteen bytes ok', 0o440);
    const source = { from: 'credential', name: 'passphrase' } as const;
    const read = await readSecretKey({ source, env: { CREDENTIALS_DIRECTORY: folder }, homeFolder });
    expect(read.toString()).toBe('sixteen bytes ok');
    expect(await messageOf(readSecretKey({ source, env: {}, homeFolder }))).toMatch(/systemd credential "passphrase"/);
  });
});
