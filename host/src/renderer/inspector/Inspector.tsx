import { ActionIcon, Menu, SegmentedControl, TextInput } from '@mantine/core';
import { IconBraces, IconCopy, IconRowInsertTop } from '@tabler/icons-react';
import type { Cell, Column, PageCell, RowKey } from '@tabularium/sdk';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { StagedRow } from '../../common/editing.ts';
import { shownText } from '../grid/model/cellText.ts';
import type { GridColumn } from '../grid/model/gridColumns.ts';
import { EMPTY_DOCUMENT, documentText, matchingMembers, parseDocument } from '../grid/model/rowDocument.ts';
import type { DocumentChange, DocumentNode } from '../grid/model/rowDocument.ts';
import type { RowDocuments } from '../grid/model/rowDocuments.ts';
import { isWhole, wholeCell } from '../grid/model/wholeRows.ts';
import { strings } from '../i18n/index.ts';
import { FieldsView } from './FieldsView.tsx';
import styles from './inspector.module.css';
import { InspectorFrame } from './InspectorFrame.tsx';
import { JsonView } from './JsonView.tsx';
import type { EditedJson } from './editedJson.ts';
import type { JsonChange, JsonColumn } from './rowFromJson.ts';
import { useRowDocument } from './useRowDocument.ts';
import { matchingPlaces, rowJson } from './rowJson.ts';
import type { FieldReference } from './ReferenceLinks.tsx';
import { UnreadRow } from './UnreadView.tsx';
import { ValueEditor } from './ValueEditor.tsx';
import { ValueView, copyCell } from './ValueView.tsx';
import { DiscardQuestion } from '../ui/DiscardQuestion.tsx';
import { onDemand } from '../ui/onDemand.tsx';

// Parsing with places is needed only once somebody edits.
const JsonEditor = onDemand(async () => (await import('./JsonEditor.tsx')).JsonEditor, <div className={styles.body} aria-busy />);

/** A text that is edited, of a row that stays the same while others are chosen. */
interface EditedText {
  readonly text: string;
  /** As it was at the beginning. */
  readonly begun: string;
  readonly rowName: string;
}

interface JsonEditing extends EditedText {
  readonly edited: EditedJson;
}

interface ValueEditing extends EditedText {
  readonly column: GridColumn;
  readonly onSet: (value: Cell) => Promise<boolean>;
}

const isTyped = (edit: EditedText | undefined): boolean => edit !== undefined && edit.text !== edit.begun;

type InspectorView = 'value' | 'fields' | 'json';

/** The row of the active cell, and what of it can be edited. */
export interface InspectedRow {
  /** Undefined while the row is being read, and while no cell is chosen. */
  readonly cells: readonly PageCell[] | undefined;
  /** The row's number, which identifies it. */
  readonly number: number | undefined;
  /** Reads the row as the database returns it. */
  readonly documents: RowDocuments;
  /** The row's key; of another row where this one is new, so that it is known whether the rows of this table are documents. */
  readonly documentKey: RowKey | undefined;
  readonly staged: StagedRow | undefined;
  /** The places of staged changes. */
  readonly changed: ReadonlySet<number>;
  /** Why a cell of the row cannot be edited. */
  readonly refusal: (place: number) => string | undefined;
  /** The rows of other tables that a cell refers to. */
  readonly references: (place: number) => readonly FieldReference[];
  /** Why nothing of this row can be edited. */
  readonly rowRefusal: string | undefined;
  /** Why rows cannot be edited at all. */
  readonly tableRefusal: string | undefined;
}

export interface InspectorCommands {
  /** Makes another cell of the row the active one. */
  readonly goTo: (place: number) => void;
  /** Stages changes of the row as one step. @returns whether they are staged; the status bar says why not */
  readonly set: (changes: readonly JsonChange[]) => Promise<boolean>;
  /** Stages changes of the row as a document, as `set` does. @param document - as the database holds it */
  readonly setDocument: (changes: readonly DocumentChange[], document: DocumentNode) => Promise<boolean>;
  readonly copyRow: () => void;
  readonly insert: () => void;
  readonly duplicate: () => void;
  /** Reads what the page left out at some places of the row, which shows it then. @param use - called with the values there */
  readonly read: (places: readonly number[], use?: (values: readonly Cell[]) => void) => void;
  readonly close: () => void;
}

interface Props {
  readonly columns: readonly GridColumn[];
  /** The columns as the driver describes them, in any order. */
  readonly described: readonly Column[];
  /** The place of the active column. */
  readonly place: number | undefined;
  readonly row: InspectedRow;
  readonly commands: InspectorCommands;
  /** Whether a text is typed that is nowhere else: what was typed must be there when the inspector is opened again. */
  readonly onTyped: (isTyped: boolean) => void;
}

