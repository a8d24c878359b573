import { isUnread, wholeStart } from '@tabularium/sdk';
import type { Cell, PageCell } from '@tabularium/sdk';
import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { editFaultIn, editFaultText } from '../editing/editFault.ts';
import { valueOf } from '../editing/editValue.ts';
import { readingText } from '../editing/readingText.ts';
import { useTypedText } from '../editing/useTypedText.ts';
import { shownText, wholeText } from '../grid/model/cellText.ts';
import type { GridColumn } from '../grid/model/gridColumns.ts';
import { placeholderOf } from '../grid/model/presetText.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import styles from './inspector.module.css';

/** A longer value is looked at in its own view first: a form of such texts is slow to draw. */
const LONGEST_EDITED = 20_000;
const SHOWN_OF_LONG = 400;

interface Props {
  readonly column: GridColumn;
  readonly cell: PageCell;
  /** Whether its row isn't in the database. */
  readonly isNew?: boolean | undefined;
  /** Why it cannot be edited. */
  readonly refusal: string | undefined;
  /** @returns whether it is staged */
  readonly onSet: (value: Cell) => Promise<boolean>;
  /** Reads a value that its page left out. */
  readonly onRead: () => void;
  /** Shows the whole of a value that is too long for the form. */
  readonly onShowWhole: () => void;
}

/** The value of one field, as a control that fits its kind. It is staged with Enter, as in the grid, or when the focus leaves it. */
export function FieldInput({ column, cell, isNew, refusal, onSet, onRead, onShowWhole }: Props): ReactNode {
  const words = strings.inspector;
  const { text, tone } = wholeText(cell, column.kind);
  const [draft, setDraft] = useState<string>();
  const [fault, setFault] = useState<string>();
  useTypedText(draft !== undefined && draft !== text);
  const typed = useRef<() => void>(undefined);
  typed.current =
    draft === undefined || draft === text
      ? undefined
      : () => {
          const edited = valueOf(draft, column);
          if (edited.ok) void onSet(edited.value);
          else notify({ tone: 'warning', text: words.droppedText(column.name, draft, editFaultText(edited.fault)) });
        };
  // A click on another row takes the field away before it loses the focus.
  useEffect(() => () => typed.current?.(), []);
  const preset = isNew === true ? placeholderOf(column) : undefined;
  const mark = { null: words.marks.null, absent: preset ?? words.marks.absent, empty: words.marks.empty }[tone as 'null'];
  const label = words.fieldOf(column.name);
  if (isUnread(cell)) {
    return (
      <button type="button" className={styles.long} aria-label={words.readValueOf(column.name)} onClick={onRead}>
        <span>{shownText(cell, column.kind).text}</span>
        <em>{words.readValue}</em>
      </button>
    );
  }
  if (text.length > LONGEST_EDITED) {
    return (
      <button type="button" className={styles.long} aria-label={label} onClick={onShowWhole}>
        <span>{wholeStart(text, SHOWN_OF_LONG)}…</span>
        <em>{words.tooLongToEdit(text.length)}</em>
      </button>
    );
  }
  const common = { label, isDisabled: refusal !== undefined, mark };
  if (column.kind === 'boolean' && (tone === 'boolean' || mark !== undefined)) {
    const choices = [
      { text: 'true', shown: words.trueWord, value: true },
      { text: 'false', shown: words.falseWord, value: false },
    ];
    return <ChoiceSelect {...common} choices={choices} text={tone === 'boolean' ? text : undefined} onSet={onSet} />;
  }
  // A value that is none of the labels is a text to correct.
  if (column.values !== undefined && (column.values.includes(text) || mark !== undefined)) {
    const choices = column.values.map((value) => ({ text: value, shown: value === '' ? strings.grid.empty : value, value }));
    return (
      <ChoiceSelect
        {...common}
        choices={choices}
        text={column.values.includes(text) && tone !== 'null' && tone !== 'absent' ? text : undefined}
        onSet={onSet}
      />
    );
  }
  const stage = (): void => {
    if (draft === undefined || draft === text) {
      setDraft(undefined);
      setFault(undefined);
      return;
    }
    const edited = valueOf(draft, column);
    if (!edited.ok) {
      setFault(editFaultIn(edited.fault, draft, column));
      return;
    }
    typed.current = undefined;
    setDraft(undefined);
    setFault(undefined);
    void onSet(edited.value).then((isStaged) => {
      if (!isStaged) setDraft((now) => now ?? draft);
    });
  };
  const isNumber = column.kind === 'integer' || column.kind === 'decimal';
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const command = event.ctrlKey || event.metaKey;
    // As in the grid, a line break is Shift+Enter; JSON has lines of its own.
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey && (command || column.kind !== 'json')) {
      event.preventDefault();
      stage();
    } else if (event.key === 'Escape' && draft !== undefined) {
      // Leaves the field as it was; the next one closes the inspector.
      event.stopPropagation();
      typed.current = undefined;
      setDraft(undefined);
      setFault(undefined);
    }
  };
  const reading = draft === undefined || draft === text ? undefined : readingText(draft, column.kind);
  const attributes = {
    className: styles.input,
    'aria-label': label,
    'aria-invalid': fault !== undefined,
    'data-mark': (mark !== undefined && draft === undefined) || undefined,
    'aria-required': column.isRequired,
    readOnly: refusal !== undefined,
    placeholder: mark,
    spellCheck: false,
    autoComplete: 'off',
    value: draft ?? text,
    onBlur: stage,
    onKeyDown,
  } as const;
  return (
    <>
      {isNumber ? (
        <input
          {...attributes}
          inputMode={column.kind === 'integer' ? 'numeric' : 'decimal'}
          onChange={(event) => setDraft(event.currentTarget.value)}
        />
      ) : (
        <textarea {...attributes} rows={1} onChange={(event) => setDraft(event.currentTarget.value)} />
      )}
      {reading === undefined || fault !== undefined ? null : (
        <p className={styles.reason} role="status">
          {reading}
        </p>
      )}
      {fault === undefined ? null : (
        <p className={styles.fieldFault} role="alert">
          {fault}
        </p>
      )}
    </>
  );
}

