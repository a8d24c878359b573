import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconCopy, IconDotsVertical, IconLock, IconRoute } from '@tabler/icons-react';
import { ABSENT } from '@tabularium/sdk';
import type { Cell, PageCell } from '@tabularium/sdk';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { GridColumn } from '../grid/model/gridColumns.ts';
import { strings } from '../i18n/index.ts';
import { copyText } from '../ui/copyText.ts';
import { RequiredMark } from '../ui/RequiredMark.tsx';
import { FieldInput } from './FieldInput.tsx';
import styles from './inspector.module.css';
import { ReferenceLinks } from './ReferenceLinks.tsx';
import type { FieldReference } from './ReferenceLinks.tsx';
import { ValueLink } from './ValueLink.tsx';

/** More fields at once make every move in the grid slow. */
const SHOWN_AT_FIRST = 80;

/** The row of the form. */
export interface FieldsRow {
  /** Identifies the row, so that typed text stays with its row. */
  readonly key: string;
  readonly cells: readonly PageCell[];
  /** The places of staged changes. */
  readonly changed: ReadonlySet<number>;
  readonly isNullable: (place: number) => boolean;
  /** It isn't in the database: a field without a value gets the one that the database gives it. */
  readonly isNew?: boolean;
  /** Why a cell cannot be edited. */
  readonly refusal: (place: number) => string | undefined;
  /** The rows of other tables that a cell refers to. */
  readonly references: (place: number) => readonly FieldReference[];
}

export interface FieldCommands {
  /** Makes the cell the active one of the grid. */
  readonly goTo: (place: number) => void;
  readonly showWhole: (place: number) => void;
  /** @returns whether it is staged */
  readonly set: (place: number, value: Cell) => Promise<boolean>;
  /** Reads a value that its page left out. */
  readonly read: (place: number) => void;
  readonly copy: (place: number) => void;
}

interface Props {
  readonly columns: readonly GridColumn[];
  /** The fields to show, by their places. */
  readonly places: readonly number[];
  readonly active: number | undefined;
  readonly row: FieldsRow;
  readonly commands: FieldCommands;
}

/** All fields of the row as a form. */
export function FieldsView({ columns, places, active, row, commands }: Props): ReactNode {
  const words = strings.inspector;
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? places : places.slice(0, SHOWN_AT_FIRST);
  if (places.length === 0) return <p className={styles.reason}>{words.noMatch}</p>;
  return (
    <div className={styles.fields}>
      <ul aria-label={words.fields}>
        {shown.map((place) => {
          const column = columns[place];
          if (column === undefined) return null;
          return (
            <li
              key={`${row.key} ${column.name}`}
              data-active={place === active || undefined}
              data-changed={row.changed.has(place) || undefined}
            >
              <Field column={column} place={place} row={row} commands={commands} />
            </li>
          );
        })}
      </ul>
      {shown.length < places.length ? (
        <Button variant="subtle" fullWidth onClick={() => setShowsAll(true)}>
          {words.moreFields(places.length - shown.length)}
        </Button>
      ) : null}
    </div>
  );
}

interface FieldProps extends Pick<Props, 'row' | 'commands'> {
  readonly column: GridColumn;
  readonly place: number;
}

function Field({ column, place, row, commands }: FieldProps): ReactNode {
  const words = strings.inspector;
  const cell = row.cells[place] ?? null;
  const reason = row.refusal(place);
  const isNullable = row.isNullable(place);
  const { name } = column;
  return (
    <>
      <div className={styles.fieldHead}>
        <span className={styles.fieldName} title={name}>
          {name}
        </span>
        {column.isRequired === true ? <RequiredMark /> : null}
        <span className={styles.fieldType}>{column.type}</span>
        {reason === undefined ? null : (
          <span className={styles.lock} title={reason} role="img" aria-label={reason}>
            <IconLock size={12} stroke={1.75} />
          </span>
        )}
        <ActionIcon
          size={20}
          aria-label={words.copyPath(name)}
          title={words.copyPath(name)}
          onClick={() => void copyText(name, words.copiedPath(name))}
        >
          <IconRoute size={13} stroke={1.75} />
        </ActionIcon>
        <ActionIcon
          size={20}
          aria-label={words.copyValue(name)}
          title={words.copyValue(name)}
          onClick={() => commands.copy(place)}
        >
          <IconCopy size={13} stroke={1.75} />
        </ActionIcon>
        <Menu position="bottom-end" width={220} withinPortal>
          <Menu.Target>
            <ActionIcon size={20} aria-label={words.actions(name)} title={words.actions(name)}>
              <IconDotsVertical size={13} stroke={1.75} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown aria-label={words.actions(name)}>
            <Menu.Item onClick={() => commands.goTo(place)}>{words.showInGrid}</Menu.Item>
            <Menu.Divider />
            <Menu.Item
              disabled={reason !== undefined || !isNullable}
              title={reason ?? (isNullable ? undefined : strings.editing.notNullable)}
              onClick={() => void commands.set(place, null)}
            >
              {words.setNull}
            </Menu.Item>
            <Menu.Item disabled={reason !== undefined} title={reason} onClick={() => void commands.set(place, ABSENT)}>
              {words.setAbsent}
            </Menu.Item>
            {column.kind === 'text' ? (
              <Menu.Item disabled={reason !== undefined} title={reason} onClick={() => void commands.set(place, '')}>
                {words.setEmpty}
              </Menu.Item>
            ) : null}
          </Menu.Dropdown>
        </Menu>
      </div>
      <FieldInput
        column={column}
        cell={cell}
        isNew={row.isNew}
        refusal={reason}
        onSet={(value) => commands.set(place, value)}
        onRead={() => commands.read(place)}
        onShowWhole={() => commands.showWhole(place)}
      />
      <ValueLink column={column} cell={cell} />
      <ReferenceLinks references={row.references(place)} />
    </>
  );
}
