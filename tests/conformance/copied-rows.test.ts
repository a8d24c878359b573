import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '@tabularium/sandbox';
import { ABSENT, NO_FILTER, decodeBatch } from '@tabularium/sdk';
import type { Session, TableDescription, TableRef } from '@tabularium/sdk';
import {
  ADMIN_KEY,
  admin,
  call,
  collect,
  open as openSearch,
  startFixture,
} from '../../drivers/search/src/fixture.test-helper.ts';
import { open as openSqlite } from '../../drivers/sqlite/src/session.test-helper.ts';
import type { Edit } from '../../host/src/common/editing.ts';
import { readClipboard } from '../../host/src/renderer/editing/clipboardTable.ts';
import { planPaste } from '../../host/src/renderer/editing/pastePlan.ts';
import type { PasteColumn } from '../../host/src/renderer/editing/pastePlan.ts';
import { documentLines } from '../../host/src/renderer/grid/commands/documentLines.ts';
import { copyFormat } from '../../host/src/renderer/grid/model/copyFormats.ts';
import { parseDocument, sameNode } from '../../host/src/renderer/grid/model/rowDocument.ts';
import { RowDocuments } from '../../host/src/renderer/grid/model/rowDocuments.ts';

// Rows that are copied as JSON and pasted as new rows: what is saved is what was copied.

const NAMES = ['constructor', 'toString', 'hasOwnProperty', 'note', 'ähnlich', '0', '10'];
const RUNS = { numRuns: 25 };

/** Saves a text that is pasted as new rows. */
async function pasted(session: Session, table: TableRef, text: string, areDocuments: boolean): Promise<void> {
  const { columns, key } = await session.describeTable(table, call);
  const writable = columns.map((column, source): PasteColumn => ({ ...column, source, isKey: key.includes(column.name) }));
  const { edits, faults } = planPaste(readClipboard(text), writable, [], writable, areDocuments);
  expect(faults).toBe(0);
  const changes = edits.map((edit: Edit) => {
    if (edit.kind !== 'insert') throw new Error('Pasting as new rows changed a row.');
    return edit;
  });
  if (session.edits === undefined) throw new Error('Rows are not edited.');
  for (const outcome of await collect(session.edits.apply(table, changes, call)))
    expect(outcome).toMatchObject({ outcome: 'saved' });
}

