import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DriverError } from '@tabularium/sdk';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakeMachine } from './cli.test-helper.ts';

let machine: FakeMachine;
let folder: string;
const written: string[] = [];
let failsAfter = Infinity;
let whileWriting: () => Promise<void>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-cli-import-'));
  machine = await FakeMachine.create();
  written.length = 0;
  failsAfter = Infinity;
  whileWriting = async () => undefined;
  machine.database.tables = [{ ref: { namespace: ['attic'], name: 'hats' }, kind: 'table' }];
  machine.database.describeTable = async (ref) => ({
    ref,
    kind: 'table',
    columns: [],
    key: ['id'],
    paging: 'offset',
    readsFromEnd: false,
    notes: [],
  });
  machine.database.import = {
    form: async () => ({
      modes: [
        { id: 'create', label: 'Create', help: 'Adds.', effect: 'write', repeated: 'reported', text: 'create' },
        { id: 'upsert', label: 'Upsert', help: 'Replaces.', effect: 'destructive', repeated: 'same', text: 'upsert' },
      ],
      language: 'text',
      key: ['id'],
    }),
    check: async () => [],
    splice: async () => undefined,
    judge: () => [],
    async *write({ mode }, rows) {
      await whileWriting();
      for (const row of rows) {
        if (written.length >= failsAfter) throw new DriverError('CONNECTION_LOST', 'The server is gone.');
        if (row.includes('bad')) yield { outcome: 'rejected', message: 'A bad hat.' };
        else if (mode === 'create' && written.includes(row))
          yield { outcome: 'rejected', message: 'There already.', present: true };
        else {
          written.push(row);
          yield { outcome: 'written' };
        }
      }
    },
  };
  await machine.run(['connections', 'add', '--driver', 'fixture', '--name', 'S', '--access-key-env', 'K'], { env: { K: 'k' } });
});
afterEach(async () => {
  await machine[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function words(text: string, ...more: string[]): Promise<string[]> {
  const file = join(folder, 'hats');
  await writeFile(file, text);
  return ['import', 's', 'hats', '--file', file, ...more];
}

it('writes the rows of a file and says how many', async () => {
  const answer = await machine.json(await words('id,size\na,57\nb,9007199254740993\n'));
  expect(answer).toEqual({ read: 2, written: 2, rejected: 0 });
  expect(written).toEqual(['{"id":"a","size":57}', '{"id":"b","size":9007199254740993}']);
});

it('maps columns, leaves them out, and takes the mode', async () => {
  const text = await words('id;size;note\na;57;x\n', '--map', 'size=width:text', '--map', 'note=', '--mode', 'upsert');
  expect((await machine.run(text)).code).toBe(0);
  expect(written).toEqual(['{"id":"a","width":"57"}']);
  const { code, err } = await machine.run(await words('{}', '--mode', 'burn'));
  expect([code, err]).toEqual([1, expect.stringContaining('create, upsert')]);
  expect((await machine.run(await words('{}', '--map', 'size'))).err).toContain('SOURCE=TARGET');
});

it('names rejected rows with their lines, writes them to a file for their owner, and ends with 1', async () => {
  const rejected = join(folder, 'rejected.jsonl');
  const { code, err, out } = await machine.run(await words('{"id":"a"}\n{"id":"bad"}\n', '--rejected', rejected));
  expect([code, err, out]).toEqual([1, expect.stringContaining('line 2: A bad hat.'), expect.stringContaining('1 rejected')]);
  expect(await readFile(rejected, 'utf8')).toBe('{"line":2,"reason":"A bad hat.","row":{"id":"bad"}}\n');
  expect((await stat(rejected)).mode & 0o777).toBe(0o600);
  expect((await machine.run(await words('{"id":"c"}', '--rejected', rejected))).err).toContain('exists already');
});

it('writes no row where the file of rejected rows cannot be created', async () => {
  const missing = join(folder, 'missing', 'rejected.jsonl');
  const refused = await machine.run(await words('{"id":"a"}\n{"id":"bad"}\n', '--rejected', missing));
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(`${missing} cannot be written`)]);
  const inside = join(machine.home, 'rejected.jsonl');
  const own = await machine.run(await words('{"id":"a"}\n{"id":"bad"}\n', '--rejected', inside));
  expect([own.code, own.err]).toEqual([1, expect.stringContaining('data directory')]);
  expect(written).toEqual([]);
});

it('says what was written, and where the rejected rows are, where their file cannot be written afterwards', async () => {
  const output = join(folder, 'output');
  await mkdir(output);
  whileWriting = () => rm(output, { recursive: true, force: true });
  const rejected = join(output, 'rejected.jsonl');
  const text = await words('{"id":"a"}\n{"id":"bad"}\n', '--rejected', rejected, '--json');
  const { code, out, err } = await machine.run(text);
  expect([code, JSON.parse(out)]).toEqual([1, { read: 2, written: 1, rejected: 1 }]);
  const saved = /They are in (.+)\.\n/.exec(err)?.[1] ?? '';
  expect(err).toContain(`${rejected} cannot be written`);
  expect(await readFile(saved, 'utf8')).toContain('A bad hat.');
});

it('names the rejected rows of an import that fails in the middle, and the same command with --resume writes all of them', async () => {
  failsAfter = 20_000;
  const rejected = join(folder, 'rejected.jsonl');
  // More rows than travel together: the outcomes of the first are on record.
  const text = ['{"id":"bad"}', '{"id":"a"}', ...Array.from({ length: 21_000 }, (_, id) => `{"id":${id}}`), '{"id":"bad"}'].join(
    '\n',
  );
  const command = await words(text, '--rejected', rejected);
  const { code, err } = await machine.run(command);
  expect([code, err]).toEqual([1, expect.stringContaining('line 1: A bad hat.')]);
  expect(err).toContain('20000 rows have an outcome, 19999 were written, 1 rejected.');
  const soFar = /The rejected rows so far are in (.+)\.\n/.exec(err)?.[1] ?? '';
  expect(await readFile(soFar, 'utf8')).toBe('{"line":1,"reason":"A bad hat.","row":{"id":"bad"}}\n');
  failsAfter = Infinity;
  expect((await machine.run([...command, '--resume'])).err).toContain('line 1: A bad hat.');
  expect((await readFile(rejected, 'utf8')).trim().split('\n')).toHaveLength(2);
});

it('leaves no file of rejected rows where none was rejected', async () => {
  const rejected = join(folder, 'rejected.jsonl');
  expect((await machine.run(await words('{"id":"a"}\n', '--rejected', rejected))).code).toBe(0);
  await expect(stat(rejected)).rejects.toMatchObject({ code: 'ENOENT' });
});

it('says why no table can be proposed for a file', async () => {
  const { import: facet } = machine.database;
  if (facet === undefined) throw new Error('The database takes no imports.');
  machine.database.import = { ...facet, tables: { propose: async () => '{}' } as unknown as NonNullable<typeof facet.tables> };
  const create = async (text: string): Promise<string> => (await machine.run(await words(text, '--create'))).err;
  expect(await create('id,size\na\n')).toContain('“size” is missing');
  expect(await create('id,size\n')).toContain('it has no rows');
  const vast = 'x'.repeat(9 * 1024 * 1024);
  expect(await create(`id,one,other\n1,${'y'.repeat(7 * 1024 * 1024)},${vast}\n`)).toContain('more than 8 MB');
  expect(await create(`{"id":1,"one":"${vast}"}\n`)).toContain('more than 8 MB');
});

/** The rows that a table is proposed by. */
function proposals(): { readonly rows: string[]; readonly made: string[] } {
  const seen = { rows: [] as string[], made: [] as string[] };
  const { import: facet } = machine.database;
  if (facet === undefined) throw new Error('The database takes no imports.');
  machine.database.import = {
    ...facet,
    tables: {
      namespaces: async () => [['attic']],
      propose: async (_table, rows) => {
        seen.rows.splice(0, Infinity, ...rows);
        return 'make';
      },
      plan: async () => ({ effect: 'write', consequence: 'It is made.', requests: [{ method: 'MAKE', path: 'it' }] }),
      create: async ({ name }) => void seen.made.push(name),
    },
  };
  return seen;
}

it('proposes a table with the columns that have no value, in the order of the file, and by rows of any length', async () => {
  const seen = proposals();
  expect((await machine.run([...(await words('id,empty,size\na,,\nb,,5\n', '--create'))])).code).toBe(0);
  expect(seen.rows).toEqual(['{"id":"a","empty":null,"size":null}', '{"id":"b","empty":null,"size":5}']);
  // The rows themselves say nothing of them.
  expect(written).toEqual(['{"id":"a"}', '{"id":"b","size":5}']);
  const long = 'x'.repeat(3 * 1024 * 1024);
  for (const text of [`id,text\n1,${long}\n2,short\n`, `{"id":1,"text":"${long}"}\n{"id":2,"text":"short"}\n`]) {
    written.length = 0;
    expect(await machine.run([...(await words(text, '--create'))])).toMatchObject({ code: 0, err: '' });
    expect(seen.rows[0]).toContain(long);
  }
});

it('takes whole numbers of any length for numbers, and codes for texts', async () => {
  const seen = proposals();
  await machine.run([...(await words('id,code\n9223372036854775807,007\n-123456789012345678901234567890,1\n', '--create'))]);
  expect(seen.rows).toEqual(['{"id":9223372036854775807,"code":"007"}', '{"id":-123456789012345678901234567890,"code":"1"}']);
});

it('makes no table without a name', async () => {
  const seen = proposals();
  const file = (await words('id\n1\n'))[4] ?? '';
  const { code, err } = await machine.run(['import', 's', 'attic.', '--file', file, '--create']);
  expect([code, err]).toEqual([1, expect.stringContaining('“attic.” has no name of a table behind the dot.')]);
  expect(seen.made).toEqual([]);
});

it.each([
  ['an Excel workbook', Buffer.from('PK\u0003\u0004\u0014\0\u0006\0\u0008\0\0\0[Content_Types].xml'), /spreadsheet.*CSV/su],
  [
    'an OpenDocument sheet',
    Buffer.from('PK\u0003\u0004\u0014\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
    /spreadsheet.*CSV/su,
  ],
  ['an old Excel workbook', Buffer.from('d0cf11e0a1b11ae1000000000000', 'hex'), /spreadsheet.*CSV/su],
  ['an archive', Buffer.from('PK\u0003\u0004\u0014\0\0\0rows.csv'), /ZIP archive.*Unpack/su],
  ['a compressed workbook', gzipSync(Buffer.from('PK\u0003\u0004xl/workbook.xml')), /spreadsheet.*CSV/su],
  ['a database', Buffer.from('SQLite format 3\0\u0010\0'), /SQLite database.*connection/su],
])('says of %s that it is one, and what to do', async (_name, bytes, expected) => {
  const file = join(folder, 'rows');
  await writeFile(file, bytes);
  for (const more of [[], ['--create']]) {
    const { code, err } = await machine.run(['import', 's', 'hats', '--file', file, ...more]);
    expect([code, err]).toEqual([1, expect.stringMatching(expected)]);
  }
});

it('resumes after the server was gone, without doubles', async () => {
  failsAfter = 2;
  const rows = ['a', 'b', 'c', 'd'].map((id) => `{"id":"${id}"}`).join('\n');
  const { code, err } = await machine.run(await words(rows));
  expect([code, err]).toEqual([1, expect.stringContaining('--resume')]);
  expect(err).toContain('0 rows have an outcome, 0 were written. Up to 4 more may have been written.');
  failsAfter = Infinity;
  const file = join(folder, 'hats');
  expect(await machine.json(['import', 's', 'hats', '--file', file, '--resume'])).toEqual({ read: 4, written: 4, rejected: 0 });
  expect(written).toHaveLength(4);
  expect((await machine.run(['import', 's', 'hats', '--file', file, '--resume'])).err).toContain('was interrupted');
});

it('says of a mapping which name no row has, and refuses one that a csv file does not have', async () => {
  const { code, err } = await machine.run(await words('id,size\na,1\n', '--map', 'nosuch=n'));
  expect([code, err]).toEqual([1, expect.stringContaining('no column “nosuch”')]);
  expect(written).toEqual([]);
  const later = await machine.run(await words('{"id":"a","size":1}\n', '--map', 'nosuch=n', '--map', 'size=width'));
  expect([later.code, later.err]).toEqual([0, expect.stringContaining('No row has “nosuch”')]);
});

it('says how to continue when it is given up', async () => {
  const controller = new AbortController();
  failsAfter = Infinity;
  const rows = Array.from({ length: 60_000 }, (_, index) => `{"id":"${index}"}`).join('\n');
  const asked = machine.run(await words(rows), { signal: controller.signal });
  await vi.waitFor(() => expect(written.length).toBeGreaterThan(0));
  controller.abort();
  expect((await asked).err).toContain('--resume');
});

it('leaves nothing of standard input when the reader of its answer is gone, and says that rows are missing', async () => {
  const lost = new AbortController();
  const spools = async (): Promise<string[]> =>
    (await readdir(tmpdir())).filter((name) => name.startsWith(`tabularium-import-${process.pid}-`));
  let during: string[] = [];
  whileWriting = async () => {
    during = await spools();
    lost.abort();
  };
  const asked = machine.run(['import', 's', 'hats', '--file', '-'], { input: '{"id":"a"}\n', outputLost: lost.signal });
  expect(await asked).toMatchObject({ code: 1, err: expect.stringContaining('Paused') as string });
  expect([during.length, await spools()]).toEqual([1, []]);
});
