import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import type { SystemStore } from './keys/systemStore.ts';
import { runDriverProgram } from './program.ts';
import type { Terminal } from './terminal.ts';

const sdkFolder = join(import.meta.dirname, '../..');

/** The manifest of the driver that tests build. */
export const manifest = {
  manifestVersion: 1,
  id: 'shelf',
  sdk: '^1.0',
  title: 'Shelf',
  tagline: 'Keeps things in order.',
  category: 'other',
  icon: 'M0 0h24v24H0z',
  terms: {
    table: { one: 'Box', other: 'Boxes' },
    row: { one: 'Thing', other: 'Things' },
    column: { one: 'Trait', other: 'Traits' },
  },
  connection: { fields: [{ id: 'name', label: 'Name', type: 'text' }] },
  permissions: {},
  reading: { maxSorts: 0 },
};

/** A project that nothing is wrong with. */
const goodProject: Readonly<Record<string, unknown>> = {
  'package.json': {
    name: '@shelf/tabularium-driver',
    version: '1.2.3',
    description: 'A Tabularium driver for tests.',
    license: 'MIT',
    type: 'module',
    exports: { '.': './dist/index.js', './package.json': './package.json' },
    files: ['dist/index.js'],
    scripts: { build: 'anything' },
    devDependencies: { '@tabularium/sdk': '1.1.0' },
    tabularium: manifest,
  },
  'src/index.ts': `import { answer } from './answer.ts';
export const driver = Object.freeze({
  $$type: '@tabularium/driver' as const,
  contract: '1.0.0',
  definition: Object.freeze({ id: 'shelf', async connect() { throw new Error(\`There is no shelf \${answer}.\`); } }),
});
`,
  'src/answer.ts': 'export const answer: number = 42;\n',
  'README.md': '# Shelf\n',
  LICENSE: 'MIT\n',
};

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A folder with a project and a place for keys, for one test. */
export class Author implements AsyncDisposable {
  readonly folder: string;
  readonly stored = new Map<string, string>();
  env: NodeJS.ProcessEnv;

  static async create(files: Readonly<Record<string, unknown>> = goodProject): Promise<Author> {
    const author = new Author(await mkdtemp(join(tmpdir(), 'tabularium-author-')));
    await author.write(files);
    return author;
  }

  private constructor(folder: string) {
    this.folder = folder;
    this.env = { ...process.env, TABULARIUM_DRIVER_KEYS: this.keyFolder, PASSPHRASE: 'correct horse battery' };
  }

  get keyFolder(): string {
    return join(this.folder, '..', `${this.folder.split('/').at(-1) ?? ''}-keys`);
  }

  /** Writes files: text as it is, anything else as JSON. */
  async write(files: Readonly<Record<string, unknown>>): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      const file = join(this.folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
    }
  }

  /** Changes the package.json of the good project. */
  async change(packageJson: Readonly<Record<string, unknown>>): Promise<void> {
    await this.write({ 'package.json': { ...(goodProject['package.json'] as object), ...packageJson } });
  }

  /** Makes the SDK's sources importable in the project. */
  async linkSdk(): Promise<void> {
    await mkdir(join(this.folder, 'node_modules/@tabularium'), { recursive: true });
    await symlink(sdkFolder, join(this.folder, 'node_modules/@tabularium/sdk'));
  }

  /** Makes a package of the repository importable in the project. @param as - its folder in node_modules there */
  async install(name: string, as: string = name): Promise<void> {
    await mkdir(join(this.folder, 'node_modules'), { recursive: true });
    await symlink(join(sdkFolder, '../node_modules', as), join(this.folder, 'node_modules', name));
  }

  async copy(from: string): Promise<void> {
    await cp(from, this.folder, { recursive: true });
  }

  async run(
    words: readonly string[],
    options: {
      readonly input?: string;
      readonly stdin?: Terminal['stdin'];
      readonly signal?: AbortSignal;
      readonly onOutput?: (all: string) => void;
    } = {},
  ): Promise<Ran> {
    let out = '';
    let err = '';
    const collect = (add: (text: string) => void): Writable =>
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          add(chunk.toString());
          done();
        },
      });
    const system: SystemStore = {
      get: async (account) => this.stored.get(account),
      set: async (account, secret) => void this.stored.set(account, secret),
    };
    const code = await runDriverProgram({
      words,
      terminal: {
        stdin: options.stdin ?? Readable.from([options.input ?? '']),
        stdout: collect((text) => {
          out += text;
          options.onOutput?.(out);
        }),
        stderr: collect((text) => (err += text)),
      },
      env: this.env,
      folder: this.folder,
      version: '1.0.0',
      signal: options.signal ?? new AbortController().signal,
      systemStore: async () => system,
    });
    return { code, out, err };
  }

  /** Runs a command at a terminal; each line is typed when it is asked for. */
  async typing(words: readonly string[], lines: readonly string[]): Promise<Ran> {
    const rest = [...lines];
    const keyboard = Object.assign(new PassThrough(), {
      isTTY: true,
      setRawMode: (raw: boolean) => raw && keyboard.write(rest.shift() ?? ''),
    });
    return this.run(words, { stdin: keyboard as unknown as Terminal['stdin'] });
  }

  /** The answer in JSON. */
  async json(words: readonly string[], options: { readonly input?: string } = {}): Promise<Record<string, unknown>> {
    const { out } = await this.run([...words, '--json'], options);
    return JSON.parse(out) as Record<string, unknown>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
    await rm(this.keyFolder, { recursive: true, force: true });
  }
}
