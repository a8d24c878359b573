import { visibleText } from '@tabularium/sdk';
import { Button, Modal, Progress } from '@mantine/core';
import type { ObjectKind, ObjectPlace } from '@tabularium/sdk';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { FiledOutcome } from '../../common/objects.ts';
import { api } from '../api/client.ts';
import { reportInDriverWords } from '../api/driverTexts.ts';
import { ReportedProblem, problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import styles from './objects.module.css';
import { storedParts } from './storedParts.ts';
import { DialogActions } from '../ui/DialogActions.tsx';

interface Props {
  readonly connectionId: string;
  readonly kind: ObjectKind;
  readonly place: ObjectPlace;
  readonly file: { readonly name: string; readonly content: string };
  readonly onImported: () => void;
  readonly onClose: () => void;
}

interface Done {
  readonly of: number;
  readonly done: number;
}

/** Says what a file would add and change, and does it: with progress, and to be stopped. */
export function ImportObjectsDialog({ connectionId, kind, place, file, onImported, onClose }: Props): ReactNode {
  const words = strings.objects;
  const [outcomes, setOutcomes] = useState<readonly FiledOutcome[]>();
  const [progress, setProgress] = useState<Done>();
  const [problem, setProblem] = useState<Problem>();
  const [phase, setPhase] = useState<'planning' | 'planned' | 'importing' | 'imported' | 'stopped'>('planning');
  const running = useRef<AbortController>(null);
  const run = async (onlyPlan: boolean): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setPhase(onlyPlan ? 'planning' : 'importing');
    setProblem(undefined);
    // Those of the plan would be taken for what was done, if it ends without any.
    if (!onlyPlan) setOutcomes(undefined);
    try {
      const input = { connectionId, place, content: file.content, onlyPlan };
      for await (const event of await api.objects.import.mutate(input, { signal: controller.signal })) {
        if (controller.signal.aborted) return;
        if (event.type === 'progress') setProgress(event);
        else setOutcomes(event.outcomes);
      }
      if (!onlyPlan) onImported();
      setPhase(onlyPlan ? 'planned' : 'imported');
    } catch (error) {
      if (controller.signal.aborted) return;
      setProblem(problemOf(error));
      setPhase('imported');
      if (!onlyPlan) onImported();
    }
  };
  const first = useRef(run);
  useEffect(() => {
    void first.current(true);
    return () => running.current?.abort();
  }, []);
  const stop = (): void => {
    running.current?.abort();
    if (phase !== 'importing') {
      onClose();
      return;
    }
    // Part of the file is on the server by now, so the dialog stays and says how much.
    setPhase('stopped');
    onImported();
  };
  const count = (outcome: FiledOutcome['outcome']): number => (outcomes ?? []).filter((one) => one.outcome === outcome).length;
  const failed = (outcomes ?? []).filter(({ outcome }) => outcome === 'failed');
  const isBusy = phase === 'planning' || phase === 'importing';
  return (
    <Modal
      opened
      onClose={stop}
      title={words.importTitle(file.name, kind.term.other)}
      size={520}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      {isBusy ? (
        <>
          <p className={styles.muted} role="status">
            {progress === undefined ? words.reading : words.progress(progress.done, progress.of)}
          </p>
          <Progress
            value={progress === undefined ? 0 : (100 * progress.done) / Math.max(1, progress.of)}
            aria-label={words.importing}
          />
        </>
      ) : null}
      {phase === 'stopped' && progress !== undefined ? (
        <p role="status">{words.stoppedImport(progress.done, progress.of)}</p>
      ) : null}
      {!isBusy && phase !== 'stopped' && problem === undefined && outcomes !== undefined ? (
        <p role="status">
          {phase === 'planned'
            ? words.wouldImport(count('add'), count('change'), count('same'), failed.length)
            : words.didImport(count('add'), count('change'), count('same'), failed.length)}
        </p>
      ) : null}
      {failed.length === 0 || isBusy ? null : (
        <ul className={styles.failures} aria-label={words.failures} tabIndex={0}>
          {failed.map(({ name, message, report }) => (
            <li key={name}>
              <strong>{name}</strong>{' '}
              {report === undefined ? message : problemOf(new ReportedProblem(reportInDriverWords(connectionId, report))).message}
            </li>
          ))}
        </ul>
      )}
      {isBusy ? null : <StoredOtherwiseList outcomes={outcomes ?? []} />}
      {problem === undefined ? null : <ProblemPanel compact title={words.importFailed(file.name)} problem={problem} />}
      <DialogActions>
        <Button variant="default" onClick={stop}>
          {isBusy ? strings.common.cancel : phase === 'planned' ? strings.common.cancel : strings.common.close}
        </Button>
        {phase === 'planned' && count('add') + count('change') > 0 ? (
          <Button data-autofocus onClick={() => void run(false)}>
            {words.importConfirm(count('add') + count('change'))}
          </Button>
        ) : null}
      </DialogActions>
    </Modal>
  );
}

/** Objects that the database has stored otherwise than the file has them. */
function StoredOtherwiseList({ outcomes }: { readonly outcomes: readonly FiledOutcome[] }): ReactNode {
  const words = strings.objects;
  const others = outcomes.filter(({ otherwise }) => otherwise !== undefined);
  return others.length === 0 ? null : (
    <ul className={styles.failures} aria-label={words.storedOtherwise} tabIndex={0}>
      {others.map(({ name, otherwise = [] }) => (
        <li key={name}>{visibleText(words.savedOtherwise(name, storedParts(otherwise)), 'text', 4_000)}</li>
      ))}
    </ul>
  );
}
