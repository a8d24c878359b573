import { Button, Modal } from '@mantine/core';
import type { PrincipalField, PrincipalInput } from '@tabularium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import { FieldView } from './FieldView.tsx';
import { faultsOf, initialEntries, toPrincipalInput } from './principalInput.ts';
import type { PrincipalEntries } from './principalInput.ts';
import styles from './principals.module.css';
import { DialogActions } from '../ui/DialogActions.tsx';

interface Words {
  readonly title: string;
  /** The purpose of the form, above its fields. */
  readonly help?: string;
  readonly confirm: string;
  readonly failed: string;
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
        <Form words={words} fields={form.data} make={make} onClose={onClose} />
      )}
    </Modal>
  );
}

function Form({
  words,
  fields,
  make,
  onClose,
}: Pick<Props, 'words' | 'make' | 'onClose'> & { readonly fields: readonly PrincipalField[] }): ReactNode {
  const [entries, setEntries] = useState<PrincipalEntries>(() => initialEntries(fields));
  const [tried, setTried] = useState(false);
  const [making, setMaking] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const form = useRef<HTMLFormElement>(null);
  // The fields arrive after the dialog, which has put the focus onto its close button by then.
  useEffect(() => form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), []);
  const faults = tried ? faultsOf(fields, entries) : {};

  const errorOf = (field: PrincipalField): string | undefined => {
    const fault = faults[field.id];
    if (fault !== undefined) return fault === 'required' ? strings.principals.required(field.label) : strings.principals.badTime;
    return problem?.details.field === field.id ? problem.message : undefined;
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (making || Object.keys(faultsOf(fields, entries)).length > 0) return;
    setMaking(true);
    setProblem(undefined);
    try {
      await make(toPrincipalInput(fields, entries));
    } catch (error) {
      setProblem(problemOf(error));
      setMaking(false);
    }
  };

  return (
    <form ref={form} noValidate className={styles.form} onSubmit={(event) => void submit(event)}>
      {fields.map((field, place) => (
        <FieldView
          key={field.id}
          field={field}
          value={entries[field.id] ?? ''}
          error={errorOf(field)}
          isFirst={place === 0}
          onChange={(value) => setEntries((before) => ({ ...before, [field.id]: value }))}
        />
      ))}
      {problem === undefined ? null : <ProblemPanel compact title={words.failed} problem={problem} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {strings.common.cancel}
        </Button>
        <Button type="submit" loading={making}>
          {words.confirm}
        </Button>
      </DialogActions>
    </form>
  );
}
