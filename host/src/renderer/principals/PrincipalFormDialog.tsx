import { Modal } from '@mantine/core';
import type { PrincipalField, PrincipalInput } from '@tabularium/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { problemOf } from '../api/problem.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import { PrincipalForm } from './PrincipalForm.tsx';
import type { FormWords } from './PrincipalForm.tsx';
import styles from './principals.module.css';

interface Words extends FormWords {
  readonly title: string;
  /** The purpose of the form, above its fields. */
  readonly help?: string;
}

interface Props {
  readonly words: Words;
  /** Of the question for the fields. */
  readonly queryKey: readonly string[];
  /** The fields, asked for each time, because what can be chosen changes with the database. */
  readonly load: (signal: AbortSignal) => Promise<readonly PrincipalField[]>;
  /** Makes what the form describes. A refusal is shown in the form. */
  readonly make: (input: PrincipalInput) => Promise<void>;
  readonly onClose: () => void;
}

/** A form that a driver describes. */
export function PrincipalFormDialog({ words, queryKey, load, make, onClose }: Props): ReactNode {
  const form = useQuery({ queryKey, queryFn: ({ signal }) => load(signal), gcTime: 0 });
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.title}
      size={520}
      yOffset={48}
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      {form.error === null ? null : (
        <ProblemPanel
          compact
          title={strings.principals.formFailed}
          problem={problemOf(form.error)}
          onRetry={() => void form.refetch()}
        />
      )}
      {words.help === undefined ? null : <p className={styles.secretText}>{words.help}</p>}
      {form.data === undefined ? (
        <div className={styles.formPending} aria-busy={form.error === null} />
      ) : (
        <PrincipalForm words={words} fields={form.data} make={make} onClose={onClose} />
      )}
    </Modal>
  );
}
