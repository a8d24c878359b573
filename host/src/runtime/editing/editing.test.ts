import type { StoppableOptions } from '../drivers/processes/stoppableOptions.ts';
import { ABSENT } from '@tabularium/sdk';
import type { ChangeOutcome, EditsFacet, RowChange } from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SaveEvent, StageEvent } from '../../common/editing.ts';
import { HostError } from '../../common/errors.ts';
import { BOOKS, BOOKS_DESCRIPTION, FakeWork, collect, never, update } from '../work.test-helper.ts';
import { EditStore } from './editStore.ts';
import { Editing } from './editing.ts';
import { CHANGES_AT_ONCE } from './saveRun.ts';

let work: FakeWork;
let editing: Editing;
const sent: RowChange[][] = [];

/** A database with a given answer for each change. */
function facet(
  answer: (change: RowChange, index: number) => ChangeOutcome | undefined | Promise<ChangeOutcome>,
  atomicity: EditsFacet['atomicity'] = 'each',
): EditsFacet {
  return {
    atomicity,
    prepare: async (_table, changes) =>
      changes.map((change) => ({ ready: true, text: JSON.stringify(change), language: 'json' })),
    async *apply(_table, changes) {
      sent.push([...changes]);
      for (const [index, change] of changes.entries()) {
        const outcome = await answer(change, index);
        if (outcome === undefined) return;
        yield outcome;
      }
    },
  };
}
const saves = (_change: RowChange, index: number): ChangeOutcome => ({ index, outcome: 'saved' });

/** The connections whose rows were reported as saved. */
const saved: string[] = [];

function open(file?: string): void {
  saved.length = 0;
  work = new FakeWork(file);
  work.session.edits = facet(saves);
  editing = new Editing({
    sessions: work.sessions,
    connections: work.connections,
    store: new EditStore(work.database),
    onSaved: (id) => saved.push(id),
  });
}

const stage = (...edits: Parameters<Editing['stage']>[2]) => editing.stage(work.connectionId, BOOKS, edits, never);
const staged = () => editing.staged(work.connectionId, BOOKS);
const save = (rowIds?: string[], signal = never): Promise<SaveEvent[]> =>
  collect(editing.save(work.connectionId, BOOKS, rowIds, signal));

beforeEach(() => {
  sent.length = 0;
  open();
});
afterEach(async () => {
  await editing[Symbol.asyncDispose]();
  await work[Symbol.asyncDispose]();
});

