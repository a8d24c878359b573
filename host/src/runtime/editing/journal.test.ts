import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { Edit, StagedTable } from '../../common/editing.ts';
import { HostError } from '../../common/errors.ts';
import { BOOKS, BOOKS_DESCRIPTION, FakeWork } from '../work.test-helper.ts';
import { EditStore } from './editStore.ts';
import type { EditedTableRef } from './editStore.ts';
import { TableStage } from './tableStage.ts';

let work: FakeWork;
beforeEach(() => {
  work = new FakeWork();
});
afterEach(() => work[Symbol.asyncDispose]());

/** Choices as fast-check makes them, so that a failure comes back small. */
function choices(numbers: readonly number[]): (below: number) => number {
  let next = 0;
  return (below) => {
    next += 1;
    return (numbers[next % numbers.length] ?? 0) % below;
  };
}

const kindOf = (name: string) => BOOKS_DESCRIPTION.columns.find((column) => column.name === name)?.kind ?? 'text';
const originals = { title: 'A', pages: 12, facts: '{"a":[1]}' } as const;
const values = {
  title: ['A', 'B', '', null],
  pages: [12, '9007199254740993', null],
  facts: ['{"a":[1]}', '{ "a": [1] }', '{}'],
} as const;

function randomEdit(random: (below: number) => number, staged: StagedTable): Edit {
  const inserted = staged.rows.filter(({ kind }) => kind === 'insert');
  const one = inserted[random(Math.max(1, inserted.length))];
  const row = one !== undefined && random(3) === 0 ? { inserted: one.id } : { key: [String(random(5))] };
  const column = (['title', 'pages', 'facts'] as const)[random(3)] ?? 'title';
  const value = values[column][random(values[column].length)] ?? null;
  switch (random(6)) {
    case 0:
      return { kind: 'insert', values: [{ column, value }] };
    case 1:
      return { kind: 'delete', row };
    default:
      return { kind: 'update', row, cells: [{ column, value, original: originals[column] }] };
  }
}

/** The stage as a person sees it, without the problems of saving, which undo does not bring back. */
const seen = (stage: TableStage): unknown => stage.all().rows.map(({ problem: _problem, ...row }) => row);

function attempt(step: () => unknown): void {
  try {
    step();
  } catch (error) {
    expect(error).toMatchObject({ name: 'HostError' });
  }
}

function takeStep(stage: TableStage, ref: EditedTableRef, random: (below: number) => number): void {
  const choice = random(12);
  const [first] = stage.ordered();
  if (choice === 0) attempt(() => stage.undo());
  else if (choice === 1) attempt(() => stage.redo());
  else if (choice === 2 && random(4) === 0) stage.discard(undefined);
  else if (choice === 3 && first !== undefined) {
    const kind = random(3);
    if (kind < 2) {
      stage.beginSave();
      stage.saved(first.content.id);
      // A host that dies here leaves the end of the save to the next one.
      if (kind === 1) new TableStage(ref, new EditStore(work.database));
      stage.endSave();
    } else stage.notSaved([first.content.id], { outcome: 'failed', message: 'No.' });
  } else
    attempt(() =>
      stage.stage(
        Array.from({ length: 1 + random(3) }, () => randomEdit(random, stage.all())),
        { kindOf, tableIdentity: random(2) === 0 ? undefined : 'books, made today' },
      ),
    );
}

function walk(numbers: readonly number[]): void {
  const random = choices(numbers);
  work.database.connection.exec('DELETE FROM edit_rows; DELETE FROM edit_steps');
  const store = new EditStore(work.database);
  const ref = { connectionId: work.connectionId, table: BOOKS };
  const stage = new TableStage(ref, store);
  for (let step = 0; step < 60; step += 1) {
    takeStep(stage, ref, random);
    const read = new TableStage(ref, store);
    expect(read.all().rows).toEqual(stage.all().rows);
    expect([read.state.canUndo, read.state.canRedo]).toEqual([stage.state.canUndo, stage.state.canRedo]);
    for (const { kind, cells } of stage.all().rows) expect(kind === 'update' ? cells.length : 1).toBeGreaterThan(0);
  }
  while (stage.state.canRedo) stage.redo();
  const end = seen(stage);
  let steps = 0;
  for (; stage.state.canUndo; steps += 1) stage.undo();
  for (let back = 0; back < steps; back += 1) stage.redo();
  expect(seen(stage)).toEqual(end);
}

it('after every step the journal has what is staged, and undo and redo lead back and forth', () => {
  const numbers = fc.array(fc.nat({ max: 1_000_000 }), { minLength: 150, maxLength: 400 });
  fc.assert(fc.property(numbers, walk), { numRuns: 25 });
});

it('what became of a change that was sent is seen where the journal cannot be written, and is in the journal once it can be', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const ref = { connectionId: work.connectionId, table: BOOKS };
  const walkOnFullDisks = (numbers: readonly number[]): void => {
    const random = choices(numbers);
    work.database.connection.exec('DELETE FROM edit_rows; DELETE FROM edit_steps');
    const store = new EditStore(work.database);
    const write = store.write.bind(store);
    let isFull = false;
    store.write = (...entry) => {
      if (isFull) throw new HostError('DISK_FULL');
      write(...entry);
    };
    const stage = new TableStage(ref, store);
    const edits = Array.from({ length: 6 }, (_, index): Edit => ({
      kind: 'update',
      row: { key: [String(index)] },
      cells: [{ column: 'title', value: 'B', original: 'A' }],
    }));
    stage.stage(edits, { kindOf, tableIdentity: undefined });
    const ids = stage.ordered().map(({ content }) => content.id);
    stage.beginSave();
    stage.markSending(ids);
    const left = new Set(ids);
    const problems = new Map<string, string>();
    for (const id of ids) {
      isFull = random(2) === 0;
      if (random(2) === 0) {
        stage.saved(id);
        left.delete(id);
      } else {
        stage.notSaved([id], { outcome: 'failed', message: `No ${id}.` });
        problems.set(id, `No ${id}.`);
      }
    }
    isFull = true;
    stage.endSave();
    expect(stage.saving).toBe(false);
    expect(stage.ordered().map(({ content, problem }) => [content.id, problem?.message])).toEqual(
      [...left].map((id) => [id, problems.get(id)]),
    );
    // A change of a person is never only seen.
    const before = stage.all().rows;
    expect(() => stage.stage([{ kind: 'delete', row: { key: ['9'] } }], { kindOf, tableIdentity: undefined })).toThrow('full');
    expect(stage.all().rows).toEqual(before);
    isFull = false;
    // After a while, with the next change, or when the host ends.
    const way = random(3);
    if (way === 0) vi.advanceTimersByTime(5_000);
    else if (way === 1) stage.end();
    else stage.stage([{ kind: 'delete', row: { key: ['9'] } }], { kindOf, tableIdentity: undefined });
    const read = new TableStage(ref, new EditStore(work.database));
    expect(read.all().rows).toEqual(stage.all().rows);
    expect([read.state.canUndo, read.state.canRedo]).toEqual([stage.state.canUndo, stage.state.canRedo]);
  };
  fc.assert(fc.property(fc.array(fc.nat({ max: 1_000_000 }), { minLength: 15, maxLength: 30 }), walkOnFullDisks), {
    numRuns: 50,
  });
});
