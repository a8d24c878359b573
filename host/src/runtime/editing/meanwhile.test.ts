import { ABSENT, DriverError, decodeBatch, encodeBatch, rowKeyText } from '@tabularium/sdk';
import type { Cell, ChangeOutcome, ColumnKind, RowChange, RowKey } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SaveEvent } from '../../common/editing.ts';
import { BOOKS, BOOKS_DESCRIPTION, FakeWork, collect, never, update } from '../work.test-helper.ts';
import { sameCell } from './cellEquality.ts';
import { currentRows } from './currentRows.ts';
import { EditStore } from './editStore.ts';
import { Editing } from './editing.ts';
import { BOX_TERMS, plainManifest } from '../../common/plainManifest.test-helper.ts';

let work: FakeWork;
let editing: Editing;
/** The rows of the server by their ids. */
const books = new Map<string, Record<string, Cell>>();
const sent: RowChange[] = [];
/** Keys by call. */
let reads: RowKey[][] = [];
/** Runs between the comparison and the write. */
let between: () => void = () => undefined;
let readError: DriverError | undefined;

const COLUMNS = BOOKS_DESCRIPTION.columns.map(({ name, kind }) => ({ name, kind }));

function batchOf(keys: readonly RowKey[]) {
  const rows = keys.flatMap(([id]) => {
    const book = books.get(String(id));
    return book === undefined ? [] : [COLUMNS.map(({ name }) => (name === 'id' ? String(id) : (book[name] ?? ABSENT)))];
  });
  return { rowCount: rows.length, batch: encodeBatch({ columns: COLUMNS, rows }) };
}

function begin(atomicity: 'all' | 'each' = 'each', compares = false): void {
  work = new FakeWork();
  work.session.rows = {
    read: async ({ keys }) => {
      reads.push([...keys]);
      if (readError !== undefined) throw readError;
      return batchOf(keys);
    },
  };
  work.session.edits = {
    atomicity,
    prepare: async (_table, changes) => changes.map(() => ({ ready: true, text: '', language: 'text' })),
    async *apply(_table, changes) {
      between();
      for (const [index, change] of changes.entries()) {
        const outcome = applied(change, index, compares);
        if (outcome.outcome === 'saved') sent.push(change);
        yield outcome;
      }
    },
  };
  editing = new Editing({ sessions: work.sessions, connections: work.connections, store: new EditStore(work.database) });
}

function applied(change: RowChange, index: number, compares: boolean): ChangeOutcome {
  if (change.kind === 'insert') return { index, outcome: 'saved' };
  const id = String(change.key[0]);
  const book = books.get(id);
  const failure = { index, outcome: 'failed' as const, message: 'It is another row by now.', details: {} };
  if (book === undefined) return { ...failure, code: 'NOT_FOUND' };
  if (compares && change.expected?.some(({ column, value }) => book[column] !== value) === true)
    return { ...failure, code: 'CONFLICT' };
  if (change.kind === 'delete') books.delete(id);
  else for (const { column, value } of change.assignments) book[column] = value;
  return { index, outcome: 'saved' };
}

const stage = (...edits: Parameters<Editing['stage']>[2]) => editing.stage(work.connectionId, BOOKS, edits, never);
const staged = () => editing.staged(work.connectionId, BOOKS);
const save = (): Promise<SaveEvent[]> => collect(editing.save(work.connectionId, BOOKS, undefined, never));
const review = () => editing.review(work.connectionId, BOOKS, undefined, never);
const problemOf = (place = 0) => staged().rows[place]?.problem;
const settle = (choice: 'mine' | 'theirs', place = 0) => {
  const row = staged().rows[place];
  const shown = row?.problem?.meanwhile;
  if (row === undefined || shown === undefined) throw new Error('Nothing is to be decided.');
  return editing.settle(work.connectionId, BOOKS, [{ rowId: row.id, choice, shown }], never);
};

beforeEach(() => {
  books.clear();
  for (const id of ['1', '2', '3']) books.set(id, { title: `Title ${id}`, pages: 10, facts: '{"a":1}' });
  sent.length = 0;
  reads = [];
  between = () => undefined;
  readError = undefined;
  begin();
});
afterEach(async () => {
  await editing[Symbol.asyncDispose]();
  await work[Symbol.asyncDispose]();
});

