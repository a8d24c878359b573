import { Button, Checkbox, FileButton, Modal, NativeSelect } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconFileImport, IconMinus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { DragEvent, ReactNode } from 'react';
import { LARGEST_CONNECTION_FILE } from '../../common/connectionFile.ts';
import type { FileProblem, ImportCandidate, ImportOutcome, ImportPreview, OnConflict } from '../../common/connectionFile.ts';
import { chosenFileText } from '../api/chosenFileText.ts';
import { api } from '../api/client.ts';
import { textInWindowLanguage } from '../api/inWindowLanguage.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { SESSION_ENDS_AGREED } from '../api/sessionEnds.ts';
import { agreesToEnd } from '../state/openTransactions.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import styles from './transfer.module.css';
import { DialogActions } from '../ui/DialogActions.tsx';

interface Props {
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}

/** A problem in the words of the window. */
type ShownProblem = Pick<FileProblem, 'message' | 'line' | 'column'>;

interface ReadFile {
  readonly name: string;
  readonly text: string;
  readonly preview: Pick<ImportPreview, 'candidates'> & { readonly problems: readonly ShownProblem[] };
}

const CHOICES = ['skip', 'rename', 'replace'] as const satisfies readonly OnConflict[];

/** Connections from a file: chosen, seen, then saved. */
export function ImportConnectionsDialog({ onChanged, onClose }: Props): ReactNode {
  const words = strings.connections;
  const [file, setFile] = useState<ReadFile>();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [onConflict, setOnConflict] = useState<ReadonlyMap<number, OnConflict>>(new Map());
  const [outcomes, setOutcomes] = useState<readonly ImportOutcome[]>();

  const forgetFile = useRef<() => void>(null);
  const read = async (chosen: File | null): Promise<void> => {
    // A file that was corrected can be chosen again.
    forgetFile.current?.();
    if (chosen === null) return;
    setBusy(true);
    setProblem(undefined);
    try {
      if (chosen.size > LARGEST_CONNECTION_FILE) {
        setFile({
          name: chosen.name,
          text: '',
          preview: { candidates: [], problems: [{ message: words.importTooLarge, line: 1, column: 1 }] },
        });
        return;
      }
      const text = await chosenFileText(chosen, LARGEST_CONNECTION_FILE);
      const preview = await api.connections.previewImport.mutate({ text });
      setFile({ name: chosen.name, text, preview: { ...preview, problems: preview.problems.map(shownProblem) } });
      setLeft(new Set());
      setOnConflict(new Map());
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  };
  const candidates = file?.preview.candidates ?? [];
  const choiceOf = (index: number): OnConflict => onConflict.get(index) ?? 'skip';
  const taken = candidates.filter(
    ({ index, problems, conflict }) =>
      problems.length === 0 && !left.has(index) && (conflict === undefined || choiceOf(index) !== 'skip'),
  );
  const save = async (): Promise<void> => {
    if (file === undefined) return;
    const replaced = new Set(
      taken.flatMap(({ index, conflict }) => (conflict !== undefined && choiceOf(index) === 'replace' ? [conflict.id] : [])),
    );
    if (!(await agreesToEnd(({ connectionId }) => replaced.has(connectionId)))) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const choices = taken.map(({ index }) => ({ index, onConflict: choiceOf(index) }));
      setOutcomes(await api.connections.import.mutate({ text: file.text, choices }, SESSION_ENDS_AGREED));
      await onChanged();
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  };
  const chooseFile = (label: string): ReactNode => (
    <FileButton resetRef={forgetFile} accept="application/json,.json" onChange={(chosen) => void read(chosen)}>
      {(props) => (
        <Button {...props} variant="default" loading={isBusy && outcomes === undefined}>
          {label}
        </Button>
      )}
    </FileButton>
  );
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    void read(event.dataTransfer.files[0] ?? null);
  };

  return (
    <Modal
      opened
      onClose={onClose}
      title={words.importTitle}
      size={680}
      yOffset={64}
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <div onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
        {file === undefined ? (
          <>
            <p className={styles.text}>{words.importText}</p>
            <div className={styles.drop}>
              <IconFileImport size={32} stroke={1.25} aria-hidden />
              {chooseFile(words.importChoose)}
              <span>{words.importDrop}</span>
            </div>
          </>
        ) : null}
        {file !== undefined && file.preview.problems.length > 0 ? (
          <Problems title={words.importBad(file.name)} problems={file.preview.problems} />
        ) : null}
        {file !== undefined && file.preview.problems.length === 0 && candidates.length === 0 ? (
          <p className={styles.text}>{words.importEmpty}</p>
        ) : null}
        {outcomes === undefined && candidates.length > 0 ? (
          <ul className={styles.list} aria-label={words.importList}>
            {candidates.map((candidate) => (
              <Candidate
                key={candidate.index}
                candidate={candidate}
                isTaken={!left.has(candidate.index)}
                onConflict={choiceOf(candidate.index)}
                onTake={(take) =>
                  setLeft((before) => {
                    const next = new Set(before);
                    if (take) next.delete(candidate.index);
                    else next.add(candidate.index);
                    return next;
                  })
                }
                onChoose={(choice) => setOnConflict((before) => new Map([...before, [candidate.index, choice]]))}
              />
            ))}
          </ul>
        ) : null}
        {outcomes === undefined && taken.some(({ index }) => choiceOf(index) === 'replace') ? (
          <p className={styles.note}>{words.replaceNote}</p>
        ) : null}
        {outcomes === undefined ? null : <Outcomes outcomes={outcomes} />}
        {problem === undefined ? null : <ProblemPanel compact title={words.importFailed} problem={problem} />}
        <DialogActions>
          {file === undefined || outcomes !== undefined ? null : chooseFile(words.importOther)}
          {outcomes === undefined ? (
            <>
              <Button variant="default" onClick={onClose}>
                {strings.common.cancel}
              </Button>
              {candidates.length === 0 ? null : (
                <Button disabled={taken.length === 0} loading={isBusy} onClick={() => void save()}>
                  {words.importConfirm(taken.length)}
                </Button>
              )}
            </>
          ) : (
            <Button onClick={onClose} data-autofocus>
              {words.done}
            </Button>
          )}
        </DialogActions>
      </div>
    </Modal>
  );
}

