import { Button, Checkbox, Skeleton, TextInput } from '@mantine/core';
import type { OperationCall, OperationPlan } from '@tabularium/sdk';
import { visibleText } from '@tabularium/sdk';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { api } from '../api/client.ts';
import { inDriverWords } from '../api/driverTexts.ts';
import { problemOf, wasAborted } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { indentJson } from '../grid/model/jsonText.ts';
import { DialogActions } from '../ui/DialogActions.tsx';
import { strings } from '../i18n/index.ts';
import { isJsonValue } from '../objects/documentText.ts';
import { stagedCount } from '../state/stagedTables.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { discardAfterRun } from './discardAfterRun.ts';
import styles from './operations.module.css';
import { useStagedOf } from './useStagedOf.ts';

interface Props {
  readonly connectionId: string;
  readonly label: string;
  readonly call: OperationCall;
  /** Leads back to the form, or closes. */
  readonly back: ReactNode;
  readonly onBusy: (isBusy: boolean) => void;
  readonly onStarted: (runId: string) => void;
}

/** The consequences of an operation and its statements, to be confirmed. */
export function OperationReview({ connectionId, label, call, back, onBusy, onStarted }: Props): ReactNode {
  const words = strings.operations;
  const [plan, setPlan] = useState<OperationPlan>();
  const [typed, setTyped] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [discards, setDiscards] = useState<boolean>();
  const shown = useRef<HTMLDivElement>(null);
  const staged = useStagedOf(connectionId, plan?.affected);
  const look = useEffectEvent((signal: AbortSignal) =>
    api.operations.plan.mutate({ connectionId, call }, { signal }).then(setPlan, (error: unknown) => {
      if (!wasAborted(error, signal)) setProblem(problemOf(error));
    }),
  );
  useEffect(() => {
    const controller = new AbortController();
    void look(controller.signal);
    return () => controller.abort();
  }, []);
  useEffect(() => {
    // The pressed button went with the form. What is to be read has the focus, not the button that runs: a second Enter runs nothing unread.
    if (plan !== undefined) shown.current?.focus();
  }, [plan]);
  const isConfirmed = plan !== undefined && (plan.confirm === undefined || typed === plan.confirm);
  const discardsStaged = discards ?? staged.isLost;
  const start = async ({ basis }: OperationPlan): Promise<void> => {
    setBusy(true);
    onBusy(true);
    setProblem(undefined);
    try {
      const { id } = await api.operations.start.mutate({ connectionId, call, basis, typedName: typed });
      if (discardsStaged) discardAfterRun(id, staged.tables);
      onStarted(id);
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
    onBusy(false);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isConfirmed && !isBusy) void start(plan);
  };
  return (
    <form onSubmit={submit}>
      <div ref={shown} tabIndex={-1} role="group" aria-label={strings.objects.review} className={styles.planned}>
        {problem === undefined ? null : (
          <ProblemPanel compact title={plan === undefined ? words.planFailed : words.startFailed(label)} problem={problem} />
        )}
        {plan === undefined ? (
          problem === undefined ? (
            <Skeleton height={160} aria-busy />
          ) : null
        ) : (
          <Plan connectionId={connectionId} plan={plan} />
        )}
      </div>
      {staged.tables.length === 0 ? null : (
        <Checkbox
          size="xs"
          mb={12}
          label={words.discardStagedOf(stagedCount(staged.tables), staged.tables.map(({ table }) => table.name).join(', '))}
          description={staged.isLost ? words.stagedHelp : words.stagedStay}
          checked={discardsStaged}
          onChange={(event) => setDiscards(event.currentTarget.checked)}
        />
      )}
      {plan?.confirm === undefined ? null : (
        <TextInput
          label={words.typeName(visibleText(plan.confirm, 'name', 1_000))}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <DialogActions>
        {back}
        <Button type="submit" color={plan?.effect === 'destructive' ? 'red' : undefined} disabled={!isConfirmed} loading={isBusy}>
          {label}
        </Button>
      </DialogActions>
    </form>
  );
}

/** A JSON body below the line of a request is indented. */
function readable(statement: string): string {
  const end = statement.indexOf('\n');
  if (end === -1) return statement;
  const body = statement.slice(end + 1);
  return isJsonValue(body) ? `${statement.slice(0, end)}\n${indentJson(body)}` : statement;
}

function Plan({ connectionId, plan }: { readonly connectionId: string; readonly plan: OperationPlan }): ReactNode {
  const words = strings.operations;
  const { consequence } = inDriverWords(connectionId, plan);
  return (
    <>
      <p className={styles.consequence}>{visibleText(consequence, 'name', 4_000)}</p>
      {plan.count === undefined ? null : (
        <p className={styles.help}>
          {words.rows}: {words.count(plan.count)}
        </p>
      )}
      <ol className={styles.steps} aria-label={words.steps}>
        {plan.steps.map((step, place) => (
          <li key={place}>
            {visibleText(inDriverWords(connectionId, step).title, 'name', 200)}
            {step.statements.map((statement, line) => (
              <pre key={line} className={styles.statement} tabIndex={0}>
                {visibleText(readable(statement), 'data')}
              </pre>
            ))}
          </li>
        ))}
      </ol>
    </>
  );
}