describe('staging', () => {
  it('merges changes of a row, and forgets one that leads back to the original', async () => {
    await stage(update('1', 'title', 'B', 'A'));
    await stage(update('1', 'pages', '9007199254740993', 12), update('1', 'title', 'C', 'B'));
    expect(staged().rows).toEqual([
      {
        id: '["1"]',
        kind: 'update',
        key: ['1'],
        cells: [
          { column: 'title', value: 'C', original: 'A' },
          { column: 'pages', value: '9007199254740993', original: 12 },
        ],
        sending: false,
      },
    ]);
    await stage(update('1', 'title', 'A', 'C'), update('1', 'pages', '12', 12));
    expect(staged().rows).toEqual([]);
  });

  it('refuses the change of a cell without its old value, except where that is staged', async () => {
    const blind = (...columns: string[]) => ({
      kind: 'update' as const,
      row: { key: ['1'] },
      cells: columns.map((column) => ({ column, value: 'Mine' })),
    });
    const refused = { code: 'INVALID_REQUEST', details: { field: 'title' } };
    await expect(stage(blind('title'))).rejects.toMatchObject(refused);
    await stage(update('1', 'title', 'B', 'A'));
    await stage(blind('title'));
    expect(staged().rows).toMatchObject([{ cells: [{ value: 'Mine', original: 'A' }] }]);
    await expect(stage(blind('title', 'pages'))).rejects.toMatchObject({ details: { field: 'pages' } });
    // Another window discards or saves the row while an editor is open on it.
    editing.discard(work.connectionId, BOOKS, undefined);
    await expect(stage(blind('title'))).rejects.toMatchObject(refused);
    editing.undo(work.connectionId, BOOKS);
    await save();
    await expect(stage(blind('title'))).rejects.toMatchObject(refused);
    expect(staged().rows).toEqual([]);
  });

  it('compares by value: white space, the order of members, and how a number is written do not count; its last digit does', async () => {
    await stage(update('1', 'facts', '{ "b": [1.0, 2], "a": 1e2 }', '{"a":100,"b":[1,2]}'));
    expect(staged().rows).toEqual([]);
    await stage(update('1', 'facts', '{"a":9007199254740993}', '{"a":9007199254740992}'));
    expect(staged().state.updates).toBe(1);
    await stage(update('2', 'title', '', null), update('3', 'title', null, ABSENT), update('4', 'title', 'x', ABSENT));
    expect(staged().state.updates).toBe(4);
  });

  it('inserts, changes and deletes inserted rows; a deletion takes the place of changes', async () => {
    const { rows } = await stage({ kind: 'insert', values: [{ column: 'id', value: '7' }] });
    const inserted = { inserted: String(rows[0]?.id) };
    await stage({
      kind: 'update',
      row: inserted,
      cells: [
        { column: 'title', value: 'T' },
        { column: 'id', value: ABSENT },
      ],
    });
    expect(staged().rows[0]).toMatchObject({ kind: 'insert', cells: [{ column: 'title', value: 'T' }] });
    await stage({ kind: 'delete', row: inserted });
    expect(staged().rows).toEqual([]);
    await expect(stage({ kind: 'delete', row: inserted })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });

    await stage(update('1', 'title', 'B', 'A'));
    await stage({ kind: 'delete', row: { key: ['1'] } });
    expect(staged().rows).toMatchObject([{ kind: 'delete', key: ['1'], cells: [] }]);
    await expect(stage(update('1', 'title', 'C', 'A'))).rejects.toMatchObject({ code: 'NOT_EDITABLE' });
  });

  it('undoes and redoes step by step, and a new step ends what could be redone', async () => {
    await stage(update('1', 'title', 'B', 'A'));
    await stage({ kind: 'delete', row: { key: ['1'] } }, { kind: 'delete', row: { key: ['2'] } });
    expect(editing.undo(work.connectionId, BOOKS)).toMatchObject({ gone: ['["2"]'], rows: [{ kind: 'update' }] });
    editing.undo(work.connectionId, BOOKS);
    expect(staged()).toMatchObject({ rows: [], state: { canUndo: false, canRedo: true } });
    editing.redo(work.connectionId, BOOKS);
    expect(staged().rows).toMatchObject([{ kind: 'update', cells: [{ value: 'B', original: 'A' }] }]);
    await stage(update('3', 'title', 'x', 'y'));
    expect(staged().state).toMatchObject({ canRedo: false, updates: 2 });
    expect(() => editing.redo(work.connectionId, BOOKS)).toThrow('nothing to redo');
    editing.discard(work.connectionId, BOOKS, undefined);
    expect(staged().rows).toEqual([]);
    editing.undo(work.connectionId, BOOKS);
    expect(staged().state.updates).toBe(2);
  });

  it('stages all edits of a call or none', async () => {
    await expect(stage(update('1', 'title', 'B', 'A'), update('1', 'id', '2', '1'))).rejects.toMatchObject({
      code: 'NOT_EDITABLE',
      details: { field: 'id' },
    });
    await stage({ kind: 'delete', row: { key: ['1'] } });
    await expect(stage(update('2', 'title', 'B', 'A'), update('1', 'title', 'B', 'A'))).rejects.toMatchObject({
      code: 'NOT_EDITABLE',
    });
    expect(staged().state).toMatchObject({ updates: 0, deletes: 1 });
  });

  it.each([
    ['a view', { ...BOOKS_DESCRIPTION, kind: 'view' as const }, true, 'is a view'],
    ['a table without a key', { ...BOOKS_DESCRIPTION, key: [] }, true, 'has no key'],
    ['a driver that does not edit', BOOKS_DESCRIPTION, false, 'does not edit things'],
  ])('refuses %s with the reason', async (_what, description, edits, reason) => {
    work.description = description;
    if (!edits) work.session.edits = undefined;
    await expect(stage(update('1', 'title', 'B', 'A'))).rejects.toMatchObject({ code: 'NOT_EDITABLE' });
    const ability = await editing.ability(work.connectionId, BOOKS, never);
    expect(ability).toMatchObject({ allowed: false, reason: expect.stringContaining(reason) as string });
  });

  it('notifies every window of changes, and keeps tables apart', async () => {
    const stop = new AbortController();
    const seen: StageEvent[] = [];
    const arrived = Promise.withResolvers<void>();
    const watching = (async () => {
      for await (const event of editing.watch(work.connectionId, BOOKS, stop.signal)) {
        seen.push(event);
        if (event.rows.length > 0) arrived.resolve();
      }
    })();
    await stage(update('1', 'title', 'B', 'A'));
    await editing.stage(work.connectionId, { namespace: ['x'], name: 'books' }, [update('1', 'title', 'B', 'A')], never);
    await arrived.promise;
    stop.abort();
    await watching;
    expect(seen.flatMap(({ rows }) => rows)).toMatchObject([{ id: '["1"]' }]);
    expect(editing.tables(undefined).map(({ table }) => table.namespace)).toEqual([['x'], []].toSorted());
  });

  it('goes with its connection', async () => {
    await stage(update('1', 'title', 'B', 'A'));
    work.connections.remove(work.connectionId);
    expect(() => staged()).toThrow('no connection');
    expect(editing.tables(undefined)).toEqual([]);
    expect(work.database.connection.prepare('SELECT count(*) AS n FROM edit_steps').get()).toEqual({ n: 0 });
  });
});

