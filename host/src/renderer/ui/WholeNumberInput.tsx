import { TextInput, UnstyledButton } from '@mantine/core';
import type { TextInputProps } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { notify, withdraw } from '../state/notify.ts';
import styles from './wholeNumberInput.module.css';

type Shown = Pick<
  TextInputProps,
  'aria-label' | 'aria-labelledby' | 'className' | 'description' | 'label' | 'placeholder' | 'w' | 'withAsterisk'
>;

interface Props extends Shown {
  /** How notices name the field. */
  readonly name: string;
  readonly value: number | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** Whether there is a place to click for one more and one less. The arrow keys are there always. */
  readonly hasSteps?: boolean;
  /** For a field at the right edge: the limits extend to the left. */
  readonly isAtRight?: boolean;
  /** Gets whole numbers from `min` to `max`, and undefined while the field is empty. */
  readonly onValue: (value: number | undefined) => void;
}

/** The field while a person is at it. */
interface Draft {
  readonly text: string;
  /** Escape brings it back. */
  readonly before: number | undefined;
}

/** As much as a person reads in a narrow field. */
const MOST_CHARACTERS = 24;

/** A number that is written in digits, not rounded, not cut; undefined for any other text. */
function readWholeNumber(text: string): number | undefined {
  return /^[-+]?\d+$/.test(text.trim()) ? Number(text) : undefined;
}

/**
 * A field for a whole number. While the person types, the text stays as it is typed, and one that is not a number within the limits is marked with
 * them. Enter and leaving the field set what is marked right, and say so: a number outside becomes the nearest limit, any other text gives way to
 * the number from before. Escape does that too. An emptied field shows its value again.
 */
export function WholeNumberInput({
  name,
  value,
  min = Number.MIN_SAFE_INTEGER,
  max = Number.MAX_SAFE_INTEGER,
  hasSteps = true,
  isAtRight = false,
  onValue,
  ...shown
}: Props): ReactNode {
  const words = strings.common;
  const about = `number ${useId()}`;
  const [draft, setDraft] = useState<Draft>();
  /** The sentence about the last correction. In a dialog the status bar is out of sight. */
  const [corrected, setCorrected] = useState<string>();
  const typed = draft === undefined ? undefined : readWholeNumber(draft.text);
  const isWrong = draft !== undefined && draft.text.trim() !== '' && (typed === undefined || typed < min || typed > max);
  const hasNoLimits = min === Number.MIN_SAFE_INTEGER && max === Number.MAX_SAFE_INTEGER;
  const nearest = (number: number): number => Math.min(Math.max(number, min), max);
  const forgetCorrection = (): void => {
    setCorrected(undefined);
    withdraw(about);
  };
  const type = (text: string): void => {
    forgetCorrection();
    setDraft({ text, before: draft === undefined ? value : draft.before });
    const number = readWholeNumber(text);
    if (text.trim() === '') onValue(undefined);
    else if (number !== undefined && nearest(number) === number) onValue(number);
  };
  const finish = (): void => {
    if (draft === undefined) return;
    if (isWrong) {
      const right = typed === undefined ? draft.before : nearest(typed);
      onValue(right);
      const said = words.corrected(name, draft.text.trim(), right);
      setCorrected(said);
      notify({ tone: 'plain', text: said, about });
    }
    setDraft(undefined);
  };
  const stepped = (by: 1 | -1): number => {
    const from = typed ?? value;
    return nearest(from === undefined ? Math.max(min, 0) : from + by);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : undefined;
    if (by !== undefined) type(String(stepped(by)));
    else if (event.key === 'Enter' && isWrong) finish();
    else if (event.key === 'Escape' && draft !== undefined) {
      onValue(draft.before);
      setDraft(undefined);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  // A field of a few digits has no room for the sentence, and it must not push away what is beside it.
  const isNoteAbove = corrected !== undefined && shown.description === undefined && shown.label === undefined;
  return (
    <TextInput
      {...shown}
      {...(corrected === undefined ? {} : { description: corrected })}
      size="xs"
      classNames={{
        root: styles.root,
        wrapper: styles.wrapper,
        error: styles.error,
        section: styles.section,
        ...(isNoteAbove ? { description: styles.note } : {}),
      }}
      wrapperProps={isAtRight ? { 'data-at-right': true } : {}}
      inputMode="numeric"
      autoComplete="off"
      spellCheck={false}
      maxLength={MOST_CHARACTERS}
      // Dialogs leave Escape to a field with this mark.
      data-mantine-stop-propagation={draft === undefined ? undefined : true}
      value={draft?.text ?? value ?? ''}
      error={isWrong ? (hasNoLimits ? words.wholeNumber : words.limits(min, max)) : undefined}
      rightSectionWidth={20}
      rightSection={
        hasSteps ? (
          <span className={styles.steps}>
            {([1, -1] as const).map((by) => (
              <UnstyledButton
                key={by}
                className={styles.step}
                aria-hidden
                tabIndex={-1}
                // The press would take the focus from the field.
                onMouseDown={(event) => event.preventDefault()}
                // Without the focus there is nothing that Escape would bring back.
                onClick={() => (draft === undefined ? onValue(stepped(by)) : type(String(stepped(by))))}
              >
                {by === 1 ? <IconChevronUp size={10} /> : <IconChevronDown size={10} />}
              </UnstyledButton>
            ))}
          </span>
        ) : null
      }
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onKeyDown={onKeyDown}
      // A person who comes back has read it, and may enter the very number that is there.
      onFocus={forgetCorrection}
      onBlur={finish}
    />
  );
}
