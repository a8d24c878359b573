import type { EditStore } from '../../runtime/editing/editStore.ts';
import { byMeaning, changedMeanwhile, meanwhileOf } from '../../runtime/editing/meanwhile.ts';
import { lackingProblem } from '../../runtime/editing/saveRun.ts';
import type { StoredRow } from '../../runtime/editing/stagedContent.ts';
import { TableStage } from '../../runtime/editing/tableStage.ts';
import type { Meanwhile } from '../../common/editing.ts';
import { lackingFields } from '../../common/lackingFields.ts';
import { OtherWriter, PRODUCTS, PRODUCTS_DESCRIPTION } from './exampleTable.test-helper.ts';
import type { FakeContext } from './fakeContext.test-helper.ts';

/** A journal that keeps nothing: what is staged lives as long as the page. */
const noJournal = {
  tables: () => [],
  load: () => ({ rows: [], saved: [], steps: [] }),
  write: () => undefined,
} as Pick<EditStore, 'tables' | 'load' | 'write'> as EditStore;

const NO_REQUEST = { outcome: 'failed', message: 'Prices of 15 have no request.', column: 'price' } as const;

const isPrice =
  (price: number) =>
  ({ cells }: Pick<StoredRow['content'], 'cells'>): boolean =>
    cells.some(({ column, value }) => column === 'price' && value === price);

const LOST_ANSWER = { outcome: 'unknown', message: 'The answer was lost. The change may have been made.' } as const;

/**
 * Staging as the host does it, for the example's table. A save takes every row off the stage, but one whose price is 13 fails, one whose price is 14 may have
 * been saved unless it is named, one whose price is 15 has no request, and what somebody else changed is not sent.
 */
export function fakeEditing(others = new OtherWriter()): NonNullable<FakeContext['editing']> {
  const stages = new Map<string, TableStage>();
  let changed = Promise.withResolvers<void>();
  const tables = () => [...stages].map(([connectionId, stage]) => ({ connectionId, table: PRODUCTS, state: stage.state }));
  const stageOf = (connectionId: string): TableStage => {
    const stage = stages.get(connectionId) ?? new TableStage({ connectionId, table: PRODUCTS }, noJournal);
    if (!stages.has(connectionId)) stage.onChange(() => changed.resolve());
    stages.set(connectionId, stage);
    return stage;
  };
  const kinds = new Map(PRODUCTS_DESCRIPTION.columns.map(({ name, kind }) => [name, kind]));
  const kindOf = (column: string) => kinds.get(column) ?? 'text';
  const changedRows = (rows: readonly StoredRow[]): Map<string, Meanwhile> => {
    const found = rows.flatMap(({ content }): [string, Meanwhile][] => {
      const row = others.row(content.key?.[0] ?? null);
      const now =
        row === undefined ? 'gone' : new Map(PRODUCTS_DESCRIPTION.columns.map(({ name }, at) => [name, row[at] ?? null]));
      const meanwhile = meanwhileOf(content, now, byMeaning(kindOf));
      return meanwhile === undefined ? [] : [[content.id, meanwhile]];
    });
    return new Map(found);
  };
  return {
    ability: async () => ({ allowed: true, key: PRODUCTS_DESCRIPTION.key, atomicity: 'each' }),
    tables,
    async *watchTables(signal) {
      signal.addEventListener('abort', () => changed.resolve());
      while (!signal.aborted) {
        changed = Promise.withResolvers();
        yield tables();
        await changed.promise;
      }
    },
    staged: (connectionId) => stageOf(connectionId).all(),
    watch: (connectionId, _table, signal) => stageOf(connectionId).watch(signal),
    stage: async (connectionId, _table, edits) => stageOf(connectionId).stage(edits, { kindOf, tableIdentity: undefined }),
    undo: (connectionId) => stageOf(connectionId).undo(),
    redo: (connectionId) => stageOf(connectionId).redo(),
    cancelSave: (connectionId) => stageOf(connectionId).state,
    discard: (connectionId, _table, rowIds) => stageOf(connectionId).discard(rowIds),
    settle: async (connectionId, _table, settlements) =>
      stageOf(connectionId).settle(settlements, { key: PRODUCTS_DESCRIPTION.key, takes: () => true }),
    review: async (connectionId, _table, rowIds) => {
      const stage = stageOf(connectionId);
      const rows = rowIds === undefined ? stage.ordered() : stage.named(rowIds);
      stage.noteMeanwhile(rows, changedRows(rows));
      return rows.map(({ content: { id, kind, key, cells } }) => ({
        rowId: id,
        kind,
        ...(key === undefined ? {} : { key }),
        cells,
        compared: 'yes',
        prepared: isPrice(15)({ cells })
          ? { ready: false, message: NO_REQUEST.message, column: NO_REQUEST.column }
          : {
              ready: true,
              language: 'json',
              text: JSON.stringify({ kind, key, cells: cells.map(({ column, value }) => [column, value]) }),
            },
      }));
    },
    async *save(connectionId, _table, rowIds) {
      const stage = stageOf(connectionId);
      const rows =
        rowIds === undefined ? stage.ordered().filter(({ problem }) => problem?.outcome !== 'unknown') : stage.named(rowIds);
      stage.beginSave();
      yield { type: 'begin', rows: rows.length };
      let failed = 0;
      let unknown = 0;
      const changed = changedRows(rows);
      for (const { content } of rows) {
        const lacks = lackingFields(content, PRODUCTS_DESCRIPTION.columns);
        if (lacks.length > 0) {
          failed += 1;
          const problem = lackingProblem(lacks);
          stage.notSaved([content.id], problem);
          yield { type: 'outcome', rowId: content.id, kind: content.kind, outcome: 'failed', problem };
          continue;
        }
        const meanwhile = changed.get(content.id);
        if (meanwhile !== undefined) {
          failed += 1;
          const problem = changedMeanwhile(meanwhile);
          stage.notSaved([content.id], problem);
          yield { type: 'outcome', rowId: content.id, kind: content.kind, outcome: 'failed', problem };
          continue;
        }
        const isUnready = isPrice(15)(content);
        const isRefused = isUnready || isPrice(13)(content);
        const problem = isUnready
          ? NO_REQUEST
          : ({ outcome: 'failed', message: 'No price may be 13.', column: 'price' } as const);
        const isUncertain = rowIds === undefined && isPrice(14)(content);
        if (isUncertain) {
          unknown += 1;
          stage.notSaved([content.id], LOST_ANSWER);
          yield { type: 'outcome', rowId: content.id, kind: content.kind, outcome: 'unknown', problem: LOST_ANSWER };
        } else if (isRefused) {
          failed += 1;
          stage.notSaved([content.id], problem);
          yield { type: 'outcome', rowId: content.id, kind: content.kind, outcome: 'failed', problem };
        } else {
          const key = content.key?.[0];
          if (content.kind === 'delete') others.delete(Number(key));
          else if (content.kind === 'update')
            others.change(Number(key), Object.fromEntries(content.cells.map(({ column, value }) => [column, value])));
          const values = Object.fromEntries(content.cells.map(({ column, value }) => [column, value]));
          const made = content.kind === 'insert' ? { key: [others.insert(values)] } : {};
          stage.saved(content.id);
          yield { type: 'outcome', rowId: content.id, kind: content.kind, outcome: 'saved', ...made };
        }
      }
      stage.endSave();
      yield { type: 'end', saved: rows.length - failed - unknown, failed, unknown, notTried: 0 };
    },
  };
}
