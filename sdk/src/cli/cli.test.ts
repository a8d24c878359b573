import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createPrivateKey } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fingerprintOf } from '../package/keys.ts';
import { SIGNATURE_FILE } from '../package/signature.ts';
import { verifyPackageFiles } from '../package/verify.ts';
import { Author, manifest } from './cli.test-helper.ts';
import type { Check } from './check/check.ts';
import { COMMANDS } from './commands/index.ts';
import { readArchive } from './package/readArchive.ts';
import { npmIn } from './publish/npm.ts';
import type { Npm } from './publish/npm.ts';
import { publishArchive } from './publish/publishArchive.ts';

let author: Author;

beforeEach(async () => {
  author = await Author.create();
});
afterEach(() => author[Symbol.asyncDispose]());

const build = (): Promise<unknown> => author.run(['build']);

async function check(...more: readonly string[]): Promise<readonly Check[]> {
  return (await author.json(['check', ...more]))['checks'] as readonly Check[];
}

async function failures(...more: readonly string[]): Promise<Record<string, readonly string[]>> {
  const checks = await check(...more);
  return Object.fromEntries(checks.filter(({ outcome }) => outcome === 'failed').map(({ id, findings }) => [id, findings]));
}

describe('the command line', () => {
  it('shows its commands, and the help of each', async () => {
    const { code, out } = await author.run(['--help']);
    expect(code).toBe(0);
    for (const { name, options } of COMMANDS) {
      expect(out).toContain(`  ${name} `);
      const help = await author.run([...name.split(' '), '--help']);
      expect(help).toMatchObject({ code: 0, err: '' });
      for (const option of [...Object.keys(options), 'json']) expect(help.out).toContain(`--${option}`);
    }
  });

  it.each([
    ['an unknown command', ['bild'], 'no command "bild"'],
    ['an unknown option', ['build', '--fast'], "Unknown option '--fast'"],
    ['too many words', ['build', 'src/index.ts'], 'does not take "src/index.ts"'],
    ['nothing', [], ''],
  ])('ends with 2 for %s', async (_name, words, said) => {
    const { code, err } = await author.run(words);
    expect(code).toBe(2);
    expect(err).toContain(said);
  });

  it('says what is wrong in JSON where it is asked to', async () => {
    expect(await author.json(['build', '--folder', 'nowhere'])).toEqual({
      error: {
        code: 'PROJECT_INVALID',
        message: expect.stringContaining('cannot be read (ENOENT)') as string,
        advice: expect.stringContaining('--folder') as string,
      },
    });
  });
});

describe('build', () => {
  it('bundles the sources into the entry', async () => {
    expect(await author.json(['build'])).toMatchObject({ entry: 'dist/index.js' });
    const code = await readFile(join(author.folder, 'dist/index.js'), 'utf8');
    expect(code).toContain('shelf');
    expect(code).not.toContain('sourceMappingURL');
  });

  it.each([
    ['an error of the syntax', 'export const driver: = 1;\n', 'src/index.ts', 1],
    [
      'a name that is not exported',
      "import { nothing } from './answer.ts';\nexport const driver = nothing;\n",
      'src/index.ts',
      1,
    ],
    ['a package that is not installed', "\nimport x from 'not-installed';\nexport const driver = x;\n", 'src/index.ts', 2],
  ])('names file and line of %s, and keeps the build before', async (_name, source, file, line) => {
    await build();
    const before = await readFile(join(author.folder, 'dist/index.js'), 'utf8');
    await author.write({ 'src/index.ts': source });
    const { error } = (await author.json(['build'])) as {
      error: { code: string; message: string; problems: { file: string; line: number }[] };
    };
    expect(error).toMatchObject({ code: 'BUILD_FAILED', problems: [{ file: join(author.folder, file), line }] });
    expect(error.message).toContain(`${file}:${line}:`);
    expect(await readFile(join(author.folder, 'dist/index.js'), 'utf8')).toBe(before);
  });
});

