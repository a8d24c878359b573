import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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
