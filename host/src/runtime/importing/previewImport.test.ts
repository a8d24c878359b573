import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DriverError } from '@tabularium/sdk';
import type { ImportFacet, TableDescription } from '@tabularium/sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ImportField, RowImportPreview } from '../../common/imports.ts';
import { silentLogger } from '../storage/logger.ts';
import { BOOKS, FakeWork, never } from '../work.test-helper.ts';
import { ImportJournal } from './importJournal.ts';
import { Imports } from './imports.ts';
import { Uploads } from './uploads.ts';

let folder: string;
let work: FakeWork;
let imports: Imports;

/** Takes no column that is called `ctid`, and no driver's check: the table isn't there yet. */
const facet: ImportFacet = {
  form: () => Promise.reject(new DriverError('NOT_FOUND')),
  check: async () => [],
  splice: async () => undefined,
  judge: () => [],
  async *write() {},
  tables: {
    propose: async (_table, rows) => {
      if (rows.some((row) => row.includes('"broken"'))) throw new DriverError('CONNECTION_LOST');
      if (rows.some((row) => row.includes('"ctid"')))
        throw new DriverError('INVALID_INPUT', '“ctid” is a name of the system.', { details: { field: 'ctid' } });
      return `columns of ${rows.length} rows`;
    },
    plan: () => Promise.reject(new DriverError('UNSUPPORTED')),
    create: () => Promise.reject(new DriverError('UNSUPPORTED')),
  },
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-preview-'));
  await mkdir(join(folder, 'home'));
  work = new FakeWork();
  work.session.import = facet;
  const uploads = new Uploads(join(folder, 'home'));
  const journal = new ImportJournal(work.database.connection, silentLogger);
  imports = new Imports(work.sessions, journal, uploads, () => undefined, silentLogger, join(folder, 'home'));
});
afterEach(async () => {
  await imports[Symbol.asyncDispose]();
  await work[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function preview(name: string, content: string, mapping?: ImportField[]): Promise<RowImportPreview> {
  const path = join(folder, name);
  await writeFile(path, content);
  return imports.preview(
    {
      connectionId: work.connectionId,
      table: BOOKS,
      create: true,
      source: { is: 'file', path },
      ...(mapping === undefined ? {} : { mapping }),
    },
    never,
  );
}

it('shows the columns also where no table can be made of them, so that one can be renamed or left out', async () => {
  const rows = 'id,ctid\n1,2\n';
  const found = await preview('a.csv', rows);
  expect(found.definition).toBeUndefined();
  expect(found.definitionProblem).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'ctid' } });
  expect(found.fields.map(({ source }) => source)).toEqual(['id', 'ctid']);
  expect(found.rows).toHaveLength(1);

  for (const target of ['other', null]) {
    const changed = await preview('a.csv', rows, [
      { source: 'id', target: 'id', type: 'text' },
      { source: 'ctid', target, type: 'text' },
    ]);
    expect(changed.definition).toBe('columns of 1 rows');
    expect(changed.definitionProblem).toBeUndefined();
  }
});

it('fails where the server is the reason', async () => {
  await expect(preview('a.csv', 'broken\n1\n')).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
});

it('says which lines aren’t JSON, where no table is there to check them', async () => {
  const found = await preview('a.jsonl', '{"id":1}\n{bad\n[1]\n"x"\n{"id":2}\n');
  expect(found.rows.map(({ problem }) => problem?.message)).toEqual([
    undefined,
    ...Array.from({ length: 3 }, () => 'The row isn’t a JSON object.'),
    undefined,
  ]);
});

it('proposes to leave out what the database computes, such as in an export of the same table', async () => {
  work.session.import = {
    ...facet,
    form: async () => ({
      modes: [{ id: 'create', label: '', help: '', effect: 'write', text: '', repeated: 'reported' }],
      language: 'sql',
      key: [],
    }),
  };
  const columns = [
    { name: 'twice', kind: 'integer', generated: { kind: 'stored' } },
    { name: 'id', kind: 'integer', generated: { kind: 'identityAlways' } },
    { name: 'title', kind: 'text' },
  ];
  work.session.describeTable = async (ref) => ({ ref, columns }) as unknown as TableDescription;
  const path = join(folder, 'own.csv');
  await writeFile(path, 'twice,id,title\n2,1,a\n');
  const found = await imports.preview(
    { connectionId: work.connectionId, table: BOOKS, create: false, source: { is: 'file', path } },
    never,
  );
  expect(found.suggested?.map(({ source, target }) => [source, target])).toEqual([
    ['twice', null],
    ['id', 'id'],
    ['title', 'title'],
  ]);
});
