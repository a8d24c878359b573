import { Button } from '@mantine/core';
import { isUnread } from '@tabularium/sdk';
import type { Cell, PageCell } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { editText } from '../editing/editValue.ts';
import { wholeText } from '../grid/model/cellText.ts';
import type { CellTone } from '../grid/model/cellText.ts';
import type { GridColumn } from '../grid/model/gridColumns.ts';
import { indentJson } from '../grid/model/jsonText.ts';
import { strings } from '../i18n/index.ts';
import { BoundedText, LONGEST_SHOWN } from './BoundedText.tsx';
import { copyText } from '../ui/copyText.ts';
import styles from './inspector.module.css';
import { ReferenceLinks } from './ReferenceLinks.tsx';
import type { FieldReference } from './ReferenceLinks.tsx';
import { UnreadView } from './UnreadView.tsx';
import { ValueLink } from './ValueLink.tsx';

interface Props {
  readonly column: GridColumn | undefined;
  /** Undefined while the row is being read. */
  readonly cell: PageCell | undefined;
  /** Reads a value that its page left out. */
  readonly onRead?: () => void;
  /** The rows of other tables that the value refers to. */
  readonly references?: readonly FieldReference[];
  /** Absent where the value is only looked at. `onEdit` gets the text to begin with. */
  readonly edit?: { readonly refusal: string | undefined; readonly onEdit: (text: string) => void };
}

/** Said in place of a value that has no text. */
function markOf(tone: CellTone): string | undefined {
  const { nullTitle, absentTitle, emptyTitle } = strings.grid;
  return { null: nullTitle, absent: absentTitle, empty: emptyTitle }[tone as 'null'];
}

export function copyCell(column: GridColumn, cell: Cell): void {
  void copyText(wholeText(cell, column.kind).text, strings.grid.copied(column.name));
}

/** The whole value of one cell. */
export function ValueView({ column, cell, onRead, references = [], edit }: Props): ReactNode {
  const words = strings.inspector;
  if (column === undefined || cell === undefined) {
    return (
      <p className={styles.body} data-mark>
        {column === undefined ? words.noCell : words.notLoaded}
      </p>
    );
  }
  if (isUnread(cell)) return <UnreadView column={column.name} value={cell[1]} onRead={() => onRead?.()} />;
  const whole = wholeText(cell, column.kind);
  const mark = markOf(whole.tone);
  const text = whole.tone === 'json' && whole.text.length <= LONGEST_SHOWN ? indentJson(whole.text) : whole.text;
  return (
    <>
      {mark === undefined ? (
        <BoundedText
          text={text}
          length={whole.text.length}
          label={words.fieldOf(column.name)}
          onCopyAll={() => copyCell(column, cell)}
        />
      ) : (
        <p className={styles.body} data-mark>
          {mark}
        </p>
      )}
      <ValueLink column={column} cell={cell} />
      <ReferenceLinks references={references} />
      {edit?.refusal === undefined ? null : <p className={styles.reason}>{edit.refusal}</p>}
      {edit !== undefined && edit.refusal === undefined ? (
        <div className={styles.actions}>
          <Button variant="default" onClick={() => edit.onEdit(mark === undefined ? text : editText(cell, column.kind))}>
            {words.edit}
          </Button>
        </div>
      ) : null}
    </>
  );
}
