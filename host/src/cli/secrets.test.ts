import { mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkupSchema } from '../common/checkup.ts';
import { savedConnectionSchema } from '../common/connection.ts';
import { deriveKeysOnce } from '../runtime/credentials/deriveKeysOnce.test-helper.ts';
import { openSecureStore } from '../runtime/credentials/openSecureStore.ts';
import { readSecretPlace } from '../runtime/credentials/secretPlace.ts';
import { FakeMachine } from './cli.test-helper.ts';
import { startRuntime } from './startRuntime.ts';

deriveKeysOnce();

// With a real runtime and real files; no keyring is asked, because none is chosen when there is something to read.

let machine: FakeMachine;
let keys: string;
let keyFile: string;
beforeEach(async () => {
  machine = await FakeMachine.create();
  keys = await mkdtemp(join(tmpdir(), 'tabularium-keys-'));
  keyFile = join(keys, 'key');
  await writeFile(keyFile, 'the passphrase of this test\n', { mode: 0o600 });
});
afterEach(async () => {
  await machine[Symbol.asyncDispose]();
  await rm(keys, { recursive: true, force: true });
});

const env = (): Record<string, string> => ({
  HOME: join(machine.home, '..'),
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus',
  TABULARIUM_LOCAL_REGISTRY: join(machine.home, '..', 'no-registry.json'),
});
const run = (words: readonly string[], more: Record<string, string> = {}) =>
  machine.run(words, { startRuntime, env: { ...env(), ...more }, input: 'MARKED-KEY' });
const add = (...words: string[]) =>
  run(['connections', 'add', '--driver', 'search', '--name', 'Shop', '--set', 'host=shop.example', ...words, '--json']);
const filesOf = async (): Promise<string[]> => (await readdir(machine.home)).filter((name) => name.startsWith('secrets-'));
const stored = async (account: string): Promise<string | undefined> =>
  openSecureStore(await readSecretPlace(machine.home), { homeFolder: machine.home, env: {} }).get(account);
const check = async (more: Record<string, string> = {}) => {
  const { out } = await run(['doctor', '--json'], more);
  return checkupSchema.parse(JSON.parse(out)).checks.find(({ name }) => name === 'secureStore');
};