/** The row of the active cell: one whole value, its fields as a form, the row as JSON. */
export function Inspector({ columns, described, place, row: inspected, commands, onTyped }: Props): ReactNode {
  const { cells: row, number: rowNumber, changed, refusal, rowRefusal, tableRefusal } = inspected;
  const words = strings.inspector;
  const [view, setView] = useState<InspectorView>('fields');
  const [search, setSearch] = useState('');
  const [editing, setEditing] = useState<JsonEditing>();
  const [editingValue, setEditingValue] = useState<ValueEditing>();
  /** Runs where a typed text may be lost. */
  const [losing, setLosing] = useState<() => void>();
  const hasTyped = isTyped(editing) || isTyped(editingValue);
  useEffect(() => onTyped(hasTyped), [onTyped, hasTyped]);
  /** In a turn of its own: the Escape that asks would else answer, too. */
  const askBefore = (isLost: boolean, goOn: () => void): void => {
    if (!isLost) goOn();
    else setTimeout(() => setLosing(() => goOn));
  };
  const { staged } = inspected;
  const document = useRowDocument(inspected.documents, view === 'json' ? inspected.documentKey : undefined);
  const editsJson = view === 'json' && editing !== undefined;
  const editedValue = view === 'value' ? editingValue : undefined;
  const column = place === undefined ? undefined : columns[place];
  const cell = place === undefined ? undefined : row?.[place];
  const isValue = view === 'value';
  const nullable = (at: number): boolean => described.find(({ name }) => name === columns[at]?.name)?.nullable === true;
  const textAt = (at: number): string => shownText(row?.[at] ?? null, columns[at]?.kind ?? 'text').text;
  const places = isValue ? [] : matchingPlaces(columns, textAt, search);
  // A row that is named by its key keeps what is typed when the rows above it change.
  const keyPlaces = [...columns.keys()].filter((at) => columns[at]?.isKey === true);
  const rowKey =
    row === undefined || keyPlaces.length === 0 ? String(rowNumber) : JSON.stringify(keyPlaces.map((at) => row[at] ?? null));
  const everyPlace = [...columns.keys()];
  const wholeRow = row === undefined || !isWhole(row, everyPlace) ? undefined : row.map(wholeCell);
  const copyValue = (at: number): void =>
    commands.read([at], ([value]) => {
      const from = columns[at];
      if (from !== undefined && value !== undefined) copyCell(from, value);
    });
  const copyShown = (): void => {
    if (!isValue && row !== undefined) commands.copyRow();
    else if (place !== undefined && cell !== undefined) copyValue(place);
  };
  const typeOf = (name: string): string => columns.find((one) => one.name === name)?.type ?? '';
  const jsonColumns = (): readonly JsonColumn[] =>
    columns.map(({ name, kind, range, specialValues, values }, at) => ({
      name,
      kind,
      range,
      specialValues,
      values,
      nullable: nullable(at),
      refusal: refusal(at),
    }));
  /** A text stays with its row when another one is chosen, so it says whose it is. */
  const rowName = keyPlaces.map((at) => textAt(at)).join(', ') || String((rowNumber ?? 0) + 1);
  const begin = (text: string, edited: EditedJson): void => setEditing({ text, begun: text, edited, rowName });
  const jsonOf = (cells: readonly PageCell[]): ReactNode => {
    if (document.is === 'reading' && inspected.documentKey !== undefined)
      return <p className={styles.reason}>{words.documentReading}</p>;
    if (document.is === 'gone') return <p className={styles.reason}>{words.documentGone}</p>;
    if (document.is === 'failed') return <p className={styles.reason}>{words.documentFailed(document.message)}</p>;
    if (document.is === 'read') return documentOf(document.text);
    if (wholeRow === undefined) return <UnreadRow row={cells} onRead={() => commands.read(everyPlace)} />;
    if (places.length === 0) return <p className={styles.reason}>{words.noMatch}</p>;
    const edited: EditedJson = { is: 'cells', row: wholeRow, columns: jsonColumns(), apply: commands.set };
    return (
      <JsonView
        key={rowKey}
        text={rowJson(columns, wholeRow, places)}
        onCopyAll={commands.copyRow}
        refusal={rowRefusal}
        onEdit={() => begin(rowJson(columns, wholeRow), edited)}
      />
    );
  };
  const documentOf = (stored: string): ReactNode => {
    const isNew = staged?.kind === 'insert';
    const whole = documentText(
      isNew ? undefined : stored,
      staged?.cells ?? [],
      new Map(columns.map(({ name, kind }) => [name, kind])),
    );
    const found = search === '' ? whole : matchingMembers(whole, search);
    if (found === undefined) return <p className={styles.reason}>{words.noMatch}</p>;
    return (
      <JsonView
        key={rowKey}
        text={found}
        onCopyAll={commands.copyRow}
        refusal={rowRefusal}
        onEdit={() => {
          const held = isNew ? EMPTY_DOCUMENT : parseDocument(stored);
          const apply = (changes: readonly DocumentChange[]): Promise<boolean> => commands.setDocument(changes, held);
          begin(whole, { is: 'document', document: parseDocument(whole), columns: jsonColumns(), apply });
        }}
      />
    );
  };
  const actions = (
    <>
      <Menu position="bottom-end" width={220} withinPortal>
        <Menu.Target>
          <ActionIcon aria-label={words.insert} title={words.insert}>
            <IconRowInsertTop size={16} stroke={1.75} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown aria-label={words.insert}>
          <Menu.Item disabled={tableRefusal !== undefined} title={tableRefusal} onClick={commands.insert}>
            {words.insert}
          </Menu.Item>
          <Menu.Item disabled={tableRefusal !== undefined || row === undefined} title={tableRefusal} onClick={commands.duplicate}>
            {words.duplicate}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ActionIcon
        aria-label={isValue ? words.copy : words.copyRow}
        title={isValue ? words.copy : words.copyRow}
        disabled={row === undefined || (isValue && cell === undefined)}
        onClick={copyShown}
      >
        {isValue ? <IconCopy size={16} stroke={1.75} /> : <IconBraces size={16} stroke={1.75} />}
      </ActionIcon>
    </>
  );
  return (
    <InspectorFrame
      column={editedValue?.column ?? (isValue ? column : undefined)}
      title={editsJson ? words.rowNamed(editing.rowName) : isValue ? words.label : words.rowTitle}
      row={editedValue === undefined ? undefined : words.rowNamed(editedValue.rowName)}
      actions={actions}
      onClose={commands.close}
    >
      <div className={styles.tools}>
        <SegmentedControl
          fullWidth
          aria-label={words.view}
          value={view}
          onChange={(value) => setView(value === 'fields' || value === 'json' ? value : 'value')}
          data={[
            { value: 'value', label: words.views.value },
            { value: 'fields', label: words.views.fields },
            { value: 'json', label: words.views.json },
          ]}
        />
      </div>
      {isValue || editsJson || row === undefined ? null : (
        <div className={styles.tools}>
          <TextInput
            aria-label={words.search}
            placeholder={words.search}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || search === '') return;
              event.stopPropagation();
              setSearch('');
            }}
          />
        </div>
      )}
      {editedValue === undefined ? null : (
        <ValueEditor
          column={editedValue.column}
          text={editedValue.text}
          isTyped={isTyped(editedValue)}
          onText={(text) => setEditingValue({ ...editedValue, text })}
          onSet={editedValue.onSet}
          onStaged={() => setEditingValue(undefined)}
          onCancel={() => setEditingValue(undefined)}
        />
      )}
      {editedValue === undefined && (isValue || (row === undefined && !editsJson)) ? (
        <ValueView
          key={`${rowKey} ${column?.name}`}
          column={column}
          cell={cell}
          onRead={() => (place === undefined ? undefined : commands.read([place]))}
          references={place === undefined || row === undefined ? [] : inspected.references(place)}
          {...(isValue && place !== undefined
            ? {
                edit: {
                  refusal: row === undefined ? undefined : refusal(place),
                  onEdit: (text: string) => {
                    if (column === undefined) return;
                    const onSet = (value: Cell): Promise<boolean> => commands.set([{ place, value }]);
                    setEditingValue({ column, text, begun: text, rowName, onSet });
                  },
                },
              }
            : {})}
        />
      ) : null}
      {view === 'fields' && row !== undefined ? (
        <FieldsView
          columns={columns}
          places={places}
          active={place}
          row={{
            key: rowKey,
            cells: row,
            changed,
            isNullable: nullable,
            isNew: inspected.staged?.kind === 'insert',
            refusal,
            references: inspected.references,
          }}
          commands={{
            goTo: commands.goTo,
            showWhole: (at) => {
              commands.goTo(at);
              setView('value');
            },
            set: (at, value) => commands.set([{ place: at, value }]),
            read: (at) => commands.read([at]),
            copy: copyValue,
          }}
        />
      ) : null}
      {editsJson ? (
        <JsonEditor
          text={editing.text}
          isTyped={isTyped(editing)}
          names={editing.edited.columns.map((edited) => ({ ...edited, type: typeOf(edited.name) }))}
          edited={editing.edited}
          onText={(text) => setEditing({ ...editing, text })}
          onApplied={() => setEditing(undefined)}
          onCancel={() => askBefore(isTyped(editing), () => setEditing(undefined))}
        />
      ) : null}
      {view === 'json' && !editsJson && row !== undefined ? jsonOf(row) : null}
      <DiscardQuestion
        opened={losing !== undefined}
        text={words.discardText}
        onKeep={() => setLosing(undefined)}
        onDiscard={() => {
          setLosing(undefined);
          losing?.();
        }}
      />
    </InspectorFrame>
  );
}
