import { execFileSync } from 'node:child_process';
import { lstat, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSigningKey } from '../package/keys.ts';
import { Author, manifest } from './cli.test-helper.ts';
import { encryptKey, writeKeyFile } from './keys/keyFile.ts';
import { ownPlatform } from './package/ownPlatform.ts';

const unconfined = { reason: 'A client library of the database is native code.', grants: ['addons'] };
const signing = ['--passphrase-env', 'PASSPHRASE'];
const native = `platforms/${ownPlatform()}`;

let author: Author;

beforeEach(async () => {
  author = await Author.create();
  await author.change({ tabularium: { ...manifest, sdk: '^1.1', permissions: { unconfined }, platforms: [ownPlatform()] } });
  await author.write({ [`${native}/x.node`]: 'own' });
  await author.run(['keys', 'create', '--name', 'Acme', '--id', 'acme', ...signing]);
  await author.run(['build']);
});

afterEach(async () => {
  await author[Symbol.asyncDispose]();
});

async function makePipe(path: string): Promise<string> {
  const place = join(author.folder, path);
  await mkdir(dirname(place), { recursive: true });
  await rm(place, { force: true });
  execFileSync('mkfifo', [place]);
  return place;
}

const failedChecks = async (): Promise<
  readonly { readonly title: string; readonly findings: readonly string[]; readonly fix: string }[]
> =>
  ((await author.json(['check']))['checks'] as { outcome: string; title: string; findings: string[]; fix: string }[]).filter(
    ({ outcome }) => outcome === 'failed',
  );

// Opening a pipe waits for a writer past every signal, so that a command that opens one never ends: these tests then exceed their time.
describe('a pipe in the folder of a driver', () => {
  const ships = [
    'package.json',
    'README.md',
    'LICENSE',
    'dist/index.js',
    `${native}/p`,
    `${native}/deep/er/p`,
    `${native}/LICENSE`,
  ];
  const commands = [['check'], ['pack', ...signing], ['publish', '--dry-run', ...signing]];
  it.each(ships.flatMap((path) => commands.map((words) => [path, words] as const)))(
    'at %s ends %j with its name',
    async (path, words) => {
      await makePipe(path);
      const { code, out, err } = await author.run(words);
      expect(code).toBe(1);
      expect(`${out}${err}`).toContain(path);
      expect(`${out}${err}`).toMatch(/is a named pipe/);
    },
  );

  it.each([
    ['src/index.ts', ['build']],
    ['package.json', ['build']],
    [`${native}/p`, ['build']],
    ['test/plan.ts', ['check']],
  ])('at %s ends %j', async (path, words) => {
    await makePipe(path);
    const { code, out, err } = await author.run(words);
    expect(code).toBe(1);
    expect(`${out}${err}`).toContain(path);
  });

  it.each([
    ['an archive', (pipe: string) => ['sign', pipe, ...signing]],
    ['an archive', (pipe: string) => ['publish', pipe, '--dry-run']],
    ['a key', (pipe: string) => ['pack', '--key', pipe, ...signing]],
    ['a key', (pipe: string) => ['keys', 'show', pipe]],
    ['the file to write', (pipe: string) => ['pack', '--output', pipe, '--overwrite', ...signing]],
    ['the file to write', (pipe: string) => ['keys', 'export', '--public', '--output', pipe, '--overwrite']],
  ])('isn’t taken as %s', async (_what, words) => {
    const pipe = await makePipe('p.tgz');
    const { code, err } = await author.run(words(pipe));
    expect(code).toBe(1);
    expect(err).toContain(`${pipe} is`);
    expect(err).toContain('a named pipe');
    expect((await lstat(pipe)).isFIFO()).toBe(true);
  });

  it('among the keys hides none of them', async () => {
    execFileSync('mkfifo', [join(author.keyFolder, 'p.key')]);
    expect(await author.json(['keys', 'list'])).toMatchObject({ keys: [{ id: 'acme' }] });
  });
});

