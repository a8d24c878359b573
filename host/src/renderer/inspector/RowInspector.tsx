import { rowKeyText } from '@tabularium/sdk';
import type { TableDescription } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import type { Edit, StageChange } from '../../common/editing.ts';
import type { EditableRow } from '../grid/model/editableRow.ts';
import { anyRow } from '../grid/model/rowSource.ts';
import type { RowSource } from '../grid/model/rowSource.ts';
import type { GridRow } from '../grid/model/gridRow.ts';
import { inStatusBar } from '../grid/model/inStatusBar.ts';
import { documentText } from '../grid/model/rowDocument.ts';
import { keyOfRow, wholeCell } from '../grid/model/wholeRows.ts';
import { withDocuments } from '../grid/model/withDocuments.ts';
import { withWhole } from '../grid/model/withWhole.ts';
import { editOfDocument } from '../editing/documentEdits.ts';
import { duplicates, isDuplicated } from '../editing/duplicates.ts';
import { isInserted, seenRow } from '../editing/seenRow.ts';
import type { Stage } from '../editing/useStage.ts';
import type { GridColumn } from '../grid/model/gridColumns.ts';
import { strings } from '../i18n/index.ts';
import type { FieldReference } from './ReferenceLinks.tsx';
import { Inspector } from './Inspector.tsx';
import { copyText } from '../ui/copyText.ts';
import { rowJson } from './rowJson.ts';
import { editOfRow, fieldRefusal, rowOf, rowRefusal } from './rowEdits.ts';

/** The row and the column of the active cell. */
export interface ActiveRow {
  /** Undefined while no cell is chosen. */
  readonly row: EditableRow | undefined;
  readonly number: number | undefined;
  /** The place of the active cell in the row. */
  readonly place: number | undefined;
}

interface Props {
  readonly description: TableDescription;
  /** Every column in the order of a row's cells, also those that the grid hides. */
  readonly columns: readonly GridColumn[];
  readonly stage: Stage;
  /** Where the row comes from: what its page left out is read there. */
  readonly source: RowSource;
  readonly active: ActiveRow;
  /** The rows of other tables that a column of a row refers to. */
  readonly references: (column: string, row: EditableRow) => readonly FieldReference[];
  readonly onPlace: (place: number) => void;
  /** After a row was added above the others. @param last - its place, as soon as it is on the screen */
  readonly onInserted: (last: number) => void;
  readonly onClose: () => void;
  /** Whether a text is typed that is not staged. */
  readonly onTyped: (isTyped: boolean) => void;
}

const NO_ROW: EditableRow = { base: undefined, staged: undefined, row: undefined };

/** The inspector of a table's rows: what is changed in it is staged, each change as one step. */
export function RowInspector(props: Props): ReactNode {
  const { description, columns, stage, source, active, onInserted } = props;
  const whole = withWhole(source);
  const at = active.row ?? NO_ROW;
  const names = columns.map(({ name }) => name);
  const describedAt = (place: number) => description.columns.find(({ name }) => name === names[place]);
  const insertedToo = columns.flatMap(({ isKey }, place) => {
    const described = describedAt(place);
    return described !== undefined && isInserted({ isKey, editable: described.editable }) ? [place] : [];
  });
  const insert = (edit: Edit): void => {
    void stage.stage([edit]).then((change) => (change === undefined ? undefined : onInserted(change.state.inserts - 1)));
  };
  /** Stages edits of the row once it was read at some places. @returns whether they are staged; else the text that they come from must stay */
  const staged = async (
    places: readonly number[],
    editsOf: (rows: readonly EditableRow[]) => readonly Edit[],
  ): Promise<boolean> => {
    let change: Promise<StageChange | undefined> | undefined;
    const run = (rows: readonly EditableRow[]): void => {
      const edits = editsOf(rows);
      if (edits.length > 0) change = stage.stage(edits);
    };
    return (await whole([at], places, run, insertedToo)) && (await change) !== undefined;
  };
  const keyPlaces = description.key.map((name) => names.indexOf(name));
  const keyOf = (row: GridRow | undefined) => (row === undefined ? undefined : keyOfRow(row, keyPlaces));
  const copyRow = async (): Promise<void> => {
    const key = keyOf(at.base ?? anyRow(source));
    const read =
      key === undefined
        ? new Map<string, string>()
        : await inStatusBar(
            strings.grid.readingValues,
            async (signal) => (await source.cache.documents.read([key], signal)) ?? new Map<string, string>(),
          );
    if (read === undefined) return;
    const text = key === undefined ? undefined : read.get(rowKeyText(key));
    if (text === undefined) {
      void whole([at], [...names.keys()], ([found]) => {
        if (found?.row !== undefined) void copyText(rowJson(columns, found.row.map(wholeCell)), strings.inspector.copiedRow);
      });
      return;
    }
    const kinds = new Map(columns.map(({ name, kind }) => [name, kind]));
    await copyText(
      documentText(at.base === undefined ? undefined : text, at.staged?.cells ?? [], kinds),
      strings.inspector.copiedRow,
    );
  };
  const { ability } = stage;
  // A member of a document that is staged as a whole changes the columns inside it.
  const changed = new Set(
    at.staged?.cells.flatMap(({ column }) =>
      names.includes(column)
        ? [names.indexOf(column)]
        : [...names.keys()].filter((place) => names[place]?.startsWith(`${column}.`) === true),
    ),
  );
  return (
    <Inspector
      columns={columns}
      described={description.columns}
      place={active.place}
      row={{
        cells: at.row,
        number: active.number,
        documents: source.cache.documents,
        documentKey: keyOf(at.base ?? (at.row === undefined ? undefined : anyRow(source))),
        staged: at.staged,
        changed,
        refusal: (place) => fieldRefusal(stage, at, describedAt(place)),
        references: (place) => props.references(names[place] ?? '', at),
        rowRefusal: rowRefusal(stage, at),
        tableRefusal: ability?.allowed === false ? strings.editing.readOnly(ability.reason) : undefined,
      }}
      commands={{
        goTo: props.onPlace,
        set: (changes) => {
          const places = changes.map(({ place }) => place);
          return staged(places, (rows) => rows.flatMap((row) => editOfRow(row, description.key, names, changes) ?? []));
        },
        setDocument: (changes, document) =>
          staged([], (rows) =>
            rows.flatMap((read) => {
              const row = rowOf(read.base, read.staged, description.key, names);
              if (row === undefined) return [];
              const seen = read.base === undefined ? [] : seenRow(read.base, columns);
              return editOfDocument({ at: read, row, document, description, names, seen }, changes) ?? [];
            }),
          ),
        copyRow: () => void copyRow(),
        insert: () => insert({ kind: 'insert', values: [] }),
        duplicate: () => {
          const all = columns.flatMap((column, source) => {
            const described = describedAt(source);
            return described === undefined ? [] : [{ ...described, source, isKey: column.isKey }];
          });
          withDocuments(source)([at], (documents) => {
            const copied = documents === undefined ? all.filter(isDuplicated).map((column) => column.source) : [];
            void whole([at], copied, (read) => duplicates(read, all, documents).forEach(insert));
          });
        },
        read: (places, use) =>
          void whole([at], places, ([read]) => use?.(places.map((place) => wholeCell(read?.row?.[place] ?? null)))),
        close: props.onClose,
      }}
      onTyped={props.onTyped}
    />
  );
}