const titleChanged = { is: 'changed', cells: [{ column: 'title', was: 'Title 1', yours: 'Mine', now: 'Theirs' }] };

describe('a row that somebody else changed', () => {
  it.each([
    ['all', 2],
    ['each', 2],
  ] as const)('in the same way is saved with the others, also where the database compares (%s)', async (atomicity, saved) => {
    await editing[Symbol.asyncDispose]();
    begin(atomicity, true);
    await stage(update('1', 'title', 'Same', 'Title 1'), update('2', 'title', 'Mine', 'Title 2'));
    books.set('1', { title: 'Same', pages: 11 });
    const reviewed = await review();
    expect(reviewed).toMatchObject([{ compared: 'yes' }, { compared: 'yes' }]);
    expect(staged().state).toMatchObject({ meanwhile: 0 });
    expect((await save()).at(-1)).toMatchObject({ saved, failed: 0 });
    expect(sent[0]).toMatchObject({ expected: [{ column: 'title', value: 'Same' }] });
    expect(books.get('1')).toEqual({ title: 'Same', pages: 11 });
    expect(staged().rows).toEqual([]);
  });

  it('and whose column is gone with the table that had it is not deleted until the person decides', async () => {
    const seen = [
      { column: 'title', value: 'Title 1' },
      { column: 'dropped', value: 'Seen' },
    ];
    await stage({ kind: 'delete', row: { key: ['1'] }, seen });
    expect((await save()).at(-1)).toMatchObject({ saved: 0, failed: 1 });
    expect(books.has('1')).toBe(true);
    expect(problemOf()?.meanwhile).toEqual({ is: 'changed', cells: [{ column: 'dropped', was: 'Seen', now: ABSENT }] });
    await settle('mine');
    expect((await save()).at(-1)).toMatchObject({ saved: 1 });
    expect(books.has('1')).toBe(false);
  });

  it('and that has a value in a new column is not deleted until the person has seen it', async () => {
    const seen = [
      { column: 'id', value: '1' },
      { column: 'title', value: 'Title 1' },
    ];
    const added = COLUMNS.filter(({ name }) => name !== 'id' && name !== 'title').map(({ name }) => name);
    books.set('1', { title: 'Title 1', pages: 10 });
    await stage({ kind: 'delete', row: { key: ['1'] }, seen, seenWhole: true });
    expect(added).toContain('pages');
    expect((await save()).at(-1)).toMatchObject({ saved: 0, failed: 1 });
    expect(problemOf()?.meanwhile).toEqual({ is: 'changed', cells: [{ column: 'pages', was: ABSENT, now: 10 }] });
    await settle('mine');
    expect((await save()).at(-1)).toMatchObject({ saved: 1 });
  });

  it('is not overwritten: it stays staged with the value that was, is and was written meanwhile', async () => {
    await stage(update('1', 'title', 'Mine', 'Title 1'), update('2', 'title', 'Mine', 'Title 2'));
    books.set('1', { title: 'Theirs', pages: 11 });
    const events = await save();
    expect(events).toMatchObject([
      { type: 'begin' },
      { type: 'outcome', rowId: '["1"]', outcome: 'failed', problem: { code: 'CONFLICT', meanwhile: titleChanged } },
      { type: 'outcome', rowId: '["2"]', outcome: 'saved' },
      { type: 'end', saved: 1, failed: 1 },
    ]);
    expect(books.get('1')).toMatchObject({ title: 'Theirs', pages: 11 });
    expect(staged()).toMatchObject({ state: { updates: 1, meanwhile: 1, failed: 0 }, rows: [{ problem: { column: 'title' } }] });
  });

  it('is overwritten after “keep mine”, and compared with what was shown', async () => {
    await stage(update('1', 'title', 'Mine', 'Title 1'));
    books.set('1', { title: 'Theirs' });
    await review();
    await settle('mine');
    expect(staged().rows).toMatchObject([{ cells: [{ value: 'Mine', original: 'Theirs' }] }]);
    expect(problemOf()).toBeUndefined();
    books.set('1', { title: 'Theirs again' });
    await save();
    expect(books.get('1')).toEqual({ title: 'Theirs again' });
    await settle('mine');
    await save();
    expect(books.get('1')).toEqual({ title: 'Mine' });
    expect(staged().rows).toEqual([]);
  });

  it('keeps their value and the rest of the row after “take theirs”, and undo asks again', async () => {
    await stage(update('1', 'title', 'Mine', 'Title 1'), update('1', 'pages', 99, 10));
    books.set('1', { title: 'Theirs', pages: 10 });
    await review();
    await settle('theirs');
    expect(staged().rows).toMatchObject([{ cells: [{ column: 'pages', value: 99 }] }]);
    editing.undo(work.connectionId, BOOKS);
    await review();
    expect(problemOf()?.meanwhile).toEqual(titleChanged);
    await settle('theirs');
    await save();
    expect(books.get('1')).toEqual({ title: 'Theirs', pages: 99 });
  });

  it('is compared by exact value: digits beyond 2^53, null, absent, nested values; not by how they are written', async () => {
    const cases: readonly [column: string, was: Cell, now: Cell, differs: boolean][] = [
      ['pages', '9007199254740993', '9007199254740992', true],
      ['pages', '9007199254740993', ['number', '9007199254740993'], false],
      ['pages', 0.1, 0.10000000000000002, true],
      ['pages', 1, 1.0, false],
      ['title', null, ABSENT, true],
      ['title', '', null, true],
      ['title', '1', 1, true],
      ['facts', '{"a":{"b":[1,2]}}', '{"a":{"b":[2,1]}}', true],
      ['facts', '{"a":1,"b":2}', '{ "b": 2, "a": 1.0 }', false],
      ['facts', '{"a":9007199254740993}', '{"a":9007199254740992}', true],
    ];
    for (const [column, was, now, differs] of cases) {
      await stage(update('1', column, column === 'pages' ? 5 : column === 'facts' ? '{"mine":1}' : 'Mine', was));
      books.set('1', { [column]: now });
      await review();
      expect([column, was, now, problemOf()?.meanwhile !== undefined]).toEqual([column, was, now, differs]);
      editing.discard(work.connectionId, BOOKS, undefined);
    }
  });

  it('asks nothing where they wrote the same value, or another column', async () => {
    await stage(update('1', 'title', 'Mine', 'Title 1'));
    books.set('1', { title: 'Mine', pages: 77 });
    await review();
    expect(problemOf()).toBeUndefined();
    await save();
    expect(books.get('1')).toEqual({ title: 'Mine', pages: 77 });
  });

  it('asks nothing once the value is back', async () => {
    await stage(update('1', 'title', 'Mine', 'Title 1'));
    books.set('1', { title: 'Theirs' });
    await review();
    books.set('1', { title: 'Title 1' });
    await review();
    expect(problemOf()).toBeUndefined();
    expect(staged().state).toMatchObject({ meanwhile: 0, failed: 0 });
  });

  it('refuses a decision about other values than those that were shown', async () => {
    await stage(update('1', 'title', 'Mine', 'Title 1'));
    books.set('1', { title: 'Theirs' });
    await review();
    const shown = problemOf()?.meanwhile;
    books.set('1', { title: 'Theirs again' });
    await review();
    if (shown === undefined) throw new Error('Nothing was shown.');
    await expect(
      editing.settle(work.connectionId, BOOKS, [{ rowId: '["1"]', choice: 'mine', shown }], never),
    ).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });
});

