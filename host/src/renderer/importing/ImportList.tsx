import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { ImportInfo } from '../../common/imports.ts';
import { api } from '../api/client.ts';
import { inWindowLanguage } from '../api/inWindowLanguage.ts';
import { problemOf } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import styles from './importing.module.css';
import { openImport } from './openImport.ts';

/** Imports that run, that can be resumed, or that rejected rows. */
export function ImportList({ imports }: { readonly imports: readonly ImportInfo[] }): ReactNode {
  if (imports.length === 0) return null;
  return (
    <section className={styles.list} data-region="imports" aria-label={strings.importing.list}>
      {imports.map((info) => (
        <Item key={info.id} info={info} />
      ))}
    </section>
  );
}

function textOf({ state, table, read, written, rejected, rowsPerSecond, remainingMilliseconds, error }: ImportInfo): string {
  const words = strings.importing;
  switch (state) {
    case 'running': {
      const text = words.running(table.name, read, rowsPerSecond);
      return remainingMilliseconds === undefined ? text : `${text}, ${words.left(remainingMilliseconds)}`;
    }
    case 'pausing':
      return words.pausing(table.name);
    case 'paused':
      return words.paused(table.name, read);
    case 'interrupted':
      return words.interrupted(table.name, read, error === undefined ? '' : inWindowLanguage(error).message);
    case 'done':
      return words.doneRejected(table.name, written, rejected);
    case 'cancelled':
      return words.cancelled(table.name, written);
  }
}

function Item({ info }: { readonly info: ImportInfo }): ReactNode {
  const words = strings.importing;
  const { id, state, connectionId, table, reasons, rejectedFile } = info;
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
      setAsks(state === 'interrupted' && info.uncertain !== undefined);
    }
    setBusy(false);
  };
  const canResume = state === 'paused' || state === 'interrupted';
  const isOver = state === 'done' || state === 'cancelled';
  return (
    <div className={styles.item}>
      <div className={styles.itemText} role="status">
        {textOf(info)}
        {problem === undefined ? null : (
          <div role="alert" className={styles.itemProblem}>
            {problem}
          </div>
        )}
      </div>
      {state === 'running' ? (
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
        <Button size="compact-sm" loading={isBusy} onClick={() => void act(() => api.imports.resume.mutate({ id }))}>
          {words.resume}
        </Button>
      ) : null}
      {canResume && asks
        ? (['repeat', 'skip'] as const).map((uncertain) => (
            <Button
              key={uncertain}
              size="compact-sm"
              variant="default"
              loading={isBusy}
              onClick={() => void act(() => api.imports.resume.mutate({ id, uncertain }))}
            >
              {words[uncertain]}
            </Button>
          ))
        : null}
      {reasons.length > 0 && isOver ? (
        <>
          <Button size="compact-sm" variant="default" aria-expanded={showsReasons} onClick={() => setShowsReasons(!showsReasons)}>
            {words.reasons}
          </Button>
          <Button size="compact-sm" onClick={() => openImport({ connectionId, table, rejected: { is: 'rejected', id } })}>
            {words.tryAgain}
          </Button>
        </>
      ) : null}
      {isOver ? (
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
          {reasons.map(({ line, message }) => (
            <li key={line}>{words.reason(line, message)}</li>
          ))}
          {rejectedFile === undefined ? null : <li>{words.rejectedFile(rejectedFile)}</li>}
        </ul>
      ) : null}
    </div>
  );
}
