import { Button } from '@mantine/core';
import type { PrincipalField, PrincipalInput } from '@tabularium/sdk';
import { useEffect, useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { DialogActions } from '../ui/DialogActions.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { FieldView } from './FieldView.tsx';
import { changedFields, faultsOf, initialEntries, toPrincipalInput } from './principalInput.ts';
import type { PrincipalEntries } from './principalInput.ts';
import styles from './principals.module.css';

export interface FormWords {
  readonly confirm: string;
  readonly failed: string;
}

interface Props {
  readonly words: FormWords;
  readonly fields: readonly PrincipalField[];
  /** Whether only fields that a person changed are passed on. */
  readonly changedOnly?: boolean;
  readonly make: (input: PrincipalInput) => Promise<void>;
  readonly onClose: () => void;
}

/** A form that a driver describes. A refusal is shown at its field. */
export function PrincipalForm({ words, fields, changedOnly = false, make, onClose }: Props): ReactNode {
  const [entries, setEntries] = useState<PrincipalEntries>(() => initialEntries(fields));
  const [tried, setTried] = useState(false);
  const [making, setMaking] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const form = useRef<HTMLFormElement>(null);
  // The fields arrive after the dialog, which has put the focus onto its close button by then.
  useEffect(() => form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), []);
  const open = fields.filter(({ ability }) => ability?.allowed !== false);
  const faults = tried ? faultsOf(open, entries) : {};

  const first = fields.findIndex(({ ability }) => ability?.allowed !== false);
  const errorOf = (field: PrincipalField): string | undefined => {
    const fault = faults[field.id];
    if (fault !== undefined) return fault === 'required' ? strings.principals.required(field.label) : strings.principals.badTime;
    return problem?.details.field === field.id ? problem.message : undefined;
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (making || Object.keys(faultsOf(open, entries)).length > 0) return;
    setMaking(true);
    setProblem(undefined);
    try {
      await make(toPrincipalInput(changedOnly ? changedFields(open, entries) : open, entries));
      setMaking(false);
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
          isFirst={place === first}
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
