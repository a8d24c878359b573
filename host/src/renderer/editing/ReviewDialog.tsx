import { Button, Modal } from '@mantine/core';
import type { TableDescription } from '@tabularium/sdk';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { lackingFields } from '../../common/lackingFields.ts';
import type { ReviewedChange, Settlement, StagedRow } from '../../common/editing.ts';
import { problemOf, wasAborted } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import { tableName } from '../../common/tableName.ts';
import styles from './editing.module.css';
import { editingApi } from './editingApi.ts';
import { MeanwhileSummary } from './MeanwhileChoice.tsx';
import { ReviewLine } from './ReviewLine.tsx';
import type { SendAgain } from './ReviewLine.tsx';
import { useRetry } from './useRetry.ts';
import { isOneTransaction, madeNone, reviewSentence } from './reviewSentence.ts';
import type { Save } from './useSave.ts';
import type { Stage } from './useStage.ts';
import { DialogActions } from '../ui/DialogActions.tsx';

/** A person reads no more lines than this; all of them are sent. */
const MOST_LINES = 200;
/** Of those beyond, the ones that can't be saved are listed, too, as far as here. */
const MOST_LISTED = 2_000;

interface Props {
  readonly connectionId: string;
  readonly description: Pick<TableDescription, 'ref' | 'columns'>;
  readonly stage: Stage;
  readonly save: Save;
  readonly onClose: () => void;
  /** Leaves the review for a row, and its cell in a column. Undefined where the row isn't among those that are here. */
  readonly showIn: (row: StagedRow, column: string | undefined) => (() => void) | undefined;
}

const words = strings.editing;