describe('secrets use', () => {
  it('takes secrets from one file to another key, and the first file is gone', async () => {
    expect((await run(['secrets', 'use', 'file', '--key-file', keyFile, '--json'])).code).toBe(0);
    const [first] = await filesOf();
    const { id } = savedConnectionSchema.parse(JSON.parse((await add('--api-key-stdin')).out));
    expect(await stored(`${id}/apiKey`)).toMatch(/MARKED-KEY$/);

    const second = join(keys, 'second');
    await writeFile(second, 'another passphrase, also long', { mode: 0o600 });
    const { out } = await run(['secrets', 'use', 'file', '--key-file', second, '--json']);
    expect(JSON.parse(out)).toMatchObject({ place: 'file', moved: 1, left: 0 });
    expect(await filesOf()).toHaveLength(1);
    expect(await filesOf()).not.toEqual([first]);
    expect(await stored(`${id}/apiKey`)).toMatch(/MARKED-KEY$/);
    expect(await readFile(join(machine.home, 'secret-store.json'), 'utf8')).not.toMatch(/passphrase/);
  });

  it('changes nothing when the key cannot be read, is short, easy to guess or wrong', async () => {
    await run(['secrets', 'use', 'file', '--key-file', keyFile]);
    await add('--api-key-stdin');
    const before = [await filesOf(), await readFile(join(machine.home, 'secret-store.json'), 'utf8')];
    const short = join(keys, 'short');
    await writeFile(short, 'short', { mode: 0o600 });
    const weak = join(keys, 'weak');
    await writeFile(weak, 'x'.repeat(64), { mode: 0o600 });
    for (const file of [join(keys, 'none'), short, weak])
      expect((await run(['secrets', 'use', 'file', '--key-file', file])).code).toBe(1);
    // The old place can't be opened, so nothing could be taken along.
    await writeFile(keyFile, 'not the passphrase of before', { mode: 0o600 });
    const other = join(keys, 'other');
    await writeFile(other, 'a passphrase that is long enough', { mode: 0o600 });
    const { code, err } = await run(['secrets', 'use', 'file', '--key-file', other]);
    expect([code, err]).toEqual([1, expect.stringMatching(/doesn't open/)]);
    expect([await filesOf(), await readFile(join(machine.home, 'secret-store.json'), 'utf8')]).toEqual(before);
  });

  it.each([
    ['lost', async () => rm(join(machine.home, 'secret-store.json'))],
    ['damaged', async () => writeFile(join(machine.home, 'secret-store.json'), 'garbage')],
    ['of another place', async () => writeFile(join(machine.home, 'secret-store.json'), '{"version":1,"place":"environment"}')],
    [
      'of a file that is gone',
      async () => {
        const other = {
          version: 1,
          place: 'file',
          file: 'secrets-0123456789abcdef.json',
          key: { from: 'keyFile', path: keyFile },
        };
        await writeFile(join(machine.home, 'secret-store.json'), JSON.stringify(other));
      },
    ],
  ])(
    'takes up the file that the key opens where the choice is %s',
    async (_what, damage) => {
      await run(['secrets', 'use', 'file', '--key-file', keyFile]);
      const { id } = savedConnectionSchema.parse(JSON.parse((await add('--api-key-stdin')).out));
      const [first = ''] = await filesOf();
      // One of another key, newer, is not the one.
      const other = join(keys, 'other');
      await writeFile(other, 'a passphrase that is long enough', { mode: 0o600 });
      await damage();
      for (const words of [
        ['--key-file', keyFile],
        ['--key-file', keyFile, '--leave'],
      ]) {
        const { out, err, code } = await run(['secrets', 'use', 'file', ...words, '--json']);
        expect([code, err]).toEqual([0, '']);
        expect(JSON.parse(out)).toMatchObject({ place: 'file', file: join(machine.home, first), takenUp: 1 });
        expect(await filesOf()).toEqual([first]);
        expect(await stored(`${id}/apiKey`)).toMatch(/MARKED-KEY$/);
        expect(await check()).toMatchObject({ ok: true });
        await damage();
      }
      await run(['secrets', 'use', 'file', '--key-file', other, '--leave']);
      expect(await filesOf()).toHaveLength(2);
      expect(await check()).toMatchObject({
        ok: false,
        finding: expect.stringContaining('1 connection has no secret there: “Shop”') as string,
        advice: expect.stringContaining(first) as string,
      });
      expect((await check())?.advice).toContain('tabularium secrets use file --key-file FILE');
      // A secret that was saved since comes along.
      const added = [
        'connections',
        'add',
        '--driver',
        'search',
        '--name',
        'Since',
        '--set',
        'host=since.example',
        '--api-key-stdin',
      ];
      const since = savedConnectionSchema.parse(JSON.parse((await run([...added, '--json'])).out));
      const { out } = await run(['secrets', 'use', 'file', '--key-file', keyFile, '--json']);
      expect(JSON.parse(out)).toMatchObject({ file: join(machine.home, first), takenUp: 1, moved: 1, left: 0 });
      expect(await filesOf()).toEqual([first]);
      for (const each of [id, since.id]) expect(await stored(`${each}/apiKey`)).toMatch(/MARKED-KEY$/);
      expect(await check()).toMatchObject({ ok: true });
    },
    180_000,
  );

  it('takes no value of a file that was left for one that is in use', async () => {
    await run(['secrets', 'use', 'file', '--key-file', keyFile]);
    const { id } = savedConnectionSchema.parse(JSON.parse((await add('--api-key-stdin')).out));
    const [left = ''] = await filesOf();
    const other = join(keys, 'other');
    await writeFile(other, 'a passphrase that is long enough', { mode: 0o600 });
    await run(['secrets', 'use', 'file', '--key-file', other, '--leave']);
    const now = openSecureStore(await readSecretPlace(machine.home), { homeFolder: machine.home, env: {} });
    await now.set(`${id}/apiKey`, 'NEWER');
    const { out } = await run(['secrets', 'use', 'file', '--key-file', keyFile, '--json']);
    expect(JSON.parse(out)).toMatchObject({ file: join(machine.home, left), moved: 1 });
    expect(await stored(`${id}/apiKey`)).toBe('NEWER');
    expect(await filesOf()).toEqual([left]);
  });

  it('follows the advice about a key file that was moved, to the letter', async () => {
    await run(['secrets', 'use', 'file', '--key-file', keyFile]);
    const { id } = savedConnectionSchema.parse(JSON.parse((await add('--api-key-stdin')).out));
    const moved = join(keys, 'moved');
    await rename(keyFile, moved);
    expect((await add('--api-key-stdin')).out).toContain(keyFile);
    const { out } = await run(['secrets', 'show']);
    expect(out).toContain('If it was moved: stop the host, run');
    const commands = [...out.matchAll(/"tabularium (secrets use [^"]*)"/g)].map(([, command = '']) => command);
    expect(commands).toHaveLength(2);
    for (const command of commands) {
      const words = command.split(' ').map((word) => (word === 'FILE' ? moved : word));
      expect((await run(words)).code).toBe(0);
    }
    expect(await stored(`${id}/apiKey`)).toMatch(/MARKED-KEY$/);
  });

  it('leaves secrets behind only when asked, and names the variables that take their place', async () => {
    await run(['secrets', 'use', 'file', '--key-file', keyFile]);
    const { id } = savedConnectionSchema.parse(JSON.parse((await add('--api-key-stdin')).out));
    const variable = `TABULARIUM_SECRET_${id.toUpperCase().replaceAll('-', '_')}_APIKEY`;
    const refused = await run(['secrets', 'use', 'environment']);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(variable)]);
    const { out } = await run(['secrets', 'use', 'environment', '--leave', '--json']);
    expect(JSON.parse(out)).toMatchObject({ place: 'environment', moved: 0, left: 1, variables: [variable] });
    expect(await filesOf()).toHaveLength(1);
    const saved = await run([
      'connections',
      'add',
      '--driver',
      'search',
      '--name',
      'B',
      '--set',
      'host=b.example',
      '--api-key-stdin',
    ]);
    expect([saved.code, saved.err]).toEqual([1, expect.stringMatching(/environment variables/)]);
    expect(await check()).toMatchObject({ ok: true, finding: expect.stringMatching(/environment variables/) as string });
  });

  it('leaves no copy under the key that was given up, also where its process was killed', async () => {
    await run(['secrets', 'use', 'file', '--key-file', keyFile]);
    await add('--api-key-stdin');
    const [first = ''] = await filesOf();
    const content = await readFile(join(machine.home, first), 'utf8');
    await writeFile(join(keys, 'second'), 'another passphrase, also long', { mode: 0o600 });
    await run(['secrets', 'use', 'file', '--key-file', join(keys, 'second')]);
    const [second = ''] = await filesOf();
    // As a process leaves it that is killed right after the choice was saved.
    const after: unknown = JSON.parse(await readFile(join(machine.home, 'secret-store.json'), 'utf8'));
    const killed = async (): Promise<void> => {
      await writeFile(join(machine.home, first), content, { mode: 0o600 });
      const move = { version: 1, before: { version: 1, place: 'keyring' }, after, made: second, replaced: first };
      await writeFile(join(machine.home, 'secret-move.json'), JSON.stringify(move));
    };
    await killed();
    expect((await run(['connections', 'list'])).code).toBe(0);
    expect(await filesOf()).toEqual([second]);
    await killed();
    expect((await run(['secrets', 'use', 'file', '--key-file', keyFile])).code).toBe(0);
    expect(await filesOf()).toHaveLength(1);
    expect(await readdir(machine.home)).not.toContain('secret-move.json');
  });

  it('takes along what the file has beyond the list of connections', async () => {
    await run(['secrets', 'use', 'file', '--key-file', keyFile]);
    const before = openSecureStore(await readSecretPlace(machine.home), { homeFolder: machine.home, env: {} });
    await before.set('connection-of-a-newer-database/apiKey', 'MARKED-KEY');
    expect((await run(['secrets', 'use', 'environment'])).code).toBe(1);
    await writeFile(join(keys, 'second'), 'another passphrase, also long', { mode: 0o600 });
    const { out } = await run(['secrets', 'use', 'file', '--key-file', join(keys, 'second'), '--json']);
    expect(JSON.parse(out)).toMatchObject({ moved: 1, left: 0 });
    expect(await stored('connection-of-a-newer-database/apiKey')).toBe('MARKED-KEY');
  });

  it('leaves a file that was to stay, whatever was killed before', async () => {
    await run(['secrets', 'use', 'file', '--key-file', keyFile]);
    await run(['secrets', 'use', 'environment', '--leave']);
    const [left = ''] = await filesOf();
    await writeFile(join(keys, 'second'), 'another passphrase, also long', { mode: 0o600 });
    await run(['secrets', 'use', 'file', '--key-file', join(keys, 'second')]);
    await run(['connections', 'list']);
    expect(await filesOf()).toContain(left);
  });

  it('says that a damaged choice is left by --leave, which works', async () => {
    await run(['secrets', 'use', 'file', '--key-file', keyFile]);
    await writeFile(join(machine.home, 'secret-store.json'), '{');
    const refused = await run(['secrets', 'use', 'environment']);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--leave')]);
    expect((await run(['secrets', 'use', 'environment', '--leave'])).code).toBe(0);
  });

  it('refuses a path of a key that depends on the working directory', async () => {
    await run(['secrets', 'use', 'file', '--key-file', keyFile]);
    const place = join(machine.home, 'secret-store.json');
    await writeFile(place, (await readFile(place, 'utf8')).replace(JSON.stringify(keyFile), '"key"'));
    const { code, err } = await run(['secrets', 'show']);
    expect([code, err]).toEqual([1, expect.stringContaining('secret-store.json')]);
  });

  it('needs a key, and takes one on no other place', async () => {
    expect((await run(['secrets', 'use', 'file'])).code).toBe(2);
    expect((await run(['secrets', 'use', 'environment', '--key-file', keyFile])).code).toBe(2);
    expect((await run(['secrets', 'use', 'nowhere'])).code).toBe(2);
  });
});

describe('secrets show', () => {
  it('exits with 0 where a secret can be saved, and where the administrator chose variables', async () => {
    await run(['secrets', 'use', 'file', '--key-file', keyFile]);
    const file = await run(['secrets', 'show', '--json']);
    expect([file.code, JSON.parse(file.out)]).toEqual([
      0,
      { available: true, name: 'the encrypted secrets file', reason: null, advice: null },
    ]);
    await run(['secrets', 'use', 'environment']);
    const variables = await run(['secrets', 'show']);
    expect([variables.code, variables.out]).toEqual([0, expect.stringMatching(/come from environment variables/)]);
  });

  it('exits with 1 where the place has a fault, and says what to do', async () => {
    const keyring = await run(['secrets', 'show', '--json']);
    expect([keyring.code, JSON.parse(keyring.out)]).toEqual([1, expect.objectContaining({ available: false })]);
    await run(['secrets', 'use', 'file', '--key-file', keyFile]);
    await writeFile(keyFile, 'quite another passphrase here', { mode: 0o600 });
    const wrong = await run(['secrets', 'show']);
    expect(wrong.code).toBe(1);
    expect(wrong.out).toMatch(/doesn't open .*\n.*Give the host the key that the file was made with/);
  });
});

describe('doctor', () => {
  it('saves, reads and deletes a trial value, and says why that fails', async () => {
    await run(['secrets', 'use', 'file', '--key-file', keyFile]);
    expect(await check()).toMatchObject({
      ok: true,
      finding: expect.stringMatching(/encrypted secrets file; a trial/) as string,
    });
    await writeFile(keyFile, 'quite another passphrase here', { mode: 0o600 });
    expect(await check()).toMatchObject({ ok: false, finding: expect.stringMatching(/doesn't open/) as string });
  });

  it('fails where the choice of the place is damaged, instead of using the keyring', async () => {
    await run(['connections', 'list']);
    await writeFile(join(machine.home, 'secret-store.json'), '{"version":1,"place":"fi');
    const { code, out } = await run(['doctor', '--json']);
    expect(code).toBe(1);
    expect(out).toMatch(/secret-store\.json/);
    expect((await run(['secrets', 'use', 'file', '--key-file', keyFile])).code).toBe(1);
    expect((await run(['secrets', 'use', 'file', '--key-file', keyFile, '--leave'])).code).toBe(0);
    expect((await run(['connections', 'list'])).code).toBe(0);
  });
});