interface Choice {
  /** Unique among the choices. */
  readonly text: string;
  readonly shown: string;
  readonly value: Cell;
}

interface ChoiceProps {
  readonly label: string;
  readonly isDisabled: boolean;
  readonly choices: readonly Choice[];
  /** That of the choice that the field has; undefined where its value is none of them. */
  readonly text: string | undefined;
  readonly mark: string | undefined;
  readonly onSet: (value: Cell) => Promise<boolean>;
}

/**
 * A choice from the list is staged at once. The arrow keys go through the values of a closed list, so those are a draft, like the text of other
 * fields: Escape leaves the field as it was.
 */
function ChoiceSelect({ label, isDisabled, choices, text, mark, onSet }: ChoiceProps): ReactNode {
  const place = choices.findIndex((choice) => choice.text === text);
  const [draft, setDraft] = useState<number>();
  const byKey = useRef(false);
  const set = (at: number): void => {
    const choice = choices[at];
    if (choice !== undefined && at !== place) void onSet(choice.value);
  };
  const stage = (): void => {
    if (draft !== undefined) set(draft);
    setDraft(undefined);
  };
  return (
    <select
      className={styles.input}
      aria-label={label}
      disabled={isDisabled}
      data-mark={(place === -1 && draft === undefined) || undefined}
      value={draft ?? place}
      onChange={(event) => {
        const chosen = Number(event.currentTarget.value);
        if (byKey.current) setDraft(chosen);
        else set(chosen);
      }}
      onBlur={stage}
      onKeyDown={(event) => {
        byKey.current = true;
        if (event.key === 'Enter' && draft !== undefined) {
          event.preventDefault();
          stage();
        } else if (event.key === 'Escape' && draft !== undefined) {
          event.stopPropagation();
          setDraft(undefined);
        }
      }}
      onKeyUp={() => (byKey.current = false)}
      onPointerDown={() => (byKey.current = false)}
    >
      {place === -1 ? <option value={-1}>{mark}</option> : null}
      {choices.map((choice, at) => (
        <option key={choice.text} value={at}>
          {choice.shown}
        </option>
      ))}
    </select>
  );
}