describe('check', () => {
  it('passes a driver that nothing is wrong with, and lists what ships', async () => {
    await build();
    const { code, out } = await author.run(['check']);
    expect(out).toContain('Nothing is wrong.');
    expect(code).toBe(0);
    const files = (await check()).find(({ id }) => id === 'files');
    expect(files?.findings.map((finding) => finding.split(' ')[0])).toEqual([
      'package.json',
      'LICENSE',
      'README.md',
      'dist/THIRD-PARTY-NOTICES.txt',
      'dist/index.js',
      'dist/sbom.cdx.json',
    ]);
  });

  it('asks for a build first', async () => {
    expect(await failures()).toEqual({ contents: [expect.stringContaining('dist/index.js') as string] });
  });

  it.each<[string, string, Record<string, unknown>, string]>([
    [
      'manifest',
      'a value of the manifest, with its path',
      { tabularium: { ...manifest, reading: { maxSorts: -1 } } },
      'tabularium.reading.maxSorts',
    ],
    ['manifest', 'no manifest', { tabularium: undefined }, 'no "tabularium" field'],
    ['contract', 'a range that is none', { tabularium: { ...manifest, sdk: 'newest' } }, "isn't a version range"],
    ['contract', 'a range that nothing satisfies', { tabularium: { ...manifest, sdk: '^9.0' } }, 'does not hold 1.'],
    ['contract', 'a range without an end', { tabularium: { ...manifest, sdk: '>=1.0' } }, 'does not exist yet'],
    ['packageJson', 'a version that is none', { version: '1.2' }, 'exact version'],
    ['dependencies', 'dependencies', { dependencies: { zod: '4.0.0' } }, '"dependencies"'],
    ['scripts', 'lifecycle scripts', { scripts: { postinstall: 'node x.js' } }, '"postinstall"'],
    ['papers', 'no licence', { license: undefined }, 'license'],
    ['findable', 'a description that nobody finds', { name: '@shelf/x', description: 'Something.' }, 'the word "tabularium"'],
    ['entry', 'an entry that does not ship', { exports: './dist/other.js' }, 'not among the files'],
    ['entry', 'another id', { tabularium: { ...manifest, id: 'rack' } }, 'defineDriver says "shelf"'],
  ])('fails %s for %s, with a fix', async (id, _name, change, said) => {
    await build();
    await author.change(change);
    const found = (await check()).find((one) => one.id === id);
    expect(found).toMatchObject({ outcome: 'failed', fix: expect.stringMatching(/.{10}/) as string });
    expect(found?.findings.join(' ')).toContain(said);
    expect((await author.run(['check'])).code).toBe(1);
  });

  it.each<[string, string, Record<string, string>, string]>([
    ['papers', 'an empty shelf of papers', { 'README.md': '' }, ''],
    ['files', 'a key', { 'dist/my.key': 'secret' }, 'dist/my.key would ship'],
    ['files', 'a source map', { 'dist/index.js.map': '{}' }, 'dist/index.js.map would ship'],
    ['files', 'a build for development', { 'dist/late.js': 'x();\n//# sourceMappingURL=late.js.map' }, 'built for development'],
    ['entry', 'an import that is left', { 'dist/index.js': "import 'left-over';\nexport const driver = 1;\n" }, 'left-over'],
    [
      'entry',
      'a module that no driver can use',
      { 'dist/index.js': "import 'node:child_process';\nexport const driver = 1;\n" },
      "The driver imports node:child_process, which drivers can't use",
    ],
    ['entry', 'code that fails', { 'dist/index.js': "throw new RangeError('no luck');\n" }, 'RangeError: no luck'],
    ['entry', 'code that ends the process', { 'dist/index.js': 'process.exit(3);\n' }, 'exit code 3'],
    ['entry', 'code that ends the process quietly', { 'dist/index.js': 'process.exit(0);\n' }, 'must not call process.exit'],
    ['entry', 'code that waits forever', { 'dist/index.js': 'await new Promise(() => {});\n' }, 'never finished loading'],
    ['entry', 'code that exports no driver', { 'dist/index.js': 'export const driver = {};\n' }, 'defineDriver'],
  ])('looks at %s: %s', async (id, _name, files, said) => {
    await build();
    await author.change({ files: ['dist'] });
    await author.write(files);
    const found = (await check()).find((one) => one.id === id);
    if (said === '') expect(found?.outcome).toBe('passed');
    else expect(found?.findings.join(' ')).toContain(said);
  });

  it('says to build again after a build for development, and no more', async () => {
    await build();
    await author.write({ 'dist/index.js': 'x();\n//# sourceMappingURL=index.js.map' });
    const fixOf = async (): Promise<string | undefined> => (await check()).find(({ id }) => id === 'files')?.fix;
    expect(await fixOf()).toContain('npm run build');
    expect(await fixOf()).not.toContain('"files"');
    await author.write({ 'dist/my.key': 'secret' });
    await author.change({ files: ['dist'] });
    expect(await fixOf()).toContain('"files"');
  });

  it('names a byte order mark in package.json', async () => {
    await author.write({ 'package.json': `\uFEFF${JSON.stringify({ name: 'x', version: '1.0.0' })}` });
    expect((await author.run(['pack'])).err).toContain('byte order mark');
  });

  it('keeps code that it looks at from the files of the one who looks', async () => {
    await build();
    const secret = join(author.folder, 'secret');
    await author.write({
      secret: 'x',
      'dist/index.js': `import { readFileSync } from 'node:fs';\nthrow new Error(String(readFileSync(${JSON.stringify(secret)})));\n`,
    });
    const found = (await check()).find(({ id }) => id === 'entry');
    expect(found?.findings.join(' ')).toMatch(/Access to this API has been restricted|ERR_ACCESS_DENIED/);
    await author.write({ 'dist/index.js': `await import('node:sqlite');\nthrow new Error('it has a database');\n` });
    expect((await check()).find(({ id }) => id === 'entry')?.findings.join(' ')).not.toContain('it has a database');
  });

  it('ships nothing that a link leads to, outside of the folder', async () => {
    await build();
    const elsewhere = await mkdtemp(join(tmpdir(), 'tabularium-elsewhere-'));
    try {
      await writeFile(join(elsewhere, 'credential'), 'hunter2');
      await symlink(join(elsewhere, 'credential'), join(author.folder, 'dist/extra.txt'));
      await author.change({ files: ['dist'] });
      expect(await failures()).toEqual({ contents: [expect.stringContaining('leads out of the folder') as string] });
      await author.change({ files: ['dist/index.js', relative(author.folder, join(elsewhere, 'credential'))] });
      expect(await failures()).toEqual({ contents: [expect.stringContaining('leads out of the folder') as string] });
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  });

  it('opens a session by the plan and compares its facets with the manifest', async () => {
    await build();
    const plan = (facets: string): string => `import { answer } from '../src/answer.ts';
export const plan = {
  driver: { definition: { connect: async (settings, context) => { context.log('info', 'x'); return { close: async () => undefined, ${facets} }; } } },
  open: () => ({ settings: { answer }, context: {} }),
};
`;
    expect((await check()).find(({ id }) => id === 'facets')?.outcome).toBe('skipped');
    await author.write({ 'test/plan.ts': plan('edits: {}') });
    expect((await check()).find(({ id }) => id === 'facets')).toMatchObject({
      outcome: 'passed',
      findings: ['The session has edits.'],
    });
    await author.write({ 'test/other.ts': plan('console: {}') });
    expect(await failures('--plan', 'test/other.ts')).toEqual({
      facets: [expect.stringContaining("it can't be opened") as string],
    });
    author.env = { ...author.env, NODE_EXTRA_CA_CERTS: '/ca.pem', no_proxy: 'localhost', NPM_TOKEN: 'secret' };
    const seen = `JSON.stringify(Object.keys(process.env).filter((name) => /^(PATH|NODE_EXTRA_CA_CERTS|no_proxy|NPM_TOKEN|PASSPHRASE)$/.test(name)).sort())`;
    await author.write({ 'test/plan.ts': `export const plan = { open() { throw new Error(${seen}); } };\n` });
    expect(await failures()).toEqual({
      facets: [expect.stringContaining('["NODE_EXTRA_CA_CERTS","PATH","no_proxy"]') as string],
    });
    await author.write({ 'test/plan.ts': 'export const plan = { open() { throw new Error("no server"); } };\n' });
    expect(await failures()).toEqual({ facets: [expect.stringContaining('no server') as string] });
  });
});

describe('keys', () => {
  it('makes a key that is encrypted in a file of its owner alone, and shows its fingerprint', async () => {
    const made = await author.json(['keys', 'create', '--name', 'Acme Databases', '--passphrase-env', 'PASSPHRASE']);
    expect(made).toMatchObject({ id: 'acme-databases', name: 'Acme Databases', keptIn: 'file' });
    expect(made['fingerprint']).toMatch(/^([0-9a-f]{4} ){15}[0-9a-f]{4}$/);
    const file = String(made['file']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = await readFile(file, 'utf8');
    expect(text).toContain('BEGIN ENCRYPTED PRIVATE KEY');
    expect(createPrivateKey({ key: text, passphrase: 'correct horse battery' }).asymmetricKeyType).toBe('ed25519');
    expect(await author.json(['keys', 'list'])).toMatchObject({
      keys: [{ id: 'acme-databases', fingerprint: made['fingerprint'] }],
    });
    expect((await author.run(['keys', 'show', 'acme-databases'])).out).toContain(String(made['publicKey']));
  });

  it('takes the passphrase from standard input, and refuses a short one and a second key of the same name', async () => {
    const create = ['keys', 'create', '--name', 'Acme', '--passphrase-stdin'];
    expect(await author.run(create, { input: 'short\n' })).toMatchObject({
      code: 1,
      err: expect.stringContaining('at least 12') as string,
    });
    expect((await author.run(create, { input: 'a long enough passphrase\n' })).code).toBe(0);
    expect(await author.json(create, { input: 'a long enough passphrase\n' })).toMatchObject({ error: { code: 'KEY_EXISTS' } });
    // No terminal to ask.
    expect(await author.json(['keys', 'create', '--name', 'Other'])).toMatchObject({ error: { code: 'PASSPHRASE_MISSING' } });
  });

  it('asks for the passphrase unseen, twice for a new key', async () => {
    const first = await author.typing(
      ['keys', 'create', '--name', 'Acme'],
      ['correct horsx\u007fe battery\r', 'correct horse battery\r'],
    );
    expect(first.code).toBe(0);
    expect(first.err).not.toContain('horse');
    await build();
    expect((await author.typing(['pack'], ['correct horse battery\r'])).code).toBe(0);
    const differing = await author.typing(
      ['keys', 'create', '--name', 'Other'],
      ['correct horse battery\r', 'correct horse batterie\r'],
    );
    expect(differing).toMatchObject({ code: 1, err: expect.stringContaining('differ') as string });
    expect((await author.typing(['pack'], ['\u0003'])).code).toBe(130);
  });

  it("keeps a key in the operating system's store, and writes an encrypted copy of it", async () => {
    const made = await author.json(['keys', 'create', '--name', 'Acme', '--keep', 'system']);
    expect([...author.stored.keys()]).toEqual([String(made['fingerprint']).replaceAll(' ', '')]);
    expect(await readFile(String(made['file']), 'utf8')).not.toContain('PRIVATE');
    const copy = join(author.folder, 'copy.key');
    expect((await author.run(['keys', 'export', 'acme', '--output', copy, '--passphrase-env', 'PASSPHRASE'])).code).toBe(0);
    expect((await stat(copy)).mode & 0o777).toBe(0o600);
    await build();
    const packed = await author.json(['pack', '--key', copy, '--passphrase-env', 'PASSPHRASE']);
    expect(packed).toMatchObject({ signed: true, fingerprint: made['fingerprint'] });
    expect(await author.json(['pack', '--output', 'second.tgz'])).toMatchObject({ integrity: packed['integrity'] });
    expect(await author.json(['keys', 'export', '--output', copy])).toMatchObject({ error: { code: 'PASSPHRASE_MISSING' } });
  });

  it('refuses a wrong passphrase and a key that was exchanged, and never says either', async () => {
    const made = await author.json(['keys', 'create', '--name', 'Acme', '--passphrase-env', 'PASSPHRASE']);
    await build();
    author.env = { ...author.env, WRONG: 'another passphrase' };
    const wrong = await author.run(['pack', '--passphrase-env', 'WRONG']);
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('cannot be opened') as string });
    expect(wrong.err).not.toContain('another passphrase');
    const file = String(made['file']);
    const other = Buffer.alloc(32, 7).toString('base64');
    await writeFile(file, (await readFile(file, 'utf8')).replace(String(made['publicKey']), other));
    expect(await author.json(['pack', '--passphrase-env', 'PASSPHRASE'])).toMatchObject({
      error: { code: 'KEY_UNREADABLE', message: expect.stringContaining('not the one') as string },
    });
  });

  it('gives out the public part', async () => {
    const made = await author.json(['keys', 'create', '--name', 'Acme', '--passphrase-env', 'PASSPHRASE']);
    const file = join(author.folder, 'acme.json');
    await author.run(['keys', 'export', '--public', '--output', file]);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      id: 'acme',
      name: 'Acme',
      fingerprint: made['fingerprint'],
      publicKey: made['publicKey'],
    });
  });
});

