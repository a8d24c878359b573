import { Button, Modal, TextInput } from '@mantine/core';
import { visibleText } from '@tabularium/sdk';
import type { Principal, PrincipalAction, PrincipalPlan, PrincipalRequest } from '@tabularium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { api } from '../api/client.ts';
import { fieldsInDriverWords, notesInDriverWords } from '../api/driverTexts.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { DialogActions } from '../ui/DialogActions.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { PrincipalForm } from './PrincipalForm.tsx';
import styles from './principals.module.css';

interface Words {
  readonly title: string;
  readonly confirm: string;
  readonly failed: string;
}

interface Props {
  readonly connectionId: string;
  readonly action: PrincipalAction;
  readonly words: Words;
  /** The name to type before it is done, where nothing brings it back. */
  readonly typedName?: string;
  /** @param principal - as it is now; none where it was removed */
  readonly onDone: (principal: Principal | undefined) => void;
  readonly onClose: () => void;
}

interface Planned {
  readonly request: PrincipalRequest;
  readonly plan: PrincipalPlan;
}

/** Something that is done to a principal: a form, and then the exact statements to agree to. */
export function PlannedPrincipalDialog({ connectionId, action, words, typedName, onDone, onClose }: Props): ReactNode {
  const [planned, setPlanned] = useState<Planned>();
  const plan = async (request: PrincipalRequest): Promise<Planned> => ({
    request,
    plan: await api.principals.plan.mutate({ connectionId, request }),
  });
  const form = useQuery({
    queryKey: ['principals', connectionId, 'changeForm', action],
    queryFn: async ({ signal }) => {
      const fields = await api.principals.changeForm.query({ connectionId, action }, { signal });
      // With nothing to fill in, the statements come at once.
      if (fields.length === 0) setPlanned(await plan({ ...action, input: {} }));
      return fieldsInDriverWords(connectionId, fields);
    },
    gcTime: 0,
    staleTime: Infinity,
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.title}
      size={620}
      yOffset={48}
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      {form.error === null ? null : (
        <ProblemPanel compact title={words.failed} problem={problemOf(form.error)} onRetry={() => void form.refetch()} />
      )}
      {form.data === undefined ? <div className={styles.formPending} aria-busy={form.error === null} /> : null}
      {form.data === undefined || form.data.length === 0 ? null : (
        <div hidden={planned !== undefined}>
          <PrincipalForm
            words={{ confirm: strings.principals.review, failed: words.failed }}
            fields={form.data}
            changedOnly={action.is === 'change'}
            make={async (input) => setPlanned(await plan({ ...action, input }))}
            onClose={onClose}
          />
        </div>
      )}
      {planned === undefined ? null : (
        <Review
          connectionId={connectionId}
          planned={planned}
          words={words}
          typedName={typedName}
          onDone={onDone}
          onBack={form.data === undefined || form.data.length === 0 ? undefined : () => setPlanned(undefined)}
          onClose={onClose}
        />
      )}
    </Modal>
  );
}

interface ReviewProps extends Pick<Props, 'connectionId' | 'words' | 'onDone' | 'onClose'> {
  readonly planned: Planned;
  readonly typedName: string | undefined;
  readonly onBack: (() => void) | undefined;
}

function Review({ connectionId, planned, words, typedName, onDone, onBack, onClose }: ReviewProps): ReactNode {
  const { request, plan } = planned;
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const statements = useRef<HTMLDivElement>(null);
  const nameInput = useRef<HTMLInputElement>(null);
  // The form that had the focus is hidden now.
  useEffect(() => (nameInput.current ?? statements.current)?.focus(), []);
  const shownName = typedName === undefined ? undefined : visibleText(typedName, 'name', 1_000);
  const isConfirmed = shownName === undefined || typed.trim() === shownName.trim() || typed === typedName;
  const { notes } = notesInDriverWords(connectionId, plan);
  const run = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!isConfirmed || busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const [principal] = await api.principals.run.mutate({ connectionId, request, confirmed: [...plan.statements] });
      onDone(principal);
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void run(event)}>
      <div className={styles.reviewed} role="group" aria-label={strings.principals.statements} tabIndex={-1} ref={statements}>
        {notes.length === 0 ? null : (
          <ul>
            {notes.map((note, place) => (
              <li key={place}>{note}</li>
            ))}
          </ul>
        )}
        {plan.statements.map((statement, place) => (
          <pre key={place} className={styles.statement} tabIndex={0}>
            {visibleText(statement, 'data')}
          </pre>
        ))}
      </div>
      {shownName === undefined ? null : (
        <TextInput
          ref={nameInput}
          label={strings.principals.typeName(shownName)}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {problem === undefined ? null : <ProblemPanel compact title={words.failed} problem={problem} />}
      <DialogActions>
        <Button variant="default" onClick={onBack ?? onClose}>
          {onBack === undefined ? strings.common.cancel : strings.principals.back}
        </Button>
        <Button type="submit" color={typedName === undefined ? undefined : 'red'} disabled={!isConfirmed} loading={busy}>
          {words.confirm}
        </Button>
      </DialogActions>
    </form>
  );
}
