import { useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import type { CellEditing } from './cellEditing.ts';
import { matchingLabel } from './editValue.ts';
import styles from './editing.module.css';
import { reviewedValue } from './reviewedValue.ts';
import { useEditorFocus } from './useEditorFocus.ts';
import { useShiftIntoGrid } from './useShiftIntoGrid.ts';

/** Others are found by typing. */
const MOST_DRAWN = 200;

interface Props {
  readonly column: string;
  readonly editing: CellEditing;
  readonly labels: readonly string[];
  /** Whether the list opens upwards. */
  readonly opensUp: boolean;
}

/** The editor in place of a cell that takes one of a list of labels. What is typed looks for one; the arrow keys choose one. */
export function LabelEditor({ column, editing, labels, opensUp }: Props): ReactNode {
  const field = useEditorFocus<HTMLInputElement>(editing);
  const editor = useShiftIntoGrid();
  const list = useId();
  const { text, hasValue } = editing;
  const [hasTyped, setHasTyped] = useState(false);
  const [chosen, setChosen] = useState<string>();
  const typed = text.trim().toLowerCase();
  // A person who leaves the list has chosen the label that the arrow keys went to.
  const leaving = useRef<string>(undefined);
  // The label that the cell has finds no other one: all are shown until something is typed.
  const isSearch = hasTyped || !labels.includes(text);
  const all = isSearch ? labels.filter((label) => label.toLowerCase().includes(typed)) : labels;
  const found = partOf(all, labels.indexOf(text));
  const active =
    chosen !== undefined && found.includes(chosen) ? chosen : hasValue || typed !== '' ? meantBy(text, found) : undefined;
  leaving.current = chosen === undefined ? undefined : active;

  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      const at = active === undefined ? (step === 1 ? -1 : 0) : found.indexOf(active);
      setChosen(found.at((at + step) % found.length));
    } else if (event.key === 'Escape') editing.cancel();
    else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) editing.commit('down', active);
    else if (event.key === 'Tab') editing.commit(event.shiftKey ? 'left' : 'right', active);
    else return;
    event.preventDefault();
  };

  return (
    <span ref={editor} className={styles.editor} data-up={opensUp || undefined}>
      <input
        ref={field}
        className={styles.field}
        role="combobox"
        aria-label={strings.editing.editOf(column)}
        aria-invalid={editing.fault !== undefined}
        aria-expanded={found.length > 0}
        aria-autocomplete="list"
        aria-controls={list}
        aria-activedescendant={active === undefined ? undefined : `${list}-${found.indexOf(active)}`}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setHasTyped(true);
          setChosen(undefined);
          editing.change(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
        onMouseDown={(event) => event.stopPropagation()}
        onDoubleClick={(event) => event.stopPropagation()}
        onContextMenu={(event) => event.stopPropagation()}
        onBlur={() => editing.leave(leaving.current)}
      />
      <span
        ref={keepWheel}
        id={list}
        role="listbox"
        aria-label={strings.editing.labelsOf(column)}
        className={styles.labels}
        hidden={found.length === 0}
        // The field keeps the focus.
        onMouseDown={(event) => {
          event.preventDefault();
          event.stopPropagation();
        }}
        onDoubleClick={(event) => event.stopPropagation()}
      >
        {found.map((label, index) => (
          <span
            key={label}
            id={`${list}-${index}`}
            ref={label === active ? intoView : undefined}
            role="option"
            aria-selected={label === active}
            className={styles.label}
            data-empty={label === '' || undefined}
            onClick={() => editing.commit(undefined, label)}
          >
            {label === '' ? strings.grid.empty : shownLabel(label)}
          </span>
        ))}
        {all.length <= found.length ? null : (
          <span className={styles.labelsNote} role="presentation">
            {strings.editing.moreLabels(all.length - found.length)}
          </span>
        )}
      </span>
      {editing.fault === undefined ? null : (
        <span className={styles.fault} role="alert">
          {editing.fault}
        </span>
      )}
    </span>
  );
}

/** At most so many as are drawn, with the one at this place among them. */
function partOf(labels: readonly string[], at: number): readonly string[] {
  const first = Math.max(0, Math.min(at - MOST_DRAWN / 2, labels.length - MOST_DRAWN));
  return labels.slice(first, first + MOST_DRAWN);
}

/**
 * The label that a typed text means, before one is chosen by the arrow keys: the one that it is, in letters of either case where only one is written
 * so; else the first that begins with it, or has it anywhere.
 */
function meantBy(text: string, found: readonly string[]): string | undefined {
  const whole = matchingLabel(text, found);
  if (whole !== undefined) return whole;
  const typed = text.trim().toLowerCase();
  if (typed === '' || found.some((label) => label.toLowerCase() === typed)) return undefined;
  return (
    found.find((label) => label.toLowerCase().startsWith(typed)) ?? found.find((label) => label.toLowerCase().includes(typed))
  );
}

function intoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

/** With its blanks at the ends, as a review shows them: two labels never look alike. */
function shownLabel(label: string): string {
  const { before, text, behind } = reviewedValue(label, 'text');
  return `${before}${text}${behind}`;
}

/** The table behind the list doesn't scroll, which would take the editor away. */
function keepWheel(list: HTMLElement | null): (() => void) | undefined {
  const onWheel = (event: WheelEvent): void => {
    event.stopPropagation();
    if (list === null) return;
    const isAtEnd = event.deltaY < 0 ? list.scrollTop <= 0 : list.scrollTop + list.clientHeight >= list.scrollHeight - 1;
    if (isAtEnd) event.preventDefault();
  };
  list?.addEventListener('wheel', onWheel, { passive: false });
  return () => list?.removeEventListener('wheel', onWheel);
}