describe('pack and sign', () => {
  beforeEach(async () => {
    await author.json(['keys', 'create', '--name', 'Acme', '--passphrase-env', 'PASSPHRASE']);
    await build();
  });

  it('makes a signed archive, byte for byte the same each time', async () => {
    const first = await author.json(['pack', '--passphrase-env', 'PASSPHRASE']);
    const file = join(author.folder, 'shelf-tabularium-driver-1.2.3.tgz');
    expect(first).toMatchObject({ file, name: '@shelf/tabularium-driver', version: '1.2.3', signed: true });
    const bytes = await readFile(file);
    expect(await author.json(['pack', '--passphrase-env', 'PASSPHRASE'])).toEqual(first);
    expect(await readFile(file)).toEqual(bytes);
    const files = await readArchive(file);
    expect([...files.keys()].sort()).toEqual([
      'LICENSE',
      'README.md',
      'dist/THIRD-PARTY-NOTICES.txt',
      'dist/index.js',
      'dist/sbom.cdx.json',
      'package.json',
      SIGNATURE_FILE,
    ]);
    const verified = await verifyPackageFiles(files);
    if (!verified.ok) throw new Error(verified.message);
    expect(fingerprintOf(verified.signature.keyId)).toBe(first['fingerprint']);
    expect(JSON.parse(new TextDecoder().decode(files.get('package.json')))).not.toHaveProperty('devDependencies');
  });

  it('signs on another machine what was packed without a signature', async () => {
    const unsigned = await author.json(['pack', '--unsigned']);
    expect((await verifyPackageFiles(await readArchive(String(unsigned['file'])))).ok).toBe(false);
    const done = await author.json(['sign', String(unsigned['file']), '--passphrase-env', 'PASSPHRASE']);
    expect(done).toMatchObject({ signed: true, file: unsigned['file'] });
    const direct = await author.json(['pack', '--passphrase-env', 'PASSPHRASE']);
    expect(done['integrity']).toBe(direct['integrity']);
  });

  it('refuses what check refuses, with the fix', async () => {
    await author.change({ dependencies: { zod: '4.0.0' } });
    const { code, err } = await author.run(['pack', '--passphrase-env', 'PASSPHRASE']);
    expect(code).toBe(1);
    expect(err).toContain('Nothing was packed');
    expect(err).toContain('→ Move them to "devDependencies"');
  });

  it.each([
    ['is none', Buffer.from('no archive')],
    ['is empty', Buffer.from('')],
  ])('refuses an archive that %s', async (_name, bytes) => {
    await writeFile(join(author.folder, 'x.tgz'), bytes);
    expect(await author.json(['sign', 'x.tgz', '--passphrase-env', 'PASSPHRASE'])).toMatchObject({
      error: { code: 'ARCHIVE_INVALID' },
    });
  });
});