describe('the review', () => {
  it('shows what each change will send, and sends nothing', async () => {
    await stage(update('1', 'title', 'B', 'A'), { kind: 'insert', values: [] });
    const review = await editing.review(work.connectionId, BOOKS, undefined, never);
    expect(review.map(({ kind, prepared }) => [kind, prepared.ready])).toEqual([
      ['update', true],
      ['insert', true],
    ]);
    expect(sent).toEqual([]);
  });

  it('notifies followers after rows were saved, and only then', async () => {
    await save();
    expect(saved).toEqual([]);
    await stage(update('1', 'title', 'B', 'A'));
    await save();
    expect(saved).toEqual([work.connectionId]);
  });
});

describe('saving', () => {
  it('takes what was saved off the stage, marks what failed, and leaves what was not tried', async () => {
    work.session.edits = facet((change, index) => {
      const key = change.kind === 'insert' ? undefined : change.key[0];
      if (key === '1') return { index, outcome: 'saved', key: ['1'] };
      if (key === '2') {
        return {
          index,
          outcome: 'failed',
          code: 'CONFLICT',
          message: 'Somebody was faster.',
          details: { status: '409' },
          column: 'title',
        };
      }
      return key === '3' ? { index, outcome: 'unknown', message: 'The answer was lost.' } : undefined;
    });
    await stage(...['1', '2', '3', '4'].map((id) => update(id, 'title', 'B', 'A')));
    const events = await save();
    expect(events.map((event) => (event.type === 'outcome' ? event.outcome : event.type))).toEqual([
      'begin',
      'saved',
      'failed',
      'unknown',
      'end',
    ]);
    expect(events.at(-1)).toEqual({ type: 'end', saved: 1, failed: 1, unknown: 1, notTried: 1 });
    expect(staged()).toMatchObject({
      state: { updates: 3, failed: 1, unknown: 1, saving: false },
      rows: [
        {
          key: ['2'],
          problem: { outcome: 'failed', message: 'Somebody was faster.', column: 'title', details: { status: '409' } },
        },
        { key: ['3'], problem: { outcome: 'unknown' } },
        { key: ['4'], sending: false },
      ],
    });
    expect(staged().rows[2]?.problem).toBeUndefined();

    // A change that may have been made isn't sent again automatically; a row that is edited again is no longer the failed one.
    sent.length = 0;
    work.session.edits = facet(saves);
    await work.sessions.close(work.connectionId);
    await stage(update('2', 'title', 'C', 'A'));
    expect(staged().rows[0]?.problem).toBeUndefined();
    await save();
    expect(sent.flat().map((change) => change.kind === 'update' && change.key[0])).toEqual(['2', '4']);
    await save(['["3"]']);
    expect(staged().rows).toEqual([]);
  });

  it('lets undo forget what was saved, and nothing else', async () => {
    work.session.edits = facet((change, index) =>
      change.kind === 'update' && change.key[0] === '1'
        ? { index, outcome: 'saved' }
        : { index, outcome: 'failed', code: 'CONFLICT', message: 'No.', details: {} },
    );
    await stage(update('1', 'title', 'B', 'A'), update('2', 'title', 'B', 'A'));
    await stage(update('1', 'title', 'C', 'A'));
    await save();
    editing.undo(work.connectionId, BOOKS);
    expect(staged()).toMatchObject({ rows: [], state: { canUndo: false } });
  });

  it('brings nothing back by undo after a save that was discarded or undone before it', async () => {
    work.session.edits = facet((change, index) =>
      change.kind === 'update' && change.key[0] === '9'
        ? { index, outcome: 'failed', code: 'CONFLICT', message: 'No.', details: {} }
        : { index, outcome: 'saved' },
    );
    await stage(update('1', 'title', 'B', 'A'), update('9', 'title', 'old', 'A'));
    editing.discard(work.connectionId, BOOKS, undefined);
    await stage(update('2', 'title', 'B', 'A'));
    await stage(update('3', 'title', 'B', 'A'));
    editing.undo(work.connectionId, BOOKS);
    await stage(update('4', 'title', 'B', 'A'));
    editing.discard(work.connectionId, BOOKS, ['["4"]']);
    await stage(update('9', 'title', 'new', 'A'));
    await save();
    expect(staged()).toMatchObject({ rows: [{ key: ['9'] }], state: { canUndo: true, canRedo: false } });
    editing.undo(work.connectionId, BOOKS);
    expect(staged()).toMatchObject({ rows: [], state: { canUndo: false, canRedo: true } });
  });

  it('brings back by undo all that was discarded, with the steps before it, until the next change', async () => {
    await stage(update('1', 'title', 'B', 'A'));
    await stage(update('2', 'title', 'B', 'A'));
    editing.discard(work.connectionId, BOOKS, undefined);
    editing.undo(work.connectionId, BOOKS);
    editing.undo(work.connectionId, BOOKS);
    expect(staged().rows).toMatchObject([{ key: ['1'] }]);
    editing.redo(work.connectionId, BOOKS);
    editing.redo(work.connectionId, BOOKS);
    expect(staged()).toMatchObject({ rows: [], state: { canUndo: true, canRedo: false } });
    await stage(update('3', 'title', 'B', 'A'));
    editing.undo(work.connectionId, BOOKS);
    expect(staged()).toMatchObject({ rows: [], state: { canUndo: false } });
  });

  it('marks at most one call as of unknown outcome when the driver dies', async () => {
    work.session.edits = facet((_change, index) => {
      if (sent.length === 1 || index < 3) return { index, outcome: 'saved' };
      throw new DriverError('DRIVER_CRASHED');
    });
    const ids = Array.from({ length: 3 * CHANGES_AT_ONCE }, (_, index) => String(index));
    await stage(...ids.map((id) => update(id, 'title', 'B', 'A')));
    expect((await save()).at(-1)).toMatchObject({
      type: 'end',
      saved: CHANGES_AT_ONCE + 3,
      unknown: CHANGES_AT_ONCE - 3,
      notTried: CHANGES_AT_ONCE,
      error: { code: 'DRIVER_CRASHED' },
    });
    expect(sent).toHaveLength(2);
  });

  it('leaves everything staged when the driver refuses before it sends', async () => {
    work.session.edits = facet(() => {
      throw new DriverError('NOT_FOUND', 'There is no such box.');
    });
    await stage(update('1', 'title', 'B', 'A'));
    expect((await save()).at(-1)).toMatchObject({ saved: 0, unknown: 0, notTried: 1, error: { code: 'NOT_FOUND' } });
    expect(staged().rows).toMatchObject([{ sending: false }]);
  });

  it('leaves the rest staged, and nothing of it uncertain, when read-only mode is turned on meanwhile', async () => {
    let isReadOnly = false;
    const edits = facet((_change, index) => {
      isReadOnly = true;
      return { index, outcome: 'saved' };
    });
    work.session.edits = {
      ...edits,
      // As the wall of read-only mode around a session does.
      async *apply(...args) {
        if (isReadOnly) throw new HostError('CONNECTION_READ_ONLY');
        yield* edits.apply(...args);
      },
    };
    await stage(...Array.from({ length: CHANGES_AT_ONCE + 5 }, (_, index) => update(String(index), 'title', 'B', 'A')));
    const end = { type: 'end', saved: CHANGES_AT_ONCE, unknown: 0, notTried: 5, error: { code: 'CONNECTION_READ_ONLY' } };
    expect((await save()).at(-1)).toMatchObject(end);
    expect(sent).toHaveLength(1);
    expect(staged().rows.map(({ sending, problem }) => ({ sending, problem }))).toEqual(
      Array.from({ length: 5 }, () => ({ sending: false, problem: undefined })),
    );
  });

  it('sends all changes in one call where it is all or none', async () => {
    work.session.edits = facet(saves, 'all');
    await stage(...Array.from({ length: 50 }, (_, index) => update(String(index), 'title', 'B', 'A')));
    await save();
    expect(sent.map(({ length }) => length)).toEqual([50]);
  });

  it('lets nothing be staged meanwhile, and ends between two calls when it is cancelled', async () => {
    const cancel = new AbortController();
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    work.session.edits = facet(async (_change, index) => {
      reached.resolve();
      await goOn.promise;
      return { index, outcome: 'saved' };
    });
    await stage(...Array.from({ length: CHANGES_AT_ONCE + 5 }, (_, index) => update(String(index), 'title', 'B', 'A')));
    const saving = save(undefined, cancel.signal);
    await reached.promise;
    await expect(stage(update('x', 'title', 'B', 'A'))).rejects.toMatchObject({ code: 'SAVE_RUNNING' });
    expect(() => editing.undo(work.connectionId, BOOKS)).toThrow('being saved');
    cancel.abort();
    goOn.resolve();
    expect((await saving).at(-1)).toMatchObject({ saved: CHANGES_AT_ONCE, notTried: 5, error: { code: 'CANCELLED' } });
    expect(staged().state).toMatchObject({ updates: 5, saving: false });
  });

  it('ends between two calls when another call cancels it, and its stream still says what was saved', async () => {
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    work.session.edits = facet(async (_change, index) => {
      reached.resolve();
      await goOn.promise;
      return { index, outcome: 'saved' };
    });
    await stage(...Array.from({ length: CHANGES_AT_ONCE + 5 }, (_, index) => update(String(index), 'title', 'B', 'A')));
    const saving = save();
    await reached.promise;
    expect(editing.cancelSave(work.connectionId, BOOKS)).toMatchObject({ saving: true });
    goOn.resolve();
    expect((await saving).at(-1)).toMatchObject({ saved: CHANGES_AT_ONCE, notTried: 5, error: { code: 'CANCELLED' } });
    expect(editing.cancelSave(work.connectionId, BOOKS)).toMatchObject({ updates: 5, saving: false });
  });

  it.each([
    ['a window that is gone leaves the running call alone', 'gone', { saved: 1, unknown: 0 }],
    ['a cancel breaks it off after a while, and its outcome is unknown', 'cancelled', { saved: 0, unknown: 1 }],
  ] as const)('waits for a slow server: %s', async (_title, why, outcome) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const gone = new AbortController();
      const reached = Promise.withResolvers<void>();
      const answers = Promise.withResolvers<void>();
      work.session.edits = facet(async (_change, index) => {
        reached.resolve();
        await answers.promise;
        return { index, outcome: 'saved' };
      });
      await stage(update('1', 'title', 'B', 'A'));
      const saving = save(undefined, gone.signal);
      await reached.promise;
      if (why === 'gone') gone.abort();
      else editing.cancelSave(work.connectionId, BOOKS);
      await vi.advanceTimersByTimeAsync(60_000);
      answers.resolve();
      expect((await saving).at(-1)).toMatchObject(outcome);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is not made where the driver says so, which is asked to stop at once where it makes all or nothing', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const reached = Promise.withResolvers<void>();
      work.session.edits = {
        ...facet((_change, index) => ({ index, outcome: 'saved' })),
        atomicity: 'all',
        async *apply(_table, _changes, { stop }: StoppableOptions): AsyncGenerator<ChangeOutcome> {
          reached.resolve();
          // It waits for a lock, and rolls back after that.
          await new Promise((resolve) => stop?.addEventListener('abort', resolve));
          yield* [];
        },
      };
      await stage(update('1', 'title', 'B', 'A'), update('2', 'title', 'B', 'A'));
      const saving = save();
      await reached.promise;
      editing.cancelSave(work.connectionId, BOOKS);
      await vi.advanceTimersByTimeAsync(1);
      expect((await saving).at(-1)).toMatchObject({ saved: 0, unknown: 0, notTried: 2, error: { code: 'CANCELLED' } });
    } finally {
      vi.useRealTimers();
    }
  });

  it('rejects a driver that reports a change twice', async () => {
    work.session.edits = facet(() => ({ index: 0, outcome: 'saved' }));
    await stage(update('1', 'title', 'B', 'A'), update('2', 'title', 'B', 'A'));
    expect((await save()).at(-1)).toMatchObject({ saved: 1, unknown: 1, error: { code: 'DRIVER_FAULT' } });
  });
});

