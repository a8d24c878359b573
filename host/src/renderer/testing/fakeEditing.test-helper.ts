import type { EditStore } from '../../runtime/editing/editStore.ts';
import { TableStage } from '../../runtime/editing/tableStage.ts';
import { PRODUCTS, PRODUCTS_DESCRIPTION } from './exampleTable.test-helper.ts';
import type { FakeContext } from './fakeContext.test-helper.ts';

/** A journal that keeps nothing: what is staged lives as long as the page. */
const noJournal = {
  tables: () => [],
  load: () => ({ rows: [], saved: [], steps: [] }),
  write: () => undefined,
} as Pick<EditStore, 'tables' | 'load' | 'write'> as EditStore;

/** Staging as the host does it, for the example's table. A save takes every row off the stage, but one whose price is 13 fails. */
export function fakeEditing(): NonNullable<FakeContext['editing']> {
  const stages = new Map<string, TableStage>();
  const stageOf = (connectionId: string): TableStage => {
    const stage = stages.get(connectionId) ?? new TableStage({ connectionId, table: PRODUCTS }, noJournal);
    stages.set(connectionId, stage);
    return stage;
  };
  const kinds = new Map(PRODUCTS_DESCRIPTION.columns.map(({ name, kind }) => [name, kind]));
  return {
    ability: async () => ({ allowed: true, key: PRODUCTS_DESCRIPTION.key, atomicity: 'each' }),
    tables: () => [],
    staged: (connectionId) => stageOf(connectionId).all(),
    watch: (connectionId, _table, signal) => stageOf(connectionId).watch(signal),
    stage: async (connectionId, _table, edits) => stageOf(connectionId).stage(edits, (column) => kinds.get(column) ?? 'text'),
    undo: (connectionId) => stageOf(connectionId).undo(),
    redo: (connectionId) => stageOf(connectionId).redo(),
    discard: (connectionId, _table, rowIds) => stageOf(connectionId).discard(rowIds),
    review: async (connectionId, _table, rowIds) => {
      const stage = stageOf(connectionId);
      return (rowIds === undefined ? stage.ordered() : stage.named(rowIds)).map(({ content: { id, kind, key, cells } }) => ({
        rowId: id,
        kind,
        ...(key === undefined ? {} : { key }),
        prepared: {
          ready: true,
          language: 'json',
          text: JSON.stringify({ kind, key, cells: cells.map(({ column, value }) => [column, value]) }),
        },
      }));
    },
    async *save(connectionId) {
      const stage = stageOf(connectionId);
      const rows = stage.ordered();
      stage.beginSave();
      yield { type: 'begin', rows: rows.length };
      let failed = 0;
      for (const { content } of rows) {
        const isRefused = content.cells.some(({ column, value }) => column === 'price' && value === 13);
        const problem = { outcome: 'failed', message: 'No price may be 13.', column: 'price' } as const;
        if (isRefused) {
          failed += 1;
          stage.notSaved([content.id], problem);
          yield { type: 'outcome', rowId: content.id, kind: content.kind, outcome: 'failed', problem };
        } else {
          stage.saved(content.id);
          yield { type: 'outcome', rowId: content.id, kind: content.kind, outcome: 'saved' };
        }
      }
      stage.endSave();
      yield { type: 'end', saved: rows.length - failed, failed, unknown: 0, notTried: 0 };
    },
  };
}
