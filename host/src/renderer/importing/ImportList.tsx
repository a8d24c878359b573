import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { ImportInfo } from '../../common/imports.ts';
import { api } from '../api/client.ts';
import { inDriverWords, reportInDriverWords } from '../api/driverTexts.ts';
import { inWindowLanguage } from '../api/inWindowLanguage.ts';
import { useConnections } from '../api/queries.ts';
import { problemOf } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { importNotes } from './importNotes.ts';
import { importWords } from './importWords.ts';
import { importProgress } from './importProgress.ts';
import { ConnectionName } from '../ui/ConnectionName.tsx';
import styles from './importing.module.css';
import { useWaitingBars } from '../state/waitingWork.ts';
import { openImport } from './openImport.ts';

/** Imports that run, that can be resumed, or that rejected rows. */
export function ImportList({ imports }: { readonly imports: readonly ImportInfo[] }): ReactNode {
  useWaitingBars('imports', imports.length);
  if (imports.length === 0) return null;
  return (
    <section className={styles.list} data-region="imports" aria-label={strings.importing.list}>
      <DismissAll ended={imports.filter(isOver)} />
      {imports.map((info) => (
        <Item key={info.id} info={info} />
      ))}
    </section>
  );
}

function isOver({ state }: ImportInfo): boolean {
  return state === 'done' || state === 'cancelled';
}

/** For many of them. One that another import reads stays, and says so where it is dismissed alone. */
function DismissAll({ ended }: { readonly ended: readonly ImportInfo[] }): ReactNode {
  const [isBusy, setBusy] = useState(false);
  if (ended.length < 2) return null;
  const dismiss = async (): Promise<void> => {
    setBusy(true);
    await Promise.allSettled(ended.map(({ id }) => api.imports.clear.mutate({ id })));
    setBusy(false);
  };
  return (
    <div className={styles.all}>
      <Button size="compact-sm" variant="default" loading={isBusy} onClick={() => void dismiss()}>
        {strings.importing.dismissAll(ended.length)}
      </Button>
    </div>
  );
}

function textOf(info: ImportInfo): string {
  const { state, table, read, written, rejected, error } = info;
  const words = importWords(info);
  switch (state) {
    case 'reading':
    case 'running':
    case 'pausing': {
      const shown = importProgress(info);
      if (shown === undefined) return '';
      return shown.secondsLeft === undefined ? shown.text : `${shown.text}, ${strings.status.left(shown.secondsLeft)}`;
    }
    case 'paused':
      return [words.paused(table.name, read), ...importNotes(info)].join(' ');
    case 'interrupted':
      return [
        words.interrupted(
          table.name,
          read,
          error === undefined ? '' : inWindowLanguage(reportInDriverWords(info.connectionId, error)).message,
        ),
        ...importNotes(info),
      ].join(' ');
    case 'done': {
      const done = rejected === 0 ? words.done(table.name, written) : words.doneRejected(table.name, written, rejected);
      return [done, ...importNotes(info)].join(' ');
    }
    case 'cancelled':
      return [words.cancelled(table.name, written), ...importNotes(info)].join(' ');
  }
}

function Item({ info }: { readonly info: ImportInfo }): ReactNode {
  const words = strings.importing;
  const { id, state, connectionId, table, mode, reasons, rejectedFile } = info;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [asks, setAsks] = useState(false);
  const [showsReasons, setShowsReasons] = useState(false);
  const act = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
      setAsks(false);
    } catch (error) {
      setProblem(problemOf(error).message);
      // Where the rows in doubt would be doubled, the person decides.
      setAsks(state === 'interrupted' && info.uncertain !== undefined && problemOf(error).code !== 'CONFLICT');
    }
    setBusy(false);
  };
  const connection = useConnections().data?.find((one) => one.id === connectionId);
  // Where the file changed or the connection is gone, it would fail each time.
  const canResume = (state === 'paused' || state === 'interrupted') && info.cannotResume !== true && connection !== undefined;
  const hasEnded = isOver(info);
  // The refusal says so first; the next press is the decision.
  const isElsewhere = info.otherTable !== undefined || info.missing !== undefined;
  const there = isElsewhere ? ({ otherTable: true } as const) : {};
  return (
    <div className={styles.item}>
      <div className={styles.itemText} role="status">
        <ConnectionName connectionId={connectionId} />
        {textOf(info)}
        {problem === undefined ? null : (
          <div role="alert" className={styles.itemProblem}>
            {problem}
          </div>
        )}
      </div>
      {state === 'running' || state === 'reading' ? (
        <Button
          size="compact-sm"
          variant="default"
          loading={isBusy}
          onClick={() => void act(() => api.imports.pause.mutate({ id }))}
        >
          {words.pause}
        </Button>
      ) : null}
      {canResume && !asks ? (
        <Button size="compact-sm" loading={isBusy} onClick={() => void act(() => api.imports.resume.mutate({ id, ...there }))}>
          {isElsewhere ? words.continueThere : words.resume}
        </Button>
      ) : null}
      {canResume && asks
        ? (['repeat', 'skip'] as const).map((uncertain) => (
            <Button
              key={uncertain}
              size="compact-sm"
              variant="default"
              loading={isBusy}
              onClick={() => void act(() => api.imports.resume.mutate({ id, uncertain, ...there }))}
            >
              {words[uncertain]}
            </Button>
          ))
        : null}
      {reasons.length > 0 && hasEnded ? (
        <>
          <Button size="compact-sm" variant="default" aria-expanded={showsReasons} onClick={() => setShowsReasons(!showsReasons)}>
            {words.reasons}
          </Button>
          <Button size="compact-sm" onClick={() => openImport({ connectionId, table, rejected: { is: 'rejected', id }, mode })}>
            {words.tryAgain}
          </Button>
        </>
      ) : null}
      {hasEnded ? (
        <Button
          size="compact-sm"
          variant="default"
          loading={isBusy}
          onClick={() => void act(() => api.imports.clear.mutate({ id }))}
        >
          {words.dismiss}
        </Button>
      ) : (
        <Button size="compact-sm" variant="default" onClick={() => void act(() => api.imports.cancel.mutate({ id }))}>
          {strings.common.cancel}
        </Button>
      )}
      {showsReasons ? (
        <ul className={styles.reasons}>
          {reasons.map((reason) => (
            <li key={reason.line}>{words.reason(reason.line, inDriverWords(connectionId, reason).message)}</li>
          ))}
          {rejectedFile === undefined ? null : <li>{words.rejectedFile(rejectedFile)}</li>}
        </ul>
      ) : null}
    </div>
  );
}
