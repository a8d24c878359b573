import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { parseManifest } from '@tabularium/sdk/manifest';
import { parseDriverPackageJson } from '@tabularium/sdk/package';
import { collectDriver } from '@tabularium/sdk/cli';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { KINDS, suggestions } from './answers.ts';
import { runCreateDriver } from './program.ts';
import { SCAFFOLDED_FACETS } from './scaffoldedFacets.ts';
import { shellWord } from './shellWord.ts';
import { VERSIONS } from './versions.ts';

const root = join(import.meta.dirname, '../..');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-create-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function run(...words: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const into = (add: (text: string) => void): Writable =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        add(chunk.toString());
        done();
      },
    });
  const code = await runCreateDriver({
    words,
    stdin: Readable.from([]),
    stdout: into((text) => (out += text)),
    stderr: into((text) => (err += text)),
    folder,
    template: join(import.meta.dirname, '../template'),
  });
  return { code, out, err };
}

describe('npm create @tabularium/driver', () => {
  it.each(Object.keys(KINDS))('makes a project that connects to: %s', async (kind) => {
    const { code, out } = await run('shelf', '--yes', '--kind', kind, '--title', 'My Fixture', '--author', 'Ada', '--json');
    expect(code).toBe(0);
    const project = join(folder, 'shelf');
    const files = (await readdir(project, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(project.length + 1));
    expect((JSON.parse(out) as { files: string[] }).files).toEqual(files.sort());
    expect(files).toEqual(
      expect.arrayContaining([
        '.github/workflows/ci.yml',
        '.gitignore',
        'LICENSE',
        'README.md',
        'src/index.ts',
        'src/source.ts',
        'test/conformance.test.ts',
        'test/plan.ts',
        'tsconfig.json',
      ]),
    );
    for (const file of files) expect(await readFile(join(project, file), 'utf8'), file).not.toMatch(/\{\{\w+\}\}/);
    expect(await readFile(join(project, 'LICENSE'), 'utf8')).toContain(`${new Date().getFullYear()} Ada`);
    await rm(join(project, 'package-lock.json'), { force: true });
    const json: unknown = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
    await writeFile(join(project, 'package.json'), JSON.stringify({ ...(json as object), files: [] }));
    const travelling: unknown = JSON.parse(new TextDecoder().decode((await collectDriver(project)).get('package.json')));
    expect(parseDriverPackageJson(travelling)).toMatchObject({
      ok: true,
      packageJson: { name: 'tabularium-driver-shelf', manifest: { id: 'shelf', title: 'My Fixture' } },
    });
  });

  it.each([
    ['search', ['search']],
    ['explain, search', ['search', 'console', 'explain']],
    ['search,objects,import,activity,explain,console', Object.keys(SCAFFOLDED_FACETS)],
    ['none', []],
  ])('makes a project whose server filters, with the facets %s', async (list, wanted) => {
    expect(await run('shelf', '--yes', '--facets', list)).toMatchObject({ code: 0 });
    const project = join(folder, 'shelf');
    const read = (file: string): Promise<string> => readFile(join(project, file), 'utf8');
    const facets = await readdir(join(project, 'src/facets')).catch(() => []);
    expect(facets.sort()).toEqual(wanted.map((name) => `${name}.ts`).sort());
    const session = await read('src/index.ts');
    const members = [...session.matchAll(/^ {4}(\w+): \1Facet\(/gm)].map(([, name]) => name);
    expect(members).toEqual(wanted);
    for (const name of wanted) expect(session).toContain(`import { ${name}Facet } from './facets/${name}.ts';`);
    const plan = await read('test/plan.ts');
    const known = [...plan.matchAll(/^ {2}\.\.\.(\w+),$/gm)].map(([, name]) => name ?? '');
    for (const name of known) expect(plan).toContain(`import { ${name} } from './known/`);
    expect(known).toHaveLength((await readdir(join(project, 'test/known')).catch(() => [])).length);
    expect(session + plan).not.toContain('{{');
    expect(await readdir(join(project, 'src'))).not.toContain('rows.ts');
    expect(await read('README.md')).toContain('src/query.ts');
    const json = z.object({ $schema: z.string(), tabularium: z.looseObject({}) }).parse(JSON.parse(await read('package.json')));
    expect(parseManifest(json.tabularium)).toMatchObject({ ok: true });
    expect('console' in json.tabularium).toBe(wanted.includes('console'));
    expect(json.$schema).toBe('./node_modules/@tabularium/sdk/dist/package.schema.json');
  });

  it('asks at a terminal for what is not given', async () => {
    const keyboard = Object.assign(new PassThrough(), { isTTY: true });
    const answers = ['shelf', '', 'My Fixture', '', 'file'];
    const asked: string[] = [];
    const stderr = new Writable({
      write(chunk: Buffer, _encoding, done) {
        asked.push(chunk.toString());
        keyboard.write(`${answers.shift() ?? ''}\n`);
        done();
      },
    });
    let out = '';
    const stdout = new Writable({
      write(chunk: Buffer, _encoding, done) {
        out += chunk.toString();
        done();
      },
    });
    const template = join(import.meta.dirname, '../template');
    expect(await runCreateDriver({ words: [], stdin: keyboard, stdout, stderr, folder, template })).toBe(0);
    expect(asked).toHaveLength(5);
    expect(asked[3]).toContain('(tabularium-driver-shelf)');
    expect(out).toContain('cd shelf');
    const json: unknown = JSON.parse(await readFile(join(folder, 'shelf/package.json'), 'utf8'));
    expect(json).toMatchObject({
      name: 'tabularium-driver-shelf',
      tabularium: { id: 'shelf', title: 'My Fixture', category: 'file' },
    });
  });

  it('prints the next steps', async () => {
    const { out } = await run('my-driver', '--yes');
    expect(out).toContain('cd my-driver');
    expect(out).toContain('npm run dev');
  });

  it('writes into no folder that has something in it', async () => {
    await writeFile(join(folder, 'mine.txt'), 'x');
    expect(await run('.', '--yes')).toMatchObject({ code: 2, err: expect.stringContaining('is not empty') as string });
    expect(await readdir(folder)).toEqual(['mine.txt']);
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
    ['the end of the input', undefined],
  ])('is cancelled by %s at a question', async (_name, key) => {
    const keyboard = Object.assign(new PassThrough(), { isTTY: true });
    let err = '';
    const screen = new Writable({
      write(chunk: Buffer, _encoding, done) {
        err += chunk.toString();
        if (chunk.toString().includes('Folder')) keyboard[key === undefined ? 'end' : 'write'](key);
        done();
      },
    });
    const code = await runCreateDriver({
      words: [],
      stdin: keyboard,
      stdout: new PassThrough(),
      stderr: Object.assign(screen, { isTTY: true, columns: 80 }),
      folder,
      template: join(import.meta.dirname, '../template'),
    });
    expect(code).toBe(130);
    expect(err).toMatch(/\nCancelled\n$/);
    expect(err).not.toContain('Abort');
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['a file in its place', 'file', 'is a file', 'Name another folder'],
    ['a file above it', 'file/below', 'is a file, or lies below one', 'Name another folder'],
    ['a link that leads nowhere', 'link', 'leads nowhere', 'Remove the link'],
    ['a name that is too long', 'x'.repeat(300), 'too long', 'Name a shorter one'],
    ...(process.getuid?.() === 0 ? [] : [['a folder that may not be written to', 'locked/x', 'may not write', 'permissions']]),
  ])('says in a sentence what is wrong with %s', async (_name, place, said, advice) => {
    await writeFile(join(folder, 'file'), 'x');
    await symlink(join(folder, 'nowhere'), join(folder, 'link'));
    await mkdir(join(folder, 'locked'));
    await chmod(join(folder, 'locked'), 0o500);
    const { code, err, out } = await run(place, '--yes', '--id', 'shelf');
    expect(code).toBe(1);
    expect(err).toContain(said);
    expect(err).toContain(advice);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(out).toBe('');
  });

  it('shows no stack when its own folder was removed', async () => {
    // Node remembers the folder from the first question to the next change.
    const [place, main] = [folder, join(import.meta.dirname, 'main.ts')].map((path) => JSON.stringify(path));
    const program = `const { rmdirSync } = await import('node:fs'); process.chdir(${place}); rmdirSync(${place}); await import(${main});`;
    const { status, stderr } = spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '--eval', program], {
      encoding: 'utf8',
    });
    await mkdir(folder);
    expect(stderr).toMatch(/^The project can't be made: .*\n$/);
    expect(status).toBe(1);
  });

  it.each<[string, NodeJS.Platform, string]>([
    ['my-driver', 'linux', 'my-driver'],
    ['my driver', 'linux', "'my driver'"],
    ["it's", 'linux', String.raw`'it'\''s'`],
    ['-x', 'linux', './-x'],
    ['$(x)', 'linux', "'$(x)'"],
    [String.raw`..\my driver`, 'win32', String.raw`"..\my driver"`],
    [String.raw`..\x`, 'win32', String.raw`..\x`],
  ])('writes the folder %s in a shell of %s as %s', (path, platform, word) => {
    expect(shellWord(path, platform)).toBe(word);
  });

  it('quotes the folder in the next steps', async () => {
    expect((await run("it's my driver", '--yes', '--id', 'shelf')).out).toContain(`cd ${shellWord("it's my driver")}\n`);
  });

  it.each([
    [['x', '--yes', '--id', 'postgres'], 'a driver of Tabularium itself'],
    [['search', '--yes'], 'a driver of Tabularium itself'],
    [['x', '--yes', '--id', 'constructor'], 'every object of JavaScript'],
    [['x', '--yes', '--id', '__proto__'], "can't be used"],
    [['x', '--yes', '--name', 'fs'], 'a module of Node.js'],
    [['x', '--yes', '--id', 'Big'], "isn't a valid id"],
    [['x', '--yes', '--name', 'Not A Name'], "isn't a valid package name"],
    [['x', '--yes', '--title', 'A "title"'], "isn't a valid title"],
    [['x', '--yes', '--kind', 'socket'], 'no kind'],
    [['x', '--yes', '--facets', 'search,edits'], "“edits” can't be scaffolded"],
    [['x', '--yes', '--kind', 'file', '--facets', 'search'], 'for a server that speaks HTTP'],
    [['x', 'y', '--yes'], 'extra argument'],
    [['x', '--fast'], "Unknown option '--fast'"],
    [[], '--yes'],
  ])('does not take %s', async (words, said) => {
    expect(await run(...words)).toMatchObject({ code: 2, err: expect.stringContaining(said) as string });
  });

  it.each([
    ['my-driver', 'my'],
    ['tabularium-driver-notes', 'notes'],
    ['/a/b/Great DB/', 'great-db'],
    ['42', 'my'],
  ])('makes of the folder %s the id %s', (name, id) => {
    expect(suggestions(name).id).toBe(id);
  });
});

describe('the versions that a project installs', () => {
  const dependenciesOf = (file: string): Record<string, string> =>
    z.object({ devDependencies: z.record(z.string(), z.string()) }).parse(JSON.parse(readFileSync(join(root, file), 'utf8')))
      .devDependencies;

  it('are those that this repository is tested with', () => {
    const own = dependenciesOf('package.json');
    expect(VERSIONS['rolldown']).toBe(own['rolldown']);
    expect(VERSIONS['@types/node']).toBe(own['@types/node']);
    expect(`npm:typescript@${VERSIONS['typescript']}`).toBe(own['@typescript/native']);
    const sdk = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(root, 'sdk/package.json'), 'utf8')));
    expect(VERSIONS['@tabularium/sdk']).toBe(sdk.version);
  });
});
