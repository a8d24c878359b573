import { useId, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import type { CellEditing } from './cellEditing.ts';
import styles from './editing.module.css';
import { useEditorFocus } from './useEditorFocus.ts';

/** More are found by typing. */
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
  const list = useId();
  const { text, hasValue } = editing;
  const [hasTyped, setHasTyped] = useState(false);
  const [chosen, setChosen] = useState<string>();
  const typed = text.trim().toLowerCase();
  // The label that the cell has finds no other one: all are shown until something is typed.
  const isSearch = hasTyped || !labels.includes(text);
  const found = (isSearch ? labels.filter((label) => label.toLowerCase().includes(typed)) : labels).slice(0, MOST_DRAWN);
  const active =
    chosen !== undefined && found.includes(chosen)
      ? chosen
      : activeOf(found, hasValue || typed !== '' ? text : undefined, isSearch && typed !== '');

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
    <span className={styles.editor} data-up={opensUp || undefined}>
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
        onBlur={() => editing.leave()}
      />
      <span
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
            {label === '' ? strings.grid.empty : label}
          </span>
        ))}
      </span>
      {editing.fault === undefined ? null : (
        <span className={styles.fault} role="alert">
          {editing.fault}
        </span>
      )}
    </span>
  );
}

/** The label that Enter takes before one is chosen by its arrow keys: the one that the text is, else the first that it finds. */
function activeOf(found: readonly string[], text: string | undefined, isSearched: boolean): string | undefined {
  return found.find((label) => label === text) ?? (isSearched ? found[0] : undefined);
}

function intoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