describe('a row that somebody else deleted', () => {
  it('is inserted again as it was seen, with what was changed, where the person says so', async () => {
    const seen = [
      { column: 'id', value: '1' },
      { column: 'title', value: 'Title 1' },
      { column: 'pages', value: 10 },
      { column: 'facts', value: ABSENT },
    ];
    await stage({ ...update('1', 'title', 'Mine', 'Title 1'), seen });
    books.delete('1');
    const events = await save();
    expect(events.at(1)).toMatchObject({ outcome: 'failed', problem: { meanwhile: { is: 'deleted' } } });
    expect(sent).toEqual([]);
    await settle('mine');
    expect(staged().rows).toMatchObject([
      {
        kind: 'insert',
        cells: [
          { column: 'id', value: '1' },
          { column: 'title', value: 'Mine' },
          { column: 'pages', value: 10 },
        ],
      },
    ]);
    editing.undo(work.connectionId, BOOKS);
    expect(staged().rows).toMatchObject([{ kind: 'update' }]);
  });

  it('leaves the stage where the person drops the change, also a deletion', async () => {
    await stage(update('1', 'title', 'Mine', 'Title 1'), { kind: 'delete', row: { key: ['2'] } });
    books.clear();
    await review();
    await settle('theirs');
    await settle('theirs');
    expect(staged().rows).toEqual([]);
  });
});

