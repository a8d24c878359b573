import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconCopy, IconDotsVertical, IconLock, IconRoute } from '@tabler/icons-react';
import { ABSENT } from '@tabularium/sdk';
import type { Cell } from '@tabularium/sdk';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { GridColumn } from '../grid/model/gridColumns.ts';
import { strings } from '../i18n/index.ts';
import { copyText } from '../ui/copyText.ts';
import { FieldInput } from './FieldInput.tsx';
import styles from './inspector.module.css';
import { copyCell } from './ValueView.tsx';

/** More fields at once make every move in the grid slow. */
const SHOWN_AT_FIRST = 80;

interface Props {
  /** Tells the row from others, so that what is typed stays with its row. */
  readonly rowKey: string;
  readonly columns: readonly GridColumn[];
  readonly places: readonly number[];
  readonly active: number | undefined;
  readonly row: readonly Cell[];
  readonly changed: ReadonlySet<number>;
  readonly isNullable: (place: number) => boolean;
  readonly refusal: (place: number) => string | undefined;
  readonly onPlace: (place: number) => void;
  readonly onShowWhole: (place: number) => void;
  readonly onSet: (place: number, value: Cell) => void;
}

/** All fields of the row as a form. */
export function FieldsView(props: Props): ReactNode {
  const { rowKey, columns, places, active, row, changed } = props;
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
              key={`${rowKey} ${column.name}`}
              data-active={place === active || undefined}
              data-changed={changed.has(place) || undefined}
            >
              <Field {...props} column={column} place={place} cell={row[place] ?? null} />
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

interface FieldProps extends Pick<Props, 'isNullable' | 'refusal' | 'onPlace' | 'onShowWhole' | 'onSet'> {
  readonly column: GridColumn;
  readonly place: number;
  readonly cell: Cell;
}

function Field({ column, place, cell, isNullable, refusal, onPlace, onShowWhole, onSet }: FieldProps): ReactNode {
  const words = strings.inspector;
  const reason = refusal(place);
  const { name } = column;
  return (
    <>
      <div className={styles.fieldHead}>
        <span className={styles.fieldName} title={name}>
          {name}
        </span>
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
          onClick={() => copyCell(column, cell)}
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
            <Menu.Item onClick={() => onPlace(place)}>{words.showInGrid}</Menu.Item>
            <Menu.Divider />
            <Menu.Item
              disabled={reason !== undefined || !isNullable(place)}
              title={reason ?? (isNullable(place) ? undefined : strings.editing.notNullable)}
              onClick={() => onSet(place, null)}
            >
              {words.setNull}
            </Menu.Item>
            <Menu.Item disabled={reason !== undefined} title={reason} onClick={() => onSet(place, ABSENT)}>
              {words.setAbsent}
            </Menu.Item>
            {column.kind === 'text' ? (
              <Menu.Item disabled={reason !== undefined} title={reason} onClick={() => onSet(place, '')}>
                {words.setEmpty}
              </Menu.Item>
            ) : null}
          </Menu.Dropdown>
        </Menu>
      </div>
      <FieldInput
        column={column}
        cell={cell}
        refusal={reason}
        onSet={(value) => onSet(place, value)}
        onShowWhole={() => onShowWhole(place)}
      />
    </>
  );
}