it('no part of the command reads a file in another way', async () => {
  const names = await readdir(import.meta.dirname, { recursive: true });
  const sources = names.filter((name) => name.endsWith('.ts') && !name.includes('test'));
  expect(sources.length).toBeGreaterThan(30);
  const found = await Promise.all(
    sources.map(async (name) => [name, await readFile(join(import.meta.dirname, name), 'utf8')] as const),
  );
  const others = found.filter(([, text]) =>
    /import \{[^}]*\b(?:readFile|open|createReadStream)\b[^}]*\} from 'node:fs/.test(text),
  );
  expect(others.map(([name]) => name)).toEqual(['package/regularFileContent.ts']);
});

describe('what somebody else put into the folder of a driver', () => {
  it('is refused by name when it is a socket', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(author.folder, native, 's'), resolve));
    try {
      expect(await failedChecks()).toMatchObject([
        {
          title: 'Only what belongs into a platform package ships in it',
          findings: [`"${native}/s" is a socket; a package has files only.`],
        },
      ]);
    } finally {
      server.close();
    }
  });

  it.each([
    ['a link that leads nowhere', 'gone', /is a link that leads nowhere/],
    ['a link to the folder above it', '.', /is a link to a folder that it is in itself/],
    // Without the check at the folder, the walk would read all of the machine.
    ['a link to all of the machine', '/', /leads out of the folder of the driver, to \/\./],
  ])('is refused by name when it is %s', async (_what, target, message) => {
    await symlink(target, join(author.folder, native, 'link'));
    const [check] = await failedChecks();
    expect(check?.findings[0]).toMatch(message);
    expect(check?.findings[0]).toContain(`${native}/link`);
  });

  it.each([
    ['.env', 'Remove it from the folder'],
    ['X.node', 'Rename one of the two'],
    ['a b.node', 'Rename it'],
    ['1/2/3/4/5/6/7.node', 'Put it into fewer folders'],
  ])('is refused with advice that helps: %s', async (name, advice) => {
    await author.write({ [`${native}/${name}`]: 'x' });
    const [check, ...more] = await failedChecks();
    expect(more).toEqual([]);
    expect(check).toMatchObject({ title: 'Only what belongs into a platform package ships in it' });
    expect(check?.fix).toContain(advice);
  });

  it('fails the check that it belongs to', async () => {
    await rm(join(author.folder, 'dist'), { recursive: true });
    expect(await failedChecks()).toMatchObject([{ title: 'The files that are to ship are in the folder' }]);
    await author.run(['build']);
    await rm(join(author.folder, native), { recursive: true });
    expect(await failedChecks()).toMatchObject([{ title: 'The platform packages are complete' }]);
    await author.write({ 'package.json': '{' });
    expect(await failedChecks()).toMatchObject([{ title: 'The project can be read' }]);
  });
});

