import type { Cell, Column, RowKey, TableDescription } from '@tabularium/sdk';
import { vi } from 'vitest';
import type { Mock } from 'vitest';
import type { OpenConnectionInfo } from '../../../common/api.ts';
import type { Edit, EditAbility, StageChange, StagedRow } from '../../../common/editing.ts';
import { cellCommands } from '../../editing/cellCommands.ts';
import type { CellDraft, DraftedCell } from '../../editing/cellDraft.ts';
import { cellEditing } from '../../editing/cellEditing.ts';
import { StagedOverlay } from '../../editing/stagedRows.ts';
import type { Stage } from '../../editing/useStage.ts';
import { strings } from '../../i18n/index.ts';
import { DESCRIBED_LAYOUT } from '../model/columnLayout.ts';
import { gridColumns } from '../model/gridColumns.ts';
import { NOTHING_SELECTED, changedSelection } from '../model/gridSelection.ts';
import type { SelectionChange } from '../model/gridSelection.ts';
import type { GridRow } from '../model/gridPage.ts';
import type { CellPosition } from '../model/navigation.ts';
import { PageCache } from '../model/pageCache.ts';
import { placeOfRow } from '../model/placeOfRow.ts';
import { withDocuments } from '../model/withDocuments.ts';
import { withWhole } from '../model/withWhole.ts';
import { stagedSource } from './stagedSource.ts';
import type { TabModel } from './tabModel.ts';
import type { ShowNewRow } from './useNewRow.ts';
import { writableColumns } from './writableColumns.ts';

interface FakeOptions {
  readonly rows?: readonly GridRow[];
  /** The database's rows by the first column, where rows can be read by their keys; a row that is not in it is gone. */
  readonly stored?: ReadonlyMap<string, readonly Cell[]>;
  readonly staged?: readonly StagedRow[];
  /** The last one is what the tab shows. */
  readonly selected?: readonly SelectionChange[];
  readonly ability?: EditAbility;
  readonly draft?: CellDraft;
  readonly dialog?: TabModel['layers']['dialog'];
  readonly isInspecting?: boolean;
  /** Why the host stages nothing. */
  readonly rejects?: string;
  readonly facets?: readonly string[];
}

const yes = { allowed: true } as const;
const described = (name: string, kind: Column['kind'], more: Partial<Column> = {}): Column => ({
  name,
  kind,
  type: kind,
  nullable: true,
  sortable: yes,
  editable: yes,
  ...more,
});

/** A key that cannot be edited, a text, a number that cannot be null. */
const DESCRIPTION: TableDescription = {
  ref: { namespace: [], name: 'products' },
  kind: 'table',
  columns: [
    described('id', 'text', { nullable: false, editable: { allowed: false, reason: 'The id names the row.' } }),
    described('name', 'text'),
    described('price', 'integer', { nullable: false }),
  ],
  key: ['id'],
  paging: 'offset',
  readsFromEnd: false,
  notes: [],
};

const ROWS: readonly GridRow[] = Array.from({ length: 6 }, (_unused, row): readonly Cell[] => [`p${row}`, `Lamp ${row}`, row]);

const EDITABLE: EditAbility = { allowed: true, key: ['id'], atomicity: 'each' };

/** The functions that change the stage of a fake tab. */
interface StageSpies {
  readonly stage: Mock<Stage['stage']>;
  readonly undo: Mock<Stage['undo']>;
  readonly redo: Mock<Stage['redo']>;
  readonly discard: Mock<Stage['discard']>;
}

/** A tab, and the spies in it. */
export interface FakeTab {
  readonly model: TabModel;
  readonly stage: StageSpies;
  readonly layers: { readonly open: Mock; readonly close: Mock; readonly setInspecting: Mock; readonly toggleInspector: Mock };
  readonly grid: { readonly focus: Mock; readonly goTo: Mock };
  readonly setDraft: Mock<(cell: DraftedCell, draft: CellDraft | undefined) => void>;
  readonly onClosed: Mock;
  readonly onRejected: Mock<(draft: CellDraft) => void>;
  readonly onInserted: Mock;
}

/** An edit without the row as it was seen. */
export function withoutSeen(edit: Edit): Edit {
  if (edit.kind === 'insert') return edit;
  if (edit.kind === 'delete') return { kind: edit.kind, row: edit.row };
  const { seen: _seen, ...rest } = edit;
  return rest;
}

/** The cell of a tab. @throws Error where there is none */
export function draftedCell({ columns, edited }: TabModel, position: CellPosition): DraftedCell {
  const column = columns.columns[position.column];
  if (column === undefined) throw new Error(`There is no column ${position.column}.`);
  return { row: edited.rowAt(position.row), column, position };
}

