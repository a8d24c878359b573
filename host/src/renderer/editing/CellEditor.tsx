import { useRef } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import type { CellEditing } from './cellEditing.ts';
import styles from './editing.module.css';
import { useEditorFocus } from './useEditorFocus.ts';
import { useShiftIntoGrid } from './useShiftIntoGrid.ts';

/** Longer values, and JSON, are edited in a box of several lines. */
const LONG = 80;

interface Props {
  readonly column: string;
  readonly editing: CellEditing;
  readonly isJson: boolean;
  /** Whether the box of several lines opens upwards. */
  readonly opensUp: boolean;
}

/** The editor in place of a cell. */
export function CellEditor({ column, editing, isJson, opensUp }: Props): ReactNode {
  const field = useEditorFocus<HTMLTextAreaElement>(editing);
  const editor = useShiftIntoGrid();
  const isLarge = isJson || editing.text.length > LONG || editing.text.includes('\n');
  // As it was when the editor opened: nothing changes its place while somebody types.
  const wasLarge = useRef(isLarge);

  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    // While an input method composes, Enter and Escape are for its own text.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      editing.cancel();
    } else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      editing.commit('down');
    } else if (event.key === 'Tab') {
      event.preventDefault();
      editing.commit(event.shiftKey ? 'left' : 'right');
    }
  };

  return (
    <span ref={editor} className={styles.editor} data-large={wasLarge.current || undefined} data-up={opensUp || undefined}>
      <textarea
        ref={field}
        className={styles.field}
        aria-label={strings.editing.editOf(column)}
        aria-invalid={editing.fault !== undefined}
        rows={1}
        spellCheck={false}
        value={editing.text}
        onChange={(event) => editing.change(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onMouseDown={(event) => event.stopPropagation()}
        onDoubleClick={(event) => event.stopPropagation()}
        onContextMenu={(event) => event.stopPropagation()}
        onBlur={() => editing.leave()}
      />
      {editing.fault === undefined ? null : (
        <span className={styles.fault} role="alert">
          {editing.fault}
        </span>
      )}
      {editing.fault !== undefined || editing.reading === undefined ? null : (
        <span className={styles.reading} role="status">
          {editing.reading}
        </span>
      )}
    </span>
  );
}
