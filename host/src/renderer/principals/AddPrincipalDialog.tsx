import { Button, Group, Modal } from '@mantine/core';
import type { CreatedPrincipal, PrincipalField } from '@tabularium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { PrincipalsInfo } from '../../common/principals.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import { FieldView } from './FieldView.tsx';
import { faultsOf, initialEntries, toPrincipalInput } from './principalInput.ts';
import type { PrincipalEntries } from './principalInput.ts';
import styles from './principals.module.css';

interface Props {
  readonly connectionId: string;
  readonly term: PrincipalsInfo['term'];
  readonly onCreated: (created: CreatedPrincipal) => void;
  readonly onClose: () => void;
}

/** Adds one. The fields are asked for each time, because what can be chosen changes with the database. */
export function AddPrincipalDialog({ connectionId, term, onCreated, onClose }: Props): ReactNode {
  const words = strings.principals;
  const form = useQuery({
    queryKey: ['principals', connectionId, 'form'],
    queryFn: ({ signal }) => api.principals.form.query({ connectionId }, { signal }),
    gcTime: 0,
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.addTitle(term)}
      size={520}
      yOffset={48}
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      {form.error === null ? null : (
        <ProblemPanel compact title={words.formFailed} problem={problemOf(form.error)} onRetry={() => void form.refetch()} />
      )}
      {form.data === undefined ? (
        <div className={styles.formPending} aria-busy={form.error === null} />
      ) : (
        <Form connectionId={connectionId} term={term} fields={form.data} onCreated={onCreated} onClose={onClose} />
      )}
    </Modal>
  );
}

function Form({
  connectionId,
  term,
  fields,
  onCreated,
  onClose,
}: Props & { readonly fields: readonly PrincipalField[] }): ReactNode {
  const words = strings.principals;
  const [entries, setEntries] = useState<PrincipalEntries>(() => initialEntries(fields));
  const [tried, setTried] = useState(false);
  const [adding, setAdding] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const form = useRef<HTMLFormElement>(null);
  // What the form asks for comes after the dialog, which has put the keyboard onto its cross by then.
  useEffect(() => form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), []);
  const faults = tried ? faultsOf(fields, entries) : {};

  const errorOf = (field: PrincipalField): string | undefined => {
    const fault = faults[field.id];
    if (fault !== undefined) return fault === 'required' ? words.required(field.label) : words.badTime;
    return problem?.details.field === field.id ? problem.message : undefined;
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (adding || Object.keys(faultsOf(fields, entries)).length > 0) return;
    setAdding(true);
    setProblem(undefined);
    try {
      onCreated(await api.principals.create.mutate({ connectionId, input: toPrincipalInput(fields, entries) }));
    } catch (error) {
      setProblem(problemOf(error));
      setAdding(false);
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
      {problem === undefined ? null : <ProblemPanel compact title={words.addFailed(term)} problem={problem} />}
      <Group justify="flex-end" gap={8} mt={8}>
        <Button variant="default" onClick={onClose}>
          {strings.common.cancel}
        </Button>
        <Button type="submit" loading={adding}>
          {words.addConfirm(term)}
        </Button>
      </Group>
    </form>
  );
}