describe('a row to be deleted', () => {
  const deletion = { kind: 'delete' as const, row: { key: ['1'] }, seen: [{ column: 'title', value: 'Title 1' }] };

  it('is not deleted when somebody changed it, until the person says so', async () => {
    await stage(deletion);
    books.set('1', { title: 'Theirs' });
    await save();
    expect(books.has('1')).toBe(true);
    expect(problemOf()?.meanwhile).toEqual({ is: 'changed', cells: [{ column: 'title', was: 'Title 1', now: 'Theirs' }] });
    await settle('mine');
    await save();
    expect(books.has('1')).toBe(false);
  });

  it('stays when the person keeps it', async () => {
    await stage(deletion);
    books.set('1', { title: 'Theirs' });
    await review();
    await settle('theirs');
    expect(staged().rows).toEqual([]);
  });
});

describe('the comparison', () => {
  it('reads the rows of a batch in one call', async () => {
    for (const id of ['1', '2', '3']) await stage(update(id, 'title', 'Mine', `Title ${id}`));
    await save();
    expect(reads).toEqual([[['1'], ['2'], ['3']]]);
    expect(sent).toHaveLength(3);
  });

  it('keeps all changes back where the database makes all or none', async () => {
    begin('all');
    await stage(update('1', 'title', 'Mine', 'Title 1'), update('2', 'title', 'Mine', 'Title 2'));
    books.set('2', { title: 'Theirs' });
    const events = await save();
    expect(events.at(-1)).toMatchObject({ type: 'end', saved: 0, failed: 1, notTried: 1 });
    expect(sent).toEqual([]);
  });

  it('shows what a driver found that compares in the database, also where only the writing differs', async () => {
    begin('each', true);
    await stage(update('1', 'facts', '{"mine":1}', '{"a":1}'));
    between = () => books.set('1', { facts: '{"a": 1}' });
    await save();
    expect(problemOf()).toMatchObject({
      code: 'CONFLICT',
      meanwhile: { is: 'changed', cells: [{ was: '{"a":1}', now: '{"a": 1}' }] },
    });
    await settle('mine');
    await save();
    expect(books.get('1')).toEqual({ facts: '{"mine":1}' });
  });

  it('that fails keeps everything from being sent', async () => {
    readError = new DriverError('CONNECTION_LOST');
    await stage(update('1', 'title', 'Mine', 'Title 1'));
    expect((await save()).at(-1)).toMatchObject({ type: 'end', saved: 0, notTried: 1, error: { code: 'CONNECTION_LOST' } });
    expect(sent).toEqual([]);
    expect(await review()).toMatchObject([{ compared: 'later' }]);
  });

  it('that the database does not allow is said in the review, and does not keep changes from being sent', async () => {
    readError = new DriverError('ACCESS_REFUSED');
    await stage(update('1', 'title', 'Mine', 'Title 1'));
    expect(await review()).toMatchObject([{ compared: 'unsupported' }]);
    await save();
    expect(books.get('1')).toMatchObject({ title: 'Mine' });
  });

  it('does not ask about a row that is inserted', async () => {
    await stage({ kind: 'insert', values: [{ column: 'title', value: 'New' }] });
    expect(await review()).toMatchObject([{ compared: 'notNeeded', cells: [{ column: 'title', value: 'New' }] }]);
    expect(reads).toEqual([]);
  });
});