describe('documents of the search server', () => {
  let sandbox: Sandbox;
  let session: Session;
  const table: TableRef = { namespace: [], name: 'copied' };

  beforeAll(async () => {
    sandbox = await startFixture();
    const fields = [
      { name: 'rank', type: 'int64' },
      { name: 'place', type: 'geopoint', optional: true },
      { name: 'vec', type: 'float[]', num_dim: 3, optional: true },
      { name: 'seller', type: 'object', optional: true },
      { name: 'seller.name', type: 'string', optional: true },
      { name: 'parts', type: 'object[]', optional: true },
      { name: 'parts.size', type: 'int32[]', optional: true },
    ];
    await admin(sandbox, 'POST', '/collections', JSON.stringify({ name: 'copied', enable_nested_fields: true, fields }));
    session = await openSearch(sandbox, ADMIN_KEY);
  });
  afterAll(async () => {
    await session.close();
    await sandbox.close();
  });

  /** The document as the grid copies it. */
  async function copied(id: string): Promise<string> {
    const description: TableDescription = await session.describeTable(table, call);
    const columns = description.columns.map(({ name }) => name);
    const documents = new RowDocuments({
      columns,
      key: description.key,
      readDocuments: async (keys, signal) => {
        const read = await session.rows?.read({ table, keys, columns: description.key, documents: true }, { signal });
        if (read === undefined) throw new Error('Rows are not read by their keys.');
        return { batch: decodeBatch(read.batch), documents: read.documents };
      },
    });
    const base = columns.map((name) => (name === 'id' ? id : ABSENT));
    const rows = [{ base, staged: undefined, row: base }];
    const lines = await documentLines(rows, documents, new Map(), call.signal);
    return lines?.[0] ?? '';
  }

  const scalars = fc.constantFrom('0', '-7', '9007199254740993', '1.5', 'true', '""', '"a\\u2028\\"b"', '"1.234"');
  const values = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      scalars,
      fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
      fc
        .uniqueArray(fc.tuple(fc.constantFrom(...NAMES), tie('value')), { maxLength: 3, selector: ([name]) => name })
        .map((members) => `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`),
    ),
  })).value;
  const known = fc.record(
    {
      rank: fc.constantFrom('1', '9007199254740993', '-9223372036854775808'),
      place: fc.constant('[48.8566,2.3522]'),
      vec: fc.constant('[0.25,-1.5,3]'),
      // The server learns the types of what is inside a declared object.
      seller: fc.constantFrom('{"name":"Ann"}', '{"name":"Ann","constructor":9007199254740993}', '{"toString":"x"}'),
      parts: fc.constantFrom('[{"size":1,"deep":{"x":[7]}},{"size":2}]', '[{"size":3,"toString":"x"}]', '[]'),
    },
    { requiredKeys: ['rank'] },
  );
  const members = fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), values), { maxLength: 4, selector: ([name]) => name });

  it('are the same after they were copied, pasted, saved and read', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(known, members, async (fields, extra) => {
        count += 1;
        const all = [...Object.entries(fields), ...extra].map(([name, text]) => `${JSON.stringify(name)}:${text}`);
        await admin(sandbox, 'POST', '/collections/copied/documents', `{"id":"a${count}",${all.join(',')}}`);
        const text = await copied(`a${count}`);
        await pasted(session, table, `[${text.replace(`"a${count}"`, `"b${count}"`)}]`, true);
        const again = (await copied(`b${count}`)).replace(`"b${count}"`, `"a${count}"`);
        expect(sameNode(parseDocument(again), parseDocument(text)), `${again}\n${text}`).toBe(true);
      }),
      RUNS,
    );
  });
});

describe('rows of SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'copied-rows-'));
  const file = join(folder, 'copied.db');
  const table: TableRef = { namespace: [], name: 'copied' };
  let session: Session;

  beforeAll(async () => {
    const database = new DatabaseSync(file);
    database.exec(
      'CREATE TABLE copied (id INTEGER PRIMARY KEY, "constructor" TEXT, big INTEGER, part REAL, document JSON, data BLOB)',
    );
    database.close();
    session = await openSqlite(file);
  });
  afterAll(async () => {
    await session.close();
    rmSync(folder, { recursive: true });
  });

  async function copied(id: number): Promise<string> {
    const question = { table, filter: NO_FILTER, sorts: [], position: { from: 'start' }, limit: 1_000 } as const;
    const { columns, rows } = decodeBatch((await session.readPage(question, call)).batch);
    const writer = copyFormat('json', true);
    return writer.begin(columns) + writer.rows(rows.filter(([key]) => key === id)) + writer.end();
  }

  const rows = fc.record({
    text: fc.option(fc.string({ unit: 'grapheme', maxLength: 6 })),
    big: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
    part: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    document: fc.option(fc.constantFrom('{"b":1.50,"10":[9007199254740993],"9":null}', '[]', '"text"', '7')),
    data: fc.option(fc.uint8Array({ maxLength: 9 })),
  });

  it('are the same after they were copied, pasted, saved and read', async () => {
    let id = 0;
    await fc.assert(
      fc.asyncProperty(rows, async ({ text, big, part, document, data }) => {
        id += 2;
        const database = new DatabaseSync(file);
        const read = (which: number) => {
          const statement = database.prepare('SELECT "constructor", big, part, document, data FROM copied WHERE id = ?');
          statement.setReadBigInts(true);
          return statement.get(which);
        };
        try {
          database.prepare('INSERT INTO copied VALUES (?, ?, ?, ?, ?, ?)').run(id, text, big, part, document, data);
          await pasted(session, table, (await copied(id)).replace(`"id":${id}`, `"id":${id + 1}`), false);
          expect(read(id + 1)).toEqual(read(id));
        } finally {
          database.close();
        }
      }),
      RUNS,
    );
  });
});
