import { Button, Checkbox, Modal, Skeleton, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { PlannedOperation, TableOperation, TableRef } from '@tabularium/sdk';
import { useEffect, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { tableName } from '../../common/tableName.ts';
import { api } from '../api/client.ts';
import { inDriverWords } from '../api/driverTexts.ts';
import { problemOf, wasAborted } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import { beginActivity, notify } from '../state/notify.ts';
import styles from './operations.module.css';
import { stagedCount } from '../state/stagedTables.ts';
import { discardStaged, useStagedChanges } from './stagedChanges.ts';
import { announceTableChange } from '../state/tableChanges.ts';
import { DialogActions } from '../ui/DialogActions.tsx';

interface Props {
  readonly connectionId: string;
  readonly table: TableRef;
  readonly operation: TableOperation;
  readonly onClose: () => void;
}

/** The effect of an operation, before it runs. A destructive one is confirmed by the name of its table. */
export function OperationDialog({ connectionId, table, operation, onClose }: Props): ReactNode {
  const words = strings.operations;
  const client = useQueryClient();
  const [plan, setPlan] = useState<PlannedOperation>();
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const name = tableName(table);
  const { id, label, effect } = operation;
  const asksName = effect === 'destructive';
  const staged = useStagedChanges(connectionId, table, asksName ? plan?.target : undefined);
  const [discards, setDiscards] = useState(true);

  useEffect(() => {
    const controller = new AbortController();
    api.tableOperations.plan
      .mutate({ connectionId, table, operation: id }, { signal: controller.signal })
      .then(setPlan)
      .catch((error: unknown) => {
        if (!wasAborted(error, controller.signal)) setProblem(problemOf(error));
      });
    return () => controller.abort();
  }, [connectionId, table, id]);

  const target = plan === undefined ? undefined : tableName(plan.target);
  const isConfirmed = plan !== undefined && (!asksName || typed === plan.target.name);

  const run = async (planned: PlannedOperation): Promise<void> => {
    setBusy(true);
    const activity = beginActivity(words.title(label, tableName(planned.target)), undefined, connectionId);
    try {
      const result = await api.tableOperations.run.mutate({
        connectionId,
        table,
        operation: id,
        confirmed: planned.target,
        typedName: typed,
      });
      if (discards) await discardStaged(connectionId, staged);
      notify({ tab: 'none', tone: 'plain', text: inDriverWords(connectionId, result).message });
      onClose();
      // Rows, counts and structures may all be others now.
      announceTableChange(connectionId);
      await client.invalidateQueries({ queryKey: ['tables', connectionId] });
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    } finally {
      activity.end();
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isConfirmed && !busy) void run(plan);
  };

  return (
    <Modal
      opened
      onClose={onClose}
      title={words.title(label, target ?? name)}
      size={520}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <form onSubmit={submit}>
        {problem === undefined ? null : (
          <ProblemPanel
            compact
            title={plan === undefined ? words.planFailed : words.runFailed(label, target ?? name)}
            problem={problem}
          />
        )}
        {plan === undefined ? (
          problem === undefined ? (
            <Skeleton height={120} aria-busy />
          ) : null
        ) : (
          <>
            <p className={styles.consequence}>{inDriverWords(connectionId, plan).consequence}</p>
            {target === name || target === undefined ? null : (
              <p className={styles.notice} role="alert">
                {words.aliasNotice(name, target)}
              </p>
            )}
            <dl className={styles.facts}>
              <dt>{words.affects}</dt>
              <dd>{target}</dd>
              {plan.count === undefined ? null : (
                <>
                  <dt>{words.rows}</dt>
                  <dd>{words.count(plan.count)}</dd>
                </>
              )}
              <dt>{words.request}</dt>
              <dd>
                <pre className={styles.request}>{plan.text}</pre>
              </dd>
            </dl>
            {staged.length === 0 ? null : (
              <Checkbox
                size="xs"
                mb={12}
                label={words.discardStaged(stagedCount(staged))}
                description={words.stagedHelp}
                checked={discards}
                onChange={(event) => setDiscards(event.currentTarget.checked)}
              />
            )}
            {asksName ? (
              <TextInput
                label={words.typeName(plan.target.name)}
                value={typed}
                autoComplete="off"
                spellCheck={false}
                data-autofocus
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
            ) : null}
          </>
        )}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {strings.common.cancel}
          </Button>
          <Button type="submit" color={asksName ? 'red' : undefined} disabled={!isConfirmed} loading={busy}>
            {words.confirm(label, target ?? name)}
          </Button>
        </DialogActions>
      </form>
    </Modal>
  );
}