/** A tab over rows in memory; whatever would change it is a spy. */
export async function fakeTabModel(options: FakeOptions = {}): Promise<FakeTab> {
  const { rows = ROWS, stored, staged = [], selected = [], ability = EDITABLE } = options;
  const described = gridColumns(DESCRIPTION);
  const { columns, frozen } = described;
  const cache = new PageCache({
    paging: 'offset',
    pageSize: 100,
    columns: columns.map(({ name }) => name),
    key: DESCRIPTION.key,
    ...(stored === undefined
      ? {}
      : {
          readRows: async (keys: readonly RowKey[]) => ({
            columns: columns.map(({ name, kind }) => ({ name, kind })),
            rows: keys.flatMap(([id]) => [stored.get(typeof id === 'string' ? id : '') ?? []]).filter(({ length }) => length > 0),
          }),
        }),
    load: async () => ({
      head: {
        rowCount: rows.length,
        atEnd: true,
        total: { rows: rows.length, exact: true },
        droppedSorts: [],
        milliseconds: 1,
      },
      batch: { columns: columns.map(({ name, kind }) => ({ name, kind })), rows: [...rows] },
    }),
  });
  for await (const page of cache.read(0, rows.length - 1, new AbortController().signal)) void page;

  const change: StageChange = {
    state: {
      revision: 2,
      inserts: 1,
      updates: 1,
      deletes: 0,
      failed: 0,
      unknown: 0,
      meanwhile: 0,
      saving: false,
      canUndo: true,
      canRedo: false,
      savedRows: 0,
    },
    rows: [],
    gone: [],
  };
  const stage = {
    state: undefined,
    waiting: 0,
    rows: new Map(staged.map((row) => [row.id, row])),
    ability,
    count: staged.length,
    stage: vi.fn<Stage['stage']>(async () => change),
    undo: vi.fn<Stage['undo']>(),
    redo: vi.fn<Stage['redo']>(),
    discard: vi.fn<Stage['discard']>(),
    settle: vi.fn<Stage['settle']>(),
  };
  const names = columns.map(({ name }) => name);
  const overlay = new StagedOverlay(names, DESCRIPTION.key, stage.rows);
  const source = stagedSource(cache, overlay);
  const { above, rowAt } = source;
  const writable = writableColumns(columns, DESCRIPTION);
  const readOnly = ability.allowed ? undefined : strings.editing.readOnly(ability.reason);
  // The seen state of a row doesn't matter to these tests.
  const { stage: spy } = stage;
  const plain: Stage = {
    ...stage,
    stage: (edits, given) => {
      const { rejects } = options;
      if (rejects === undefined) return spy(edits.map(withoutSeen));
      given?.onRejected?.(rejects);
      return Promise.resolve(undefined);
    },
  };
  const edited = { stage: plain, overlay, source, above, rowAt, marks: () => undefined, writable, readOnly };

  const grid = { scrollToRow: vi.fn(), focus: vi.fn(), goTo: vi.fn(), fit: vi.fn(), placeOfActive: vi.fn() };
  const setDraft = vi.fn<(cell: DraftedCell, draft: CellDraft | undefined) => void>();
  const onClosed = vi.fn();
  const onRejected = vi.fn<(draft: CellDraft) => void>();
  const onInserted = vi.fn();
  const commands = cellCommands({
    stage: plain,
    overlay,
    columns,
    described: DESCRIPTION.columns,
    writable,
    rowAt,
    whole: withWhole(source),
    withDocuments: withDocuments(source),
    onInserted,
  });
  const cells = {
    ...commands,
    ...cellEditing({
      drafts: options.draft === undefined ? [] : [options.draft],
      setDraft,
      closed: { current: undefined },
      commands,
      columns,
      rowAt,
      placeOf: (row, near) => placeOfRow(source, (base) => overlay.keyOf(base), row, near),
      whole: withWhole(source),
      onClosed,
      onRejected,
    }),
    showNewRow: vi.fn<ShowNewRow>(),
  };
  const selection = {
    ...selected.reduce(changedSelection, NOTHING_SELECTED),
    cell: vi.fn(),
    row: vi.fn(),
    column: vi.fn(),
    all: vi.fn(),
    activate: vi.fn(),
    collapse: vi.fn(),
    follow: vi.fn(),
  };
  const layers = {
    dialog: options.dialog,
    open: vi.fn<TabModel['layers']['open']>(),
    close: vi.fn(),
    isInspecting: options.isInspecting ?? false,
    setInspecting: vi.fn(),
    toggleInspector: vi.fn(),
    isArranging: false,
    setArranging: vi.fn(),
  };
  const model: TabModel = {
    connection: { connectionId: 'c1', facets: options.facets ?? ['export'] } as unknown as OpenConnectionInfo,
    description: DESCRIPTION,
    filter: {} as TabModel['filter'],
    sorting: { sorts: [], maxSorts: 3, apply: vi.fn(), cycle: vi.fn() },
    rows: {
      cache,
      reload: vi.fn(),
      count: cache.rowCount + above,
      topPage: 0,
      failure: undefined,
      former: undefined,
      nothingRead: false,
      showsWaiting: false,
      onVisible: vi.fn(),
      isMisfit: false,
    },
    columns: { columns, frozen, layout: DESCRIBED_LAYOUT, all: columns, described, change: vi.fn() },
    isReady: true,
    edited,
    selection,
    size: { rows: cache.rowCount + above, columns: columns.length },
    cells,
    references: { of: () => [], referring: [], refusal: () => undefined, open: vi.fn() },
    finding: { isOpen: false, open: vi.fn() } as unknown as TabModel['finding'],
    layers,
    grid: { current: grid },
    filterBar: { current: null },
  };
  return { model, stage, layers, grid, setDraft, onClosed, onRejected, onInserted };
}

export const cellAt = (row: number, column: number, mode: 'new' | 'extend' | 'add' = 'new'): SelectionChange => ({
  to: 'cell',
  position: { row, column },
  mode,
});
