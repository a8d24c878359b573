import { ActionIcon, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconLetterCase, IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { strings } from '../../i18n/index.ts';
import styles from './tab.module.css';
import type { FindState } from '../tab/useFind.ts';

/** Looks for text in the rows that are loaded, and says that it is those. */
export function FindBar({ find, loaded }: { readonly find: FindState; readonly loaded: number }): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  const { opened } = find;
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [opened]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      event.preventDefault();
      find.go(event.shiftKey);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      find.close();
    }
    // The keys of the grid mean other things here.
    event.stopPropagation();
  };
  const words = strings.find;
  const { count } = find;
  const reported = find.isCut ? words.mostMatches(find.place, count) : words.matches(find.place, count);
  return (
    <search className={styles.find} aria-label={words.label} onKeyDown={onKeyDown}>
      <TextInput
        ref={field}
        size="xs"
        aria-label={words.label}
        placeholder={words.placeholder}
        value={find.text}
        onChange={(event) => find.setText(event.currentTarget.value)}
      />
      <ActionIcon
        aria-label={words.matchCase}
        title={words.matchCase}
        aria-pressed={find.matchCase}
        onClick={() => find.setMatchCase(!find.matchCase)}
      >
        <IconLetterCase size={16} stroke={1.75} />
      </ActionIcon>
      <ActionIcon aria-label={words.previous} title={words.previous} disabled={count === 0} onClick={() => find.go(true)}>
        <IconChevronUp size={16} stroke={1.75} />
      </ActionIcon>
      <ActionIcon aria-label={words.next} title={words.next} disabled={count === 0} onClick={() => find.go(false)}>
        <IconChevronDown size={16} stroke={1.75} />
      </ActionIcon>
      <span role="status" className={styles.findCount}>
        {find.text === '' ? null : count === 0 ? words.none : reported} <span>{words.scope(loaded)}</span>
      </span>
      <ActionIcon aria-label={words.close} title={words.close} onClick={find.close}>
        <IconX size={16} stroke={1.75} />
      </ActionIcon>
    </search>
  );
}