describe('publish', () => {
  it('refuses what check refuses before it asks for a key', async () => {
    expect(await author.json(['publish', '--registry', 'http://127.0.0.1:1/'])).toMatchObject({
      error: { code: 'CHECK_FAILED' },
    });
  });

  it.each([
    ['--access', 'secret'],
    ['--registry', 'file:///tmp'],
  ])('does not take %s %s', async (...words) => {
    expect((await author.run(['publish', ...words])).code).toBe(2);
  });
});

const REFUSED = `npm error code ECONNREFUSED
npm error syscall connect
npm error errno ECONNREFUSED
npm error FetchError: request to http://127.0.0.1:1/@acme%2fdriver failed, reason: connect ECONNREFUSED 127.0.0.1:1
`;

describe('an archive and npm', () => {
  const packed = { name: '@acme/driver', version: '1.0.0', file: 'x.tgz' };
  const options = {
    registry: 'http://127.0.0.1:1/',
    tag: 'next',
    access: 'public',
    dryRun: true,
    npmOptions: ['--provenance'],
  } as const;
  const npm = (
    view: { code: number; stdout?: string; stderr?: string },
    published = 0,
  ): Npm & { readonly ran: (readonly string[])[] } => {
    const ran: (readonly string[])[] = [];
    return {
      ran,
      ask: async () => ({ stdout: '', stderr: '', ...view }),
      run: async (args) => {
        ran.push(args);
        return published;
      },
    };
  };

  it.each([
    ['a package that is new', { code: 1, stderr: 'npm error code E404' }],
    ['a version that is new', { code: 0 }],
  ])('publishes %s, without running scripts', async (_name, view) => {
    const fake = npm(view);
    await publishArchive(fake, packed, options);
    expect(fake.ran).toEqual([
      [
        'publish',
        'x.tgz',
        '--registry',
        options.registry,
        '--tag',
        'next',
        '--access',
        'public',
        '--dry-run',
        '--ignore-scripts',
        '--provenance',
      ],
    ]);
  });

  it.each([
    ['VERSION_EXISTS', npm({ code: 0, stdout: '"1.0.0"\n' }), 'has @acme/driver 1.0.0 already'],
    ['VERSION_EXISTS', npm({ code: 0, stdout: '["0.9.0", "1.0.0", "2.0.0"]\n' }), 'has @acme/driver 1.0.0 already'],
    ['PUBLISH_FAILED', npm({ code: 1, stderr: REFUSED }), 'The registry http://127.0.0.1:1/ could not be asked'],
    ['PUBLISH_FAILED', npm({ code: 1, stderr: REFUSED }), '(ECONNREFUSED). request to http://127.0.0.1:1/'],
    ['PUBLISH_FAILED', npm({ code: 0 }, 1), 'exit code 1'],
  ])('ends with %s', async (code, fake, said) => {
    await expect(publishArchive(fake, packed, options)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(said) as string,
    });
  });

  it.each([
    ['["1.0.1","2.10.0","2.9.0","3.0.0-beta.1"]', '1.0.0', '2.10.0'],
    ['"2.0.0"', '2.0.0-beta.1', '2.0.0'],
  ])('refuses beside %s the version %s, because %s is newer', async (stdout, version, newer) => {
    const fake = npm({ code: 0, stdout });
    const untagged = { ...options, tag: undefined };
    await expect(publishArchive(fake, { ...packed, version }, untagged)).rejects.toMatchObject({
      code: 'VERSION_NOT_NEWER',
      message: `The registry has @acme/driver ${newer} already, which is newer than ${version}.`,
    });
    expect(fake.ran).toEqual([]);
    await publishArchive(fake, { ...packed, version }, options);
    await publishArchive(fake, { ...packed, version }, { ...untagged, npmOptions: ['--tag=old'] });
    expect(fake.ran).toHaveLength(2);
  });

  it('shows no password of a registry', async () => {
    const registry = 'http://me:hidden@127.0.0.1:1/';
    await expect(publishArchive(npm({ code: 1 }), packed, { ...options, registry })).rejects.toMatchObject({
      message: expect.not.stringContaining('hidden') as string,
    });
  });

  it.each(['ask', 'run'] as const)('is interrupted while npm is to %s', async (call) => {
    const program = join(author.folder, 'npm-cli.js');
    // As npm does at a terminal, it ends with a code of its own; or it is ended.
    await writeFile(
      program,
      "process.on('SIGTERM', () => process.exit(1)); console.error('waits'); setInterval(() => {}, 1000);",
    );
    const ending = new AbortController();
    const stderr = new PassThrough();
    const terminal = { stdin: new PassThrough(), stdout: new PassThrough(), stderr };
    const started = npmIn(author.folder, { env: { ...author.env, npm_execpath: program }, terminal, signal: ending.signal });
    const running = started[call](['view']);
    if (call === 'run') stderr.once('data', () => ending.abort());
    else ending.abort();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('an interrupt', () => {
  it('is the reason for everything that fails after it', async () => {
    await author.run(['build']);
    await author.run(['keys', 'create', '--name', 'Ada', '--id', 'ada', '--passphrase-env', 'PASSPHRASE']);
    const program = join(author.folder, 'npm-cli.js');
    await writeFile(program, "import { writeFileSync } from 'node:fs'; writeFileSync('asked', ''); setInterval(() => {}, 1000);");
    author.env = { ...author.env, npm_execpath: program };
    const ending = new AbortController();
    const running = author.run(['publish', '--passphrase-env', 'PASSPHRASE'], { signal: ending.signal });
    const ended = running.then(() => true);
    await vi.waitFor(() => stat(join(author.folder, 'asked')), { timeout: 120_000 });
    ending.abort();
    expect(await ended).toBe(true);
    expect(await running).toMatchObject({ code: 130, err: expect.stringContaining('Interrupted.') as string });
  });
});