/** The exact requests before they are sent, and what became of each. */
export function ReviewDialog({ connectionId, description, stage, save, onClose, showIn }: Props): ReactNode {
  const { ref: table, columns } = description;
  const [changes, setChanges] = useState<readonly ReviewedChange[]>();
  const [problem, setProblem] = useState<Problem>();
  const [attempt, setAttempt] = useState(0);
  const [again, setAgain] = useState<ReadonlyMap<string, boolean>>(new Map());
  // A save that ended while no dialog was open has been reported: this is a review of what is staged now.
  const [former] = useState(() => (save.run?.isRunning === false ? save.run : undefined));
  const run = save.run === former ? undefined : save.run;
  const { state, ability, count } = stage;
  const isRunning = run?.isRunning === true;
  const isCancelling = run?.isCancelling === true;
  // The lines stay beside what became of them. A dialog that was opened during the save has none yet.
  const revision = isRunning || (run !== undefined && changes !== undefined) ? undefined : state?.revision;

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
  }, [connectionId, table, revision, attempt]);

  const ended = run !== undefined && !isRunning;
  const sentence = reviewSentence(ability, run, count, table.name);
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

  const changedMeanwhile = [...stage.rows.values()].flatMap(({ id, problem: earlier }) =>
    earlier?.meanwhile === undefined ? [] : [{ rowId: id, shown: earlier.meanwhile }],
  );
  // A row that somebody else changed is not sent before a decision; where all is saved or nothing, nothing is.
  const undecided = changedMeanwhile.length;
  const lacking = [...stage.rows.values()].filter((row) => lackingFields(row, columns).length > 0);
  const uncertain = [...stage.rows.values()].filter(
    ({ problem: earlier }) => earlier?.outcome === 'unknown' && earlier.meanwhile === undefined,
  );
  // An update or a deletion that was made already changes nothing when it is made again. A new row may be there twice then.
  const isSentAgain = ({ id, kind }: StagedRow): boolean => again.get(id) ?? kind !== 'insert';
  const leftOut = new Set(uncertain.filter((row) => !isSentAgain(row)).map(({ id }) => id));
  // Nothing is sent for a change that has no request.
  const unready = (changes ?? []).filter(({ rowId, prepared }) => !prepared.ready && stage.rows.has(rowId));
  const notReady = new Set([
    ...changedMeanwhile.map(({ rowId }) => rowId),
    ...lacking.map(({ id }) => id),
    ...unready.map(({ rowId }) => rowId),
  ]);
  const heldBack = new Set([...notReady, ...leftOut]).size;
  const isWhole = isOneTransaction(ability);
  const isLocked = ability?.allowed === false;
  // The summary of decisions says it of its rows.
  const showsHeld = notReady.size > 0 && (isWhole || undecided < 2 || notReady.size > undecided);
  const sent = isLocked || (isWhole && heldBack > 0) ? 0 : count - heldBack;
  // Without this line nothing would say why nothing can be saved.
  const keepsAll = run === undefined && sent === 0 && leftOut.size > 0;
  const settle = (rows: readonly Settlement[]): void => {
    void stage.settle(rows).then(save.forget);
  };
  const compared = new Set(changes?.map((change) => change.compared));

  const start = (): void =>
    save.start(uncertain.length === 0 ? undefined : [...stage.rows.keys()].filter((rowId) => !leftOut.has(rowId)));
  const againOf = (row: StagedRow | undefined): SendAgain | undefined =>
    row === undefined || run !== undefined || !uncertain.includes(row)
      ? undefined
      : { isSent: isSentAgain(row), onChange: (isSent) => setAgain(new Map(again).set(row.id, isSent)) };

  const isEmpty = count === 0 && run === undefined;
  const failure = problem ?? run?.problem;
  const sendable = changes?.some(({ prepared }) => prepared.ready) === true;
  // The server may be back, or the key mended.
  const isStuck = run === undefined && !isEmpty && (problem !== undefined || (changes !== undefined && !sendable));
  const retry = (): void => setAttempt(attempt + 1);
  useRetry(isStuck, retry, attempt);
  const list = useRef<HTMLOListElement>(null);
  const goToFirst = (): void => list.current?.querySelector<HTMLElement>('[data-held]')?.focus();
  const goToLeftOut = (): void =>
    list.current?.querySelector<HTMLElement>('[data-held] input[type="checkbox"]:not(:checked)')?.focus();
  const hasFailed = ended && changes !== undefined && count > 0;
  useEffect(() => {
    // The first row that was not saved may be far below.
    if (hasFailed) list.current?.querySelector<HTMLElement>('[data-held]')?.focus();
  }, [hasFailed]);
  const canSave = run === undefined && sent > 0 && sendable;
  const saveButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The dialog takes the focus itself while its button can't be pressed yet. Enter saves, unless a person went elsewhere meanwhile.
    if (canSave && document.activeElement?.matches('[role="dialog"]') === true) saveButton.current?.focus();
  }, [canSave]);
  const isHeld = ({ rowId }: ReviewedChange): boolean => {
    // The end of a save may be heard before the news of its rows.
    const outcome = run?.outcomes.get(rowId)?.outcome;
    return notReady.has(rowId) || outcome === 'failed' || outcome === 'unknown' || stage.rows.get(rowId)?.problem !== undefined;
  };
  const lines = (changes ?? []).filter((change, index) => index < MOST_LINES || (index < MOST_LISTED && isHeld(change)));
  const madeNothing = ended && madeNone(ability, run);
  return (
    <Modal
      opened
      onClose={close}
      title={words.reviewTitle(table.namespace.length > 1 ? tableName(table) : table.name)}
      size={760}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      {isEmpty ? <p className={styles.text}>{words.nothingStaged}</p> : null}
      <p className={styles.text} hidden={isEmpty || sentence === ''}>
        {sentence}
      </p>
      {madeNothing ? <p className={styles.text}>{words.madeNone}</p> : null}
      {failure === undefined ? null : (
        <ProblemPanel
          compact
          title={run?.problem === undefined ? words.reviewFailed : words.saveFailed}
          problem={failure}
          {...(ended && sent > 0 && uncertain.length === 0 ? { onRetry: start } : {})}
        />
      )}
      {undecided < 2 || isRunning ? null : (
        <MeanwhileSummary count={undecided} onChoice={(choice) => settle(changedMeanwhile.map((row) => ({ ...row, choice })))} />
      )}
      {!showsHeld || isRunning || isLocked ? null : (
        <div className={styles.held}>
          <span role="status">
            {isWhole ? words.heldAll(notReady.size, count - notReady.size) : words.heldEach(notReady.size)}
          </span>
          <Button size="compact-xs" variant="default" onClick={goToFirst}>
            {words.goToFirst}
          </Button>
        </div>
      )}
      {!keepsAll || isRunning || isLocked ? null : (
        <div className={styles.held}>
          <span role="status">{words.leftOutAll(leftOut.size, count - leftOut.size)}</span>
          <Button size="compact-xs" variant="default" onClick={goToLeftOut}>
            {words.goToFirst}
          </Button>
        </div>
      )}
      {compared.has('unsupported') ? <p className={styles.text}>{words.meanwhile.unsupported}</p> : null}
      {compared.has('later') && !compared.has('yes') ? <p className={styles.text}>{words.meanwhile.later}</p> : null}
      {changes !== undefined || isEmpty || isRunning || failure !== undefined ? null : (
        <p className={styles.text} role="status">
          {words.readingReview}
        </p>
      )}
      <ol className={styles.review} aria-busy={changes === undefined && !isRunning} ref={list}>
        {lines.map((change) => (
          <ReviewLine
            key={change.rowId}
            connectionId={connectionId}
            change={change}
            columns={columns}
            outcome={run?.outcomes.get(change.rowId)}
            isHeld={isHeld(change)}
            madeNothing={madeNothing}
            showIn={isRunning ? undefined : showIn}
            isSending={isRunning && stage.rows.get(change.rowId)?.sending === true}
            staged={stage.rows.get(change.rowId)}
            again={againOf(stage.rows.get(change.rowId))}
            onDiscard={run === undefined ? () => void stage.discard([change.rowId]) : undefined}
            onSettle={isRunning ? undefined : (choice, shown) => settle([{ rowId: change.rowId, choice, shown }])}
          />
        ))}
      </ol>
      {changes !== undefined && changes.length > lines.length ? (
        <p className={styles.text}>{words.more(changes.length - lines.length)}</p>
      ) : null}
      {isEmpty ? null : <p className={styles.hint}>{run === undefined ? words.staysStaged : words.notSavedStays}</p>}
      <DialogActions>
        {isStuck ? (
          <Button variant="default" onClick={retry}>
            {strings.common.retry}
          </Button>
        ) : null}
        <Button
          variant="default"
          // Not "disabled": the focus would be lost.
          aria-disabled={isCancelling}
          data-disabled={isCancelling || undefined}
          onClick={isCancelling ? undefined : isRunning ? save.cancel : close}
        >
          {isRunning ? strings.common.cancel : strings.common.close}
        </Button>
        {ended ? (
          <Button disabled={count === 0} onClick={save.forget}>
            {words.review}
          </Button>
        ) : isEmpty ? null : (
          <Button ref={saveButton} data-autofocus loading={isRunning} disabled={sent === 0 || !sendable} onClick={start}>
            {words.save(sent === 0 ? count : sent)}
          </Button>
        )}
      </DialogActions>
    </Modal>
  );
}