describe('reading rows by a filter', () => {
  const filtered = plainManifest({
    terms: BOX_TERMS,
    filtering: {
      classes: {
        id: { operators: ['in', 'equals'] },
        none: { operators: [{ operator: 'in', refused: 'It has no index.' }, 'contains'] },
      },
      caseControl: { available: false, reason: 'There is none.' },
    },
  });
  const described = (filterClass: string) => ({
    ...BOOKS_DESCRIPTION,
    columns: BOOKS_DESCRIPTION.columns.map((column) => (column.name === 'id' ? { ...column, filterClass } : column)),
  });
  const read = async (filterClass: string, atEnd: boolean) => {
    const asked: unknown[] = [];
    const session = {
      readPage: async ({ filter, limit }: { filter: unknown; limit: number }) => {
        asked.push([filter, limit]);
        return { ...batchOf([['1']]), atEnd, droppedSorts: [] };
      },
    };
    const open = { session, manifest: filtered } as unknown as Parameters<typeof currentRows>[0];
    return { asked, rows: await currentRows(open, described(filterClass), [['1'], ['9']], ['title'], never) };
  };

  it('asks for all keys of a batch in one page, and takes a row that is not there for gone', async () => {
    const { asked, rows } = await read('id', true);
    expect(asked).toEqual([[{ match: 'all', conditions: [{ column: 'id', operator: 'in', values: ['1', '9'] }] }, 20]]);
    expect(rows?.get(rowKeyText(['9']))).toBe('gone');
    const row = rows?.get(rowKeyText(['1']));
    expect(row === 'gone' ? undefined : row?.get('title')).toBe('Title 1');
  });

  it('takes a row for gone only where the page had room for it', async () => {
    const { rows } = await read('id', false);
    expect(rows?.has(rowKeyText(['9']))).toBe(false);
  });

  it('is impossible where the key cannot be filtered by', async () => {
    expect((await read('none', true)).rows).toBeUndefined();
    expect(decodeBatch(batchOf([['1']]).batch).rows).toHaveLength(1);
  });
});

describe('a member that the table does not describe', () => {
  it.each([
    ['text', 'u', '"u"'],
    ['text', 'say "no"\n', '"say \\"no\\"\\n"'],
    ['integer', 5, '5'],
    ['integer', '9007199254740993', '9007199254740993'],
    ['decimal', ['number', '1.50'], '1.5'],
    ['boolean', true, 'true'],
    ['boolean', ['text', 'yes'], '"yes"'],
    ['text', null, 'null'],
    ['json', '{"b": 1, "a": [true]}', '{"a":[true],"b":1}'],
    ['text', ['json', '[1]'], '[1]'],
  ] satisfies [ColumnKind, Cell, string][])('of %s as %j is the one that the document has', async (kind, cell, text) => {
    const columns = [...COLUMNS.filter(({ name }) => name === 'id'), { name: 'unlisted', kind }];
    const session = { rows: { read: async () => ({ rowCount: 1, batch: encodeBatch({ columns, rows: [['1', cell]] }) }) } };
    const open = { session, manifest: plainManifest({}) } as unknown as Parameters<typeof currentRows>[0];
    const row = (await currentRows(open, BOOKS_DESCRIPTION, [['1']], ['unlisted'], never))?.get(rowKeyText(['1']));
    if (row === undefined || row === 'gone') throw new Error('The row is not there.');
    expect(sameCell(row.get('unlisted') ?? ABSENT, ['json', text], 'text')).toBe(true);
  });

  it('with a member twice is the same as itself only', () => {
    const text = '{"a": 1,  "a": 2}';
    expect(sameCell(text, '{"a":1,"a":2}', 'json')).toBe(true);
    for (const other of ['{"a": 999,  "a": 2}', '{"a": 2}', '{"a": 2, "a": 1}'])
      expect(sameCell(text, other, 'json')).toBe(false);
    expect(sameCell('{"a":{"b:":1,"b:":2}}', '{"a":{"b:":3,"b:":2}}', 'json')).toBe(false);
    expect(sameCell('{"\\u0061":1, "x:y":"{:}"}', '{"x:y":"{:}","a":1}', 'json')).toBe(true);
  });
});
