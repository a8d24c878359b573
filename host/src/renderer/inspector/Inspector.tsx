import { ActionIcon, Menu, SegmentedControl, TextInput } from '@mantine/core';
import { IconBraces, IconCopy, IconRowInsertTop } from '@tabler/icons-react';
import type { Cell, Column, PageCell } from '@tabularium/sdk';
import { Suspense, lazy, useState } from 'react';
import type { ReactNode } from 'react';
import { shownText } from '../grid/model/cellText.ts';
import type { GridColumn } from '../grid/model/gridColumns.ts';
import { isWhole, wholeCell } from '../grid/model/wholeRows.ts';
import { strings } from '../i18n/index.ts';
import { copyText } from '../ui/copyText.ts';
import { FieldsView } from './FieldsView.tsx';
import styles from './inspector.module.css';
import { InspectorFrame } from './InspectorFrame.tsx';
import { JsonView } from './JsonView.tsx';
import type { JsonChange, JsonColumn } from './rowFromJson.ts';
import { matchingPlaces, rowJson } from './rowJson.ts';
import { UnreadRow } from './UnreadView.tsx';
import { ValueView, copyCell } from './ValueView.tsx';

// Parsing with places is needed only once somebody edits.
const JsonEditor = lazy(async () => ({ default: (await import('./JsonEditor.tsx')).JsonEditor }));

/** A row whose JSON is being edited: it stays that row while others are looked at. */
interface JsonEditing {
  readonly text: string;
  readonly row: readonly Cell[];
  readonly columns: readonly JsonColumn[];
  readonly apply: (changes: readonly JsonChange[]) => void;
}

type InspectorView = 'value' | 'fields' | 'json';

/** The row of the active cell, and what of it can be edited. */
export interface InspectedRow {
  /** Undefined while the row is being read, and while no cell is chosen. */
  readonly cells: readonly PageCell[] | undefined;
  /** The row's number, which identifies it. */
  readonly number: number | undefined;
  /** The places of staged changes. */
  readonly changed: ReadonlySet<number>;
  /** Why a cell of the row cannot be edited. */
  readonly refusal: (place: number) => string | undefined;
  /** Why nothing of this row can be edited. */
  readonly rowRefusal: string | undefined;
  /** Why rows cannot be edited at all. */
  readonly tableRefusal: string | undefined;
}

export interface InspectorCommands {
  /** Makes another cell of the row the active one. */
  readonly goTo: (place: number) => void;
  /** Stages changes of the row as one step. */
  readonly set: (changes: readonly JsonChange[]) => void;
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
}

/** The row of the active cell: one whole value, its fields as a form, the row as JSON. */
export function Inspector({ columns, described, place, row: inspected, commands }: Props): ReactNode {
  const { cells: row, number: rowNumber, changed, refusal, rowRefusal, tableRefusal } = inspected;
  const words = strings.inspector;
  const [view, setView] = useState<InspectorView>('value');
  const [search, setSearch] = useState('');
  const [editing, setEditing] = useState<JsonEditing>();
  const editsJson = view === 'json' && editing !== undefined;
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
    if (!isValue && row !== undefined)
      commands.read(everyPlace, (values) => void copyText(rowJson(columns, values), words.copiedRow));
    else if (place !== undefined && cell !== undefined) copyValue(place);
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
      column={isValue ? column : undefined}
      title={isValue ? words.label : words.rowTitle}
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
      {isValue || (row === undefined && !editsJson) ? (
        <ValueView
          key={`${rowKey} ${column?.name}`}
          column={column}
          cell={cell}
          onRead={() => (place === undefined ? undefined : commands.read([place]))}
          {...(isValue && place !== undefined
            ? {
                edit: {
                  refusal: row === undefined ? undefined : refusal(place),
                  onSet: (value: Cell) => commands.set([{ place, value }]),
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
          row={{ key: rowKey, cells: row, changed, isNullable: nullable, refusal }}
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
        <Suspense fallback={<div className={styles.body} aria-busy />}>
          <JsonEditor
            text={editing.text}
            columns={editing.columns}
            row={editing.row}
            onText={(text) => setEditing({ ...editing, text })}
            onApply={editing.apply}
            onClose={() => setEditing(undefined)}
          />
        </Suspense>
      ) : null}
      {view === 'json' && !editsJson && row !== undefined && wholeRow === undefined ? (
        <UnreadRow row={row} onRead={() => commands.read(everyPlace)} />
      ) : null}
      {view === 'json' && !editsJson && wholeRow !== undefined ? (
        <JsonView
          key={rowKey}
          columns={columns}
          places={places}
          row={wholeRow}
          refusal={rowRefusal}
          onEdit={() =>
            setEditing({
              text: rowJson(columns, wholeRow),
              row: wholeRow,
              columns: columns.map(({ name, kind }, at) => ({ name, kind, nullable: nullable(at), refusal: refusal(at) })),
              apply: commands.set,
            })
          }
        />
      ) : null}
    </InspectorFrame>
  );
}
