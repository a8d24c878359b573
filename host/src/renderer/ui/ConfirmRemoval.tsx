import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { ProblemPanel } from './ProblemPanel.tsx';
import { DialogActions } from './DialogActions.tsx';

interface Props {
  /** Names the object. */
  readonly title: string;
  readonly text: string;
  /** Of the button. */
  readonly confirm: string;
  /** A rejection is shown, and the dialog stays. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks once before something is removed; the way back has the focus. */
export function ConfirmRemoval({ title, text, confirm, onConfirm, onClose }: Props): ReactNode {
  const [problem, setProblem] = useState<Problem>();
  const [isRunning, setRunning] = useState(false);
  const run = async (): Promise<void> => {
    setRunning(true);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setProblem(problemOf(error));
      setRunning(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={title} size={440} centered closeButtonProps={{ 'aria-label': strings.common.close }}>
      <p style={{ marginTop: 0 }}>{text}</p>
      {problem === undefined ? null : <ProblemPanel compact title={title} problem={problem} />}
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {strings.common.cancel}
        </Button>
        <Button color="red" loading={isRunning} onClick={() => void run()}>
          {confirm}
        </Button>
      </DialogActions>
    </Modal>
  );
}
