import { Button, Group, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './opening.module.css';

interface Props {
  /** Names the form where no dialog does. */
  readonly title?: string;
  readonly text: string;
  /** Of the field. */
  readonly label: string;
  readonly isRunning?: boolean;
  /** The reason why the last value didn't do. */
  readonly problem?: ReactNode;
  readonly onEnter: (value: string) => void;
  readonly onEdit: () => void;
}

/** Asks for the one credential that the host lacks. */
export function SecretForm({ title, text, label, isRunning = false, problem, onEnter, onEdit }: Props): ReactNode {
  const [value, setValue] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (value !== '' && !isRunning) onEnter(value);
  };
  return (
    <form className={styles.card} onSubmit={submit} aria-label={title}>
      {title === undefined ? null : <h1 className={styles.title}>{title}</h1>}
      <p className={styles.text}>{text}</p>
      <PasswordInput
        label={label}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
        autoFocus
        mb={12}
      />
      {problem}
      <Group gap={8}>
        <Button type="submit" disabled={value === ''} loading={isRunning}>
          {strings.opening.connect}
        </Button>
        <Button variant="default" onClick={onEdit}>
          {strings.opening.edit}
        </Button>
      </Group>
    </form>
  );
}