interface CandidateProps {
  readonly candidate: ImportCandidate;
  readonly isTaken: boolean;
  readonly onConflict: OnConflict;
  readonly onTake: (take: boolean) => void;
  readonly onChoose: (choice: OnConflict) => void;
}

function Candidate({ candidate, isTaken, onConflict, onTake, onChoose }: CandidateProps): ReactNode {
  const words = strings.connections;
  const { index, driver, driverTitle, address, group, conflict, freeName, problems, secretsToEnter, fromEnvironment } = candidate;
  const name = candidate.name.trim() === '' ? words.unnamed(index + 1) : candidate.name;
  const facts = [driverTitle ?? driver, address, group].filter((fact) => fact !== undefined && fact !== '');
  const labels = {
    skip: words.onConflict.skip(),
    rename: words.onConflict.rename(freeName),
    replace: words.onConflict.replace(conflict?.name ?? name),
  };
  return (
    <li className={styles.candidate}>
      <div className={styles.row}>
        <Checkbox
          size="xs"
          aria-label={words.take(name)}
          label={<span className={styles.name}>{name}</span>}
          checked={isTaken && problems.length === 0}
          disabled={problems.length > 0}
          onChange={(event) => onTake(event.currentTarget.checked)}
        />
        <span className={styles.detail}>{facts.join(' · ')}</span>
      </div>
      {problems.length > 0 ? <Problems problems={problems.map(shownProblem)} /> : null}
      {problems.length === 0 && isTaken && conflict !== undefined ? (
        <div className={styles.conflict}>
          <span>{words.conflict(conflict.name)}</span>
          <NativeSelect
            aria-label={words.conflictFor(name)}
            value={onConflict}
            onChange={(event) => onChoose(CHOICES.find((choice) => choice === event.currentTarget.value) ?? 'skip')}
            data={CHOICES.map((value) => ({ value, label: labels[value] }))}
          />
        </div>
      ) : null}
      {problems.length === 0 && fromEnvironment.length > 0 ? (
        <p className={styles.note}>{words.fromEnvironment(fromEnvironment)}</p>
      ) : null}
      {problems.length === 0 && secretsToEnter.length > 0 ? <p className={styles.note}>{words.toEnter(secretsToEnter)}</p> : null}
    </li>
  );
}

function shownProblem({ message, sentence, line, column }: FileProblem): ShownProblem {
  return { message: textInWindowLanguage(message, { sentence }), line, column };
}

function Problems({ title, problems }: { readonly title?: string; readonly problems: readonly ShownProblem[] }): ReactNode {
  return (
    <section className={styles.problems} role="alert" aria-label={title}>
      {title === undefined ? null : <h3>{title}</h3>}
      <ul>
        {problems.map(({ message, line, column }) => (
          <li key={`${line} ${column} ${message}`}>
            <span>{strings.connections.position(line, column)}</span> {message}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Outcomes({ outcomes }: { readonly outcomes: readonly ImportOutcome[] }): ReactNode {
  const words = strings.connections;
  const done = outcomes.filter(({ outcome }) => outcome !== 'failed' && outcome !== 'skipped').length;
  return (
    <>
      <p className={styles.text} role="status">
        {words.importDone(done)}
      </p>
      <ul className={styles.list} aria-label={words.importList}>
        {outcomes.map(({ index, name, outcome, message, origin }) => (
          <li key={index} className={styles.row} data-failed={outcome === 'failed' || undefined}>
            {outcome === 'failed' ? (
              <IconAlertTriangle size={15} stroke={1.75} aria-hidden />
            ) : outcome === 'skipped' ? (
              <IconMinus size={15} stroke={1.75} aria-hidden />
            ) : (
              <IconCheck size={15} stroke={1.75} aria-hidden />
            )}
            <span className={styles.name}>{name}</span>
            <span className={styles.detail}>
              {message === undefined ? words.outcomes[outcome] : textInWindowLanguage(message, origin)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
