import { Button, Modal } from '@mantine/core';
import { visibleText } from '@tabularium/sdk';
import type { EndOutcome, EndWay, RunningEntry } from '@tabularium/sdk';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { problemOf, wasAborted } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { DialogActions } from '../ui/DialogActions.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import styles from './activity.module.css';
import { entryName } from './entryName.ts';

interface Props {
  readonly connectionId: string;
  /** As it was shown when the person chose it: exactly that is ended, whatever the list has become. */
  readonly entry: RunningEntry;
  readonly way: EndWay;
  readonly onEnded: (outcome: EndOutcome['outcome']) => void;
  readonly onClose: () => void;
}

/** Asks once before an entry is ended, with everything that names it; the way back has the focus. */
export function EndDialog({ connectionId, entry, way, onEnded, onClose }: Props): ReactNode {
  const words = strings.activity;
  const { id, statement, own, kind } = entry;
  const name = entryName(entry);
  const [problem, setProblem] = useState<Problem>();
  const [isRunning, setRunning] = useState(false);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  const facts = [
    [words.columns.user, entry.user],
    [words.facts.application, entry.application],
    [words.facts.address, entry.client],
    [words.columns.database, entry.namespace],
  ] as const;
  const end = async (): Promise<void> => {
    setRunning(true);
    setProblem(undefined);
    const calling = new AbortController();
    controller.current = calling;
    // Without its statement's identity, the next one of the session would be cancelled.
    const request = { id, way, ...(way === 'cancel' && statement !== undefined ? { statement: statement.id } : {}) };
    try {
      const { outcome } = await api.activity.end.mutate({ connectionId, request }, { signal: calling.signal });
      onEnded(outcome);
    } catch (error) {
      if (wasAborted(error, calling.signal)) return;
      setProblem(problemOf(error));
      setRunning(false);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.confirmTitles[way](name)}
      size={520}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <p className={styles.question}>
        {words.confirmTexts[way]} {own ? words.confirmOwn : null} {kind === 'background' ? words.confirmBackground : null}
      </p>
      <dl className={styles.facts}>
        {facts.map(([label, value]) =>
          value === undefined ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      {statement === undefined ? null : (
        <pre className={styles.text} tabIndex={0} aria-label={words.columns.statement}>
          {visibleText(statement.text, 'data')}
        </pre>
      )}
      {statement?.isCut === true ? <p className={styles.reason}>{words.isCut}</p> : null}
      {problem === undefined ? null : <ProblemPanel compact title={words.endFailed[way]} problem={problem} />}
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {words.keep}
        </Button>
        <Button color="red" loading={isRunning} onClick={() => void end()}>
          {words.confirm[way]}
        </Button>
      </DialogActions>
    </Modal>
  );
}
