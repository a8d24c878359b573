import { ActionIcon, Button, SegmentedControl, TextInput } from '@mantine/core';
import { IconBraces, IconCopy, IconLock, IconRoute, IconX } from '@tabler/icons-react';
import type { Cell } from '@tabularium/sdk';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { cellJson } from '../../common/cellJson.ts';
import editing from '../editing/editing.module.css';
import { editText, valueOf } from '../editing/editValue.ts';
import type { RowMarks } from '../editing/stagedRows.ts';
import { strings } from '../strings/index.ts';
import { notify } from '../workspace/activity.ts';
import { shownText, wholeText } from './cellText.ts';
import type { CellTone } from './cellText.ts';
import styles from './grid.module.css';
import type { GridColumn } from './gridColumns.ts';
import { indentJson } from './jsonText.ts';
import type { GridRow } from './pageCache.ts';

/** More than this in one element makes the browser slow; copying takes the whole value all the same. */
const MAX_SHOWN = 200_000;

const words = strings.rowPanel;

const MARKS: Partial<Record<CellTone, string>> = {
  null: strings.grid.nullTitle,
  absent: strings.grid.absentTitle,
  empty: strings.grid.emptyTitle,
};

type PanelView = 'value' | 'fields' | 'json';

interface Props {
  readonly columns: readonly GridColumn[];
  /** The place of the active column. */
  readonly place: number | undefined;
  /** Undefined while the row is being read, and while no cell is chosen. */
  readonly row: GridRow | undefined;
  readonly marks: RowMarks | undefined;
  /** Why a cell of the row cannot be edited. */
  readonly refusal: (place: number) => string | undefined;
  readonly onPlace: (place: number) => void;
  readonly onSet: (place: number, value: Cell) => void;
  readonly onClose: () => void;
}

function copy(text: string, done: string): void {
  navigator.clipboard.writeText(text).then(
    () => notify({ tone: 'plain', text: done }),
    () => notify({ tone: 'warning', text: strings.grid.copyRefused }),
  );
}

/** The row as JSON, every digit kept; fields that it lacks are left out. */
function rowJson(columns: readonly GridColumn[], row: GridRow): string {
  const members = columns.flatMap((column, place) => {
    const value = cellJson(row[place] ?? null, column.kind);
    return value === undefined ? [] : [`${JSON.stringify(column.name)}:${value}`];
  });
  return indentJson(`{${members.join(',')}}`);
}

/** The row of the active cell: one whole value, all fields, or the row as JSON. */
export function RowPanel(props: Props): ReactNode {
  const { columns, place, row } = props;
  const [view, setView] = useState<PanelView>('value');
  const column = place === undefined ? undefined : columns[place];
  const cell = place === undefined ? undefined : row?.[place];
  const copyShown = (): void => {
    if (view !== 'value' && row !== undefined) copy(rowJson(columns, row), words.copiedRow);
    else if (column !== undefined && cell !== undefined)
      copy(wholeText(cell, column.kind).text, strings.grid.copied(column.name));
  };
  return (
    <aside className={styles.inspector} aria-label={strings.inspector.label}>
      <div className={styles.inspectorHead}>
        <h2 className={styles.inspectorTitle}>
          <span>{column?.name ?? strings.inspector.label}</span>
          <span>{column?.type}</span>
        </h2>
        <ActionIcon
          aria-label={view === 'value' ? strings.inspector.copy : words.copyRow}
          title={view === 'value' ? strings.inspector.copy : words.copyRow}
          disabled={row === undefined || (view === 'value' && cell === undefined)}
          onClick={copyShown}
        >
          {view === 'value' ? <IconCopy size={16} stroke={1.75} /> : <IconBraces size={16} stroke={1.75} />}
        </ActionIcon>
        <ActionIcon aria-label={strings.inspector.close} title={strings.inspector.close} onClick={props.onClose}>
          <IconX size={16} stroke={1.75} />
        </ActionIcon>
      </div>
      <div className={editing.panelTools}>
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
      {view === 'value' ? (
        <ValueView
          key={column?.name}
          column={column}
          cell={cell}
          refusal={place === undefined || row === undefined ? undefined : props.refusal(place)}
          onSet={(value) => (place === undefined ? undefined : props.onSet(place, value))}
        />
      ) : null}
      {view === 'fields' ? <FieldsView {...props} /> : null}
      {view === 'json' ? <JsonView columns={columns} row={row} /> : null}
    </aside>
  );
}

interface ValueProps {
  readonly column: GridColumn | undefined;
  readonly cell: Cell | undefined;
  readonly refusal: string | undefined;
  readonly onSet: (value: Cell) => void;
}

