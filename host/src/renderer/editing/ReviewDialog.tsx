import { ActionIcon, Button, Group, Modal } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import type { TableRef } from '@tabularium/sdk';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { ReviewedChange, SaveProblem } from '../../common/editing.ts';
import { messageInWindowLanguage } from '../api/inWindowLanguage.ts';
import { problemOf, wasAborted } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { StateBadge } from '../ui/Marks.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import styles from './editing.module.css';
import { editingApi } from './editingApi.ts';
import type { RowOutcome, Save } from './useSave.ts';
import type { Stage } from './useStage.ts';

/** More lines than this nobody reads; all of them are sent. */
const MOST_LINES = 200;

interface Props {
  readonly connectionId: string;
  readonly table: TableRef;
  readonly stage: Stage;
  readonly save: Save;
  readonly onClose: () => void;
}

const words = strings.editing;

/** The exact requests before they are sent, and what became of each. */
export function ReviewDialog({ connectionId, table, stage, save, onClose }: Props): ReactNode {
  const [changes, setChanges] = useState<readonly ReviewedChange[]>();
  const [problem, setProblem] = useState<Problem>();
  const { run } = save;
  const { state, ability, count } = stage;
  const isRunning = run?.isRunning === true;
  const revision = isRunning || run !== undefined ? undefined : state?.revision;

  useEffect(() => {
    if (revision === undefined) return undefined;
    const controller = new AbortController();
    editingApi
      .review({ connectionId, table }, controller.signal)
      .then((reviewed) => {
        setChanges(reviewed);
        setProblem(undefined);
      })
      .catch((error: unknown) => {
        if (!wasAborted(error, controller.signal)) setProblem(problemOf(error));
      });
    return () => controller.abort();
  }, [connectionId, table, revision]);

  const ended = run !== undefined && !isRunning;
  const allSaved = ended && run.problem === undefined && run.end !== undefined && count === 0;
  const close = (): void => {
    save.forget();
    onClose();
  };
  useEffect(() => {
    if (!allSaved) return;
    save.forget();
    onClose();
  }, [allSaved, save, onClose]);

  const failure = problem ?? run?.problem;
  const sendable = changes?.some(({ prepared }) => prepared.ready) === true;
  return (
    <Modal
      opened
      onClose={close}
      title={words.reviewTitle(table.name)}
      size={760}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <p className={styles.text}>
        {ability?.allowed === true && ability.atomicity === 'all' ? words.reviewAll : words.reviewEach}
      </p>
      {failure === undefined ? null : (
        <ProblemPanel compact title={run?.problem === undefined ? words.reviewFailed : words.saveFailed} problem={failure} />
      )}
      <ol className={styles.review} aria-busy={changes === undefined}>
        {(changes ?? []).slice(0, MOST_LINES).map((change) => (
          <ReviewLine
            key={change.rowId}
            change={change}
            outcome={run?.outcomes.get(change.rowId)}
            isSending={isRunning && stage.rows.get(change.rowId)?.sending === true}
            earlierProblem={stage.rows.get(change.rowId)?.problem}
            onDiscard={run === undefined ? () => stage.discard([change.rowId]) : undefined}
          />
        ))}
      </ol>
      {changes !== undefined && changes.length > MOST_LINES ? (
        <p className={styles.text}>{words.more(changes.length - MOST_LINES)}</p>
      ) : null}
      <p className={styles.hint}>{words.staysStaged}</p>
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={isRunning ? save.cancel : close}>
          {isRunning ? strings.common.cancel : strings.common.close}
        </Button>
        {ended ? (
          <Button disabled={count === 0} onClick={save.forget}>
            {words.review}
          </Button>
        ) : (
          <Button data-autofocus loading={isRunning} disabled={count === 0 || !sendable} onClick={save.start}>
            {words.save(count)}
          </Button>
        )}
      </Group>
    </Modal>
  );
}

interface LineProps {
  readonly change: ReviewedChange;
  readonly outcome: RowOutcome | undefined;
  readonly isSending: boolean;
  /** Why it was not saved before. */
  readonly earlierProblem: SaveProblem | undefined;
  readonly onDiscard: (() => void) | undefined;
}

function ReviewLine({ change, outcome, isSending, earlierProblem, onDiscard }: LineProps): ReactNode {
  const { prepared } = change;
  const problem = outcome === undefined ? earlierProblem : outcome.problem;
  const reason = problem === undefined ? undefined : messageInWindowLanguage(problem.code, problem.message);
  return (
    <li className={styles.reviewLine} data-outcome={outcome?.outcome} data-kind={change.kind}>
      <div className={styles.reviewHead}>
        <StateBadge tone={change.kind === 'delete' ? 'warning' : 'accent'}>{words.kinds[change.kind]}</StateBadge>
        {outcome === undefined ? null : (
          <StateBadge tone={outcome.outcome === 'saved' ? 'good' : 'warning'}>{words.outcomes[outcome.outcome]}</StateBadge>
        )}
        {isSending && outcome === undefined ? <StateBadge tone="plain">{words.outcomes.sending}</StateBadge> : null}
        <span className={styles.space} />
        {onDiscard === undefined ? null : (
          <ActionIcon size={24} aria-label={words.discardRow} title={words.discardRow} onClick={onDiscard}>
            <IconArrowBackUp size={14} stroke={1.75} />
          </ActionIcon>
        )}
      </div>
      {prepared.ready ? (
        <pre className={styles.request} tabIndex={0}>
          {prepared.text}
        </pre>
      ) : (
        <p className={styles.reason}>{words.notReady(prepared.message)}</p>
      )}
      {reason === undefined ? null : (
        <p className={styles.reason} role="alert">
          {reason}
        </p>
      )}
    </li>
  );
}