describe('the journal', () => {
  it('restores staged changes, their problems and steps, and which change was in progress', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tabularium-editing-'));
    const answered = Promise.withResolvers<ChangeOutcome>();
    try {
      await work[Symbol.asyncDispose]();
      open(join(folder, 'home.db'));
      const { connectionId } = work;
      await stage(update('1', 'title', 'B', 'A'), update('2', 'pages', '18446744073709551615', 1));
      await stage({ kind: 'insert', values: [{ column: 'title', value: ['number', '1'] }] });
      work.session.edits = facet((_change, index) =>
        index === 0 ? { index, outcome: 'unknown', message: 'Lost.' } : answered.promise,
      );
      await work.sessions.close(connectionId);
      const events = editing.save(connectionId, BOOKS, ['["1"]', '["2"]'], never)[Symbol.asyncIterator]();
      await events.next();
      await events.next();
      const before = staged().rows;

      // Another host opens what the first one would leave if it was killed in the middle of a save. The file itself is the first one's alone.
      for (const suffix of ['', '-wal']) await copyFile(join(folder, `home.db${suffix}`), join(folder, `left.db${suffix}`));
      const second = new FakeWork(join(folder, 'left.db'));
      const after = new Editing({
        sessions: second.sessions,
        connections: second.connections,
        store: new EditStore(second.database),
      });
      const found = after.staged(connectionId, BOOKS);
      expect(found.rows.map(({ problem: _problem, sending: _sending, ...row }) => row)).toEqual(
        before.map(({ problem: _problem, sending: _sending, ...row }) => row),
      );
      expect(found.rows.map(({ problem, sending }) => [problem?.outcome, sending])).toEqual([
        ['unknown', false],
        ['unknown', false],
        [undefined, false],
      ]);
      expect(found.rows[1]?.problem?.message).toContain('Tabularium stopped while');
      after.undo(connectionId, BOOKS);
      after.undo(connectionId, BOOKS);
      expect(after.staged(connectionId, BOOKS).rows).toEqual([]);
      await second[Symbol.asyncDispose]();
    } finally {
      answered.resolve({ index: 1, outcome: 'saved' });
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('the tables with staged changes', () => {
  it('are sent at once and when a count changes, and no more after the signal', async () => {
    const stop = new AbortController();
    const watched = editing.watchTables(stop.signal);
    expect((await watched.next()).value).toEqual([]);
    await stage(update('1', 'title', 'B', 'A'));
    expect((await watched.next()).value).toMatchObject([
      { connectionId: work.connectionId, table: BOOKS, state: { updates: 1 } },
    ]);
    const next = watched.next();
    editing.discard(work.connectionId, BOOKS, undefined);
    expect((await next).value).toEqual([]);
    const last = watched.next();
    stop.abort();
    expect((await last).done).toBe(true);
  });
});