/** The whole value of one cell. */
function ValueView({ column, cell, refusal, onSet }: ValueProps): ReactNode {
  const [draft, setDraft] = useState<string>();
  const [fault, setFault] = useState<string>();
  const whole = column === undefined || cell === undefined ? undefined : wholeText(cell, column.kind);
  const mark =
    whole === undefined ? (column === undefined ? strings.inspector.noCell : strings.inspector.notLoaded) : MARKS[whole.tone];
  const text =
    whole === undefined ? '' : whole.tone === 'json' && whole.text.length <= MAX_SHOWN ? indentJson(whole.text) : whole.text;
  const close = (): void => {
    setDraft(undefined);
    setFault(undefined);
  };
  const stage = (): void => {
    if (column === undefined || draft === undefined) return;
    const edited = valueOf(draft, column.kind);
    if (edited.ok) {
      onSet(edited.value);
      close();
    } else setFault(strings.editing.faults[edited.kind]);
  };

  if (draft !== undefined && column !== undefined) {
    return (
      <>
        <textarea
          className={editing.panelEditor}
          aria-label={strings.editing.editOf(column.name)}
          aria-invalid={fault !== undefined}
          spellCheck={false}
          autoFocus
          value={draft}
          onChange={(event) => setDraft(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            close();
          }}
        />
        {fault === undefined ? null : (
          <p className={editing.panelReason} role="alert">
            {fault}
          </p>
        )}
        <div className={editing.panelActions}>
          <Button variant="default" onClick={close}>
            {words.cancel}
          </Button>
          <Button onClick={stage}>{words.stage}</Button>
        </div>
      </>
    );
  }
  return (
    <>
      <pre className={styles.inspectorBody} data-mark={mark !== undefined || undefined} tabIndex={0}>
        {mark ?? text.slice(0, MAX_SHOWN)}
      </pre>
      {whole === undefined || mark !== undefined ? null : (
        <div className={styles.inspectorFoot}>
          {text.length > MAX_SHOWN
            ? strings.inspector.cut(MAX_SHOWN, whole.text.length)
            : strings.inspector.length(whole.text.length)}
        </div>
      )}
      {refusal === undefined ? null : <p className={editing.panelReason}>{refusal}</p>}
      {refusal === undefined && column !== undefined && cell !== undefined ? (
        <div className={editing.panelActions}>
          <Button variant="default" onClick={() => setDraft(mark === undefined ? text : editText(cell, column.kind))}>
            {words.edit}
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** All fields of the row, to find one and to copy its value or its path. */
function FieldsView({ columns, place, row, marks, refusal, onPlace }: Props): ReactNode {
  const [search, setSearch] = useState('');
  if (row === undefined) {
    return (
      <p className={styles.inspectorBody} data-mark>
        {place === undefined ? strings.inspector.noCell : strings.inspector.notLoaded}
      </p>
    );
  }
  const wanted = search.trim().toLocaleLowerCase();
  const found = columns
    .map((column, at) => ({ column, at, cell: row[at] ?? null, shown: shownText(row[at] ?? null, column.kind) }))
    .filter(
      ({ column, shown }) => column.name.toLocaleLowerCase().includes(wanted) || shown.text.toLocaleLowerCase().includes(wanted),
    );
  return (
    <>
      <div className={editing.panelTools}>
        <TextInput
          aria-label={words.search}
          placeholder={words.search}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      {found.length === 0 ? <p className={editing.panelReason}>{words.noMatch}</p> : null}
      <ul className={editing.fieldList} aria-label={words.fields}>
        {found.map(({ column, at, cell, shown }) => {
          const reason = refusal(at);
          return (
            <li
              key={column.name}
              className={editing.fieldItem}
              data-active={at === place || undefined}
              data-changed={marks?.changed.has(at) || undefined}
            >
              <div className={editing.fieldHead}>
                <span className={editing.fieldName} title={column.name}>
                  {column.name}
                </span>
                <span className={editing.fieldType}>{column.type}</span>
                {reason === undefined ? null : (
                  <span className={editing.lock} title={reason} role="img" aria-label={reason}>
                    <IconLock size={12} stroke={1.75} />
                  </span>
                )}
                <ActionIcon
                  size={20}
                  aria-label={words.copyPath(column.name)}
                  title={words.copyPath(column.name)}
                  onClick={() => copy(column.name, words.copiedPath(column.name))}
                >
                  <IconRoute size={13} stroke={1.75} />
                </ActionIcon>
                <ActionIcon
                  size={20}
                  aria-label={words.copyValue(column.name)}
                  title={words.copyValue(column.name)}
                  onClick={() => copy(wholeText(cell, column.kind).text, strings.grid.copied(column.name))}
                >
                  <IconCopy size={13} stroke={1.75} />
                </ActionIcon>
              </div>
              <button type="button" className={editing.fieldValue} data-tone={shown.tone} onClick={() => onPlace(at)}>
                {shown.text}
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function JsonView({ columns, row }: { readonly columns: readonly GridColumn[]; readonly row: GridRow | undefined }): ReactNode {
  const text = row === undefined ? undefined : rowJson(columns, row);
  return (
    <>
      <pre className={styles.inspectorBody} data-mark={text === undefined || undefined} tabIndex={0}>
        {text?.slice(0, MAX_SHOWN) ?? strings.inspector.noCell}
      </pre>
      {text === undefined ? null : (
        <div className={styles.inspectorFoot}>
          {text.length > MAX_SHOWN ? strings.inspector.cut(MAX_SHOWN, text.length) : strings.inspector.length(text.length)}
        </div>
      )}
    </>
  );
}
