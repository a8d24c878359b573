import type { Cell, RowChange, RowKey, TableDescription } from '@tabularium/sdk';
import { encodeBatch } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SaveEvent } from '../../common/editing.ts';
import { BOOKS, BOOKS_DESCRIPTION, FakeWork, collect, never, update } from '../work.test-helper.ts';
import { EditStore } from './editStore.ts';
import { Editing } from './editing.ts';

const OLD = 'books_1, created 2026-11-23 07:00:00 UTC';
const NEW = 'books_2, created 2026-11-23 08:00:00 UTC';
const COLUMNS = BOOKS_DESCRIPTION.columns.map(({ name, kind }) => ({ name, kind }));

let work: FakeWork;
let editing: Editing;
/** The table behind the name. */
let identity: string | undefined;
/** The titles in it, by id. */
let titles: ReadonlyMap<string, string>;
let sent: RowChange[];

function start(): void {
  editing = new Editing({ sessions: work.sessions, connections: work.connections, store: new EditStore(work.database) });
}

function pageOf(keys: readonly RowKey[]) {
  const rows = keys.flatMap(([id]): Cell[][] => {
    const title = titles.get(String(id));
    return title === undefined ? [] : [COLUMNS.map(({ name }) => (name === 'id' ? String(id) : name === 'title' ? title : null))];
  });
  return { rowCount: rows.length, batch: encodeBatch({ columns: COLUMNS, rows }) };
}

beforeEach(() => {
  identity = OLD;
  titles = new Map([['1', 'Old title']]);
  sent = [];
  work = new FakeWork();
  work.session.describeTable = async (): Promise<TableDescription> => ({
    ...BOOKS_DESCRIPTION,
    ...(identity === undefined ? {} : { identity }),
  });
  work.session.rows = { read: async ({ keys }) => pageOf(keys) };
  work.session.edits = {
    atomicity: 'each',
    prepare: async (_table, changes) => changes.map(() => ({ ready: true, text: '', language: 'text' })),
    async *apply(_table, changes) {
      for (const [index, change] of changes.entries()) {
        sent.push(change);
        yield { index, outcome: 'saved' };
      }
    },
  };
  start();
});
afterEach(async () => {
  await editing[Symbol.asyncDispose]();
  await work[Symbol.asyncDispose]();
});

const stageAll = () =>
  editing.stage(
    work.connectionId,
    BOOKS,
    [
      update('1', 'title', 'Mine', 'Old title'),
      { kind: 'delete', row: { key: ['2'] }, seen: [] },
      { kind: 'insert', values: [{ column: 'title', value: 'New' }] },
    ],
    never,
  );
const staged = () => editing.staged(work.connectionId, BOOKS);
const save = (): Promise<SaveEvent[]> => collect(editing.save(work.connectionId, BOOKS, undefined, never));
const settleAll = (choice: 'mine' | 'theirs') =>
  editing.settle(
    work.connectionId,
    BOOKS,
    staged().rows.map(({ id, problem }) => {
      if (problem?.meanwhile === undefined) throw new Error('Nothing is to be decided.');
      return { rowId: id, choice, shown: problem.meanwhile };
    }),
    never,
  );
const elsewhere = { problem: { code: 'CONFLICT', meanwhile: { is: 'elsewhere', was: OLD, now: NEW } } };

describe('changes of a table whose name stands for another one by now', () => {
  it.each(['save', 'review'] as const)('are marked and not sent, new rows and deletions as well: %s', async (way) => {
    await stageAll();
    identity = NEW;
    if (way === 'save') expect((await save()).at(-1)).toMatchObject({ saved: 0, failed: 3 });
    else await editing.review(work.connectionId, BOOKS, undefined, never);
    expect(sent).toEqual([]);
    expect(staged().rows).toMatchObject([elsewhere, elsewhere, elsewhere]);
    expect(staged().state).toMatchObject({ meanwhile: 3, failed: 0 });
  });

  it('are marked by the next host too', async () => {
    await stageAll();
    await editing[Symbol.asyncDispose]();
    identity = NEW;
    start();
    expect((await save()).at(-1)).toMatchObject({ saved: 0, failed: 3 });
    expect(sent).toEqual([]);
  });

  it('are compared with the rows there once the person has chosen so', async () => {
    await stageAll();
    identity = NEW;
    titles = new Map([
      ['1', 'Title over there'],
      ['2', 'Another'],
    ]);
    await save();
    await settleAll('mine');
    expect(staged().state).toMatchObject({ meanwhile: 0 });
    expect((await save()).at(-1)).toMatchObject({ saved: 2, failed: 1 });
    expect(sent.map(({ kind }) => kind)).toEqual(['delete', 'insert']);
    const cells = [{ column: 'title', was: 'Old title', yours: 'Mine', now: 'Title over there' }];
    expect(staged().rows).toMatchObject([{ problem: { meanwhile: { is: 'changed', cells } } }]);
  });

  it('leave the stage where the person drops them, and undo brings them back', async () => {
    await stageAll();
    identity = NEW;
    await save();
    await settleAll('theirs');
    expect(staged().rows).toEqual([]);
    editing.undo(work.connectionId, BOOKS);
    expect(staged().rows).toHaveLength(3);
    expect((await save()).at(-1)).toMatchObject({ saved: 0, failed: 3 });
    expect(sent).toEqual([]);
  });

  it('are sent again where the name stands for the first table once more', async () => {
    await stageAll();
    identity = NEW;
    await save();
    identity = OLD;
    titles = new Map([
      ['1', 'Old title'],
      ['2', 'Another'],
    ]);
    expect((await save()).at(-1)).toMatchObject({ saved: 3, failed: 0 });
  });

  it('keep the table of the first change when they are changed again', async () => {
    await editing.stage(work.connectionId, BOOKS, [update('1', 'title', 'Mine', 'Old title')], never);
    identity = NEW;
    await work.sessions.describe(work.connectionId, BOOKS, true, { signal: never });
    await editing.stage(work.connectionId, BOOKS, [update('1', 'title', 'Mine again', 'Old title')], never);
    await save();
    expect(staged().rows).toMatchObject([elsewhere]);
  });

  it('are saved as before where the database does not say which table it is', async () => {
    identity = undefined;
    await stageAll();
    titles = new Map([
      ['1', 'Old title'],
      ['2', 'Another'],
    ]);
    expect((await save()).at(-1)).toMatchObject({ saved: 3 });
  });
});