describe('a private key under another name', () => {
  const keyGen = (...words: readonly string[]): Buffer => execFileSync('openssl', words, { stdio: ['ignore', 'pipe', 'ignore'] });
  const body = 'MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF';
  const pem = (kind: string, end = kind, headers = ''): string =>
    `-----BEGIN ${kind}-----\n${headers}${body}\n-----END ${end}-----\n`;

  it.each<[string, () => Promise<Uint8Array | string> | Uint8Array | string]>([
    [
      'of this tool',
      async () => {
        const key = await createSigningKey();
        const facts = {
          publisher: { id: 'a', name: 'A' },
          publicKey: key.publicKey,
          createdAt: new Date().toISOString(),
          keptIn: 'file' as const,
        };
        return writeKeyFile(facts, encryptKey(key, 'correct horse battery'));
      },
    ],
    ['of a registry', async () => JSON.stringify({ formatVersion: 1, ...(await createSigningKey()) })],
    ['in PKCS#8', () => pem('PRIVATE KEY')],
    ['of RSA with a passphrase', () => pem('RSA PRIVATE KEY', undefined, 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n')],
    ['of SSH', () => pem('OPENSSH PRIVATE KEY')],
    ['of OpenPGP', () => pem('PGP PRIVATE KEY BLOCK', undefined, 'Version: 1\n\n')],
    ['after another text', () => `Notes\n${pem('PUBLIC KEY')}${pem('EC PRIVATE KEY')}`],
    ['of age', () => `# created: now\nAGE-SECRET-KEY-1${'QPZRY9X8GF'.repeat(6)}\n`],
    ['of PuTTY', () => 'PuTTY-User-Key-File-3: ssh-ed25519\n'],
    ['in DER', () => keyGen('genpkey', '-algorithm', 'ed25519', '-outform', 'DER')],
    ['as a JSON Web Key', () => `{"kty":"OKP","crv":"Ed25519","d":"${'a'.repeat(43)}"}`],
  ])('%s doesn’t ship', async (_what, make) => {
    await author.write({ [`${native}/data.bin`]: '' });
    await writeFile(join(author.folder, native, 'data.bin'), await make());
    const checks = await failedChecks();
    expect(JSON.stringify(checks)).toMatch(/data\.bin would ship, which holds (?:a|an encrypted) (?:private )?key/);
    expect(checks[0]?.fix).toContain('Take it out of the folder of the platform');
  });

  it.each([
    [
      'a library that reads keys',
      `\0-----BEGIN OPENSSH PRIVATE KEY-----\0\n-----END OPENSSH PRIVATE KEY-----\0AGE-SECRET-KEY-1\0`,
    ],
    ['a certificate and a public key', pem('CERTIFICATE') + pem('PUBLIC KEY')],
    ['a program', `const marker = '-----BEGIN PRIVATE KEY-----';\nconst end = '-----END PRIVATE KEY-----';\n`],
  ])('isn’t found in %s', async (_what, content) => {
    await author.write({ [`${native}/data.bin`]: content });
    expect(await failedChecks()).toEqual([]);
  });
});

describe('the file that a command writes', () => {
  const commands: readonly (readonly [string, (file: string) => Promise<string[]> | string[]])[] = [
    ['pack', (file) => ['pack', '--output', file, ...signing]],
    ['sign', async (file) => ['sign', String((await author.json(['pack', '--unsigned']))['file']), '--output', file, ...signing]],
    ['keys export --public', (file) => ['keys', 'export', '--public', '--output', file]],
  ];

  it.each(commands)('of %s is replaced with --overwrite alone', async (_name, words) => {
    const file = join(author.folder, 'mine.txt');
    await writeFile(file, 'mine');
    const line = await words(file);
    expect(await author.json(line)).toMatchObject({ error: { code: 'FILE_EXISTS' } });
    expect(await readFile(file, 'utf8')).toBe('mine');
    expect((await author.run([...line, '--overwrite'])).code).toBe(0);
    expect(await readFile(file, 'utf8')).not.toBe('mine');
  });

  it.each(commands)('of %s is reached through a link, which stays', async (_name, words) => {
    const file = join(author.folder, 'mine.txt');
    const link = join(author.folder, 'link');
    await writeFile(file, 'mine');
    await symlink('mine.txt', link);
    const line = await words(link);
    expect(await author.json(line)).toMatchObject({ error: { code: 'FILE_EXISTS' } });
    expect((await author.run([...line, '--overwrite'])).code).toBe(0);
    expect(await readlink(link)).toBe('mine.txt');
    expect(await readFile(file, 'utf8')).not.toBe('mine');
  });

  it('replaces no archive of a platform beside it either', async () => {
    const out = join(author.folder, 'out');
    await mkdir(out);
    const part = join(out, `shelf-tabularium-driver-${ownPlatform()}-1.2.3.tgz`);
    await writeFile(part, 'mine');
    expect(await author.json(['pack', '--output', join(out, 'x.tgz'), ...signing])).toMatchObject({
      error: { code: 'FILE_EXISTS' },
    });
    expect(await readFile(part, 'utf8')).toBe('mine');
    expect(await lstat(join(out, 'x.tgz')).catch(() => undefined)).toBeUndefined();
  });

  it('of pack may be that of an earlier run, where the author named no other', async () => {
    expect((await author.run(['pack', ...signing])).code).toBe(0);
    expect((await author.run(['pack', ...signing])).code).toBe(0);
  });

  it('is never a key', async () => {
    const file = join(author.folder, 'copy.key');
    await writeFile(file, 'mine');
    expect(await author.json(['keys', 'export', '--output', file])).toMatchObject({ error: { code: 'KEY_EXISTS' } });
    expect((await author.run(['keys', 'export', '--output', file, '--overwrite'])).code).toBe(2);
    expect(await readFile(file, 'utf8')).toBe('mine');
  });
});
