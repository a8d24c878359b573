import { Button, Modal, TextInput } from '@mantine/core';
import type { Principal } from '@tabularium/sdk';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import styles from './principals.module.css';
import { DialogActions } from '../ui/DialogActions.tsx';

interface Props {
  readonly connectionId: string;
  readonly principal: Principal;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

/** Asks once, naming it and what it reaches; its name is typed, because nothing brings it back. */
export function RemoveDialog({ connectionId, principal, onRemoved, onClose }: Props): ReactNode {
  const words = strings.principals;
  const { id, label, reach } = principal;
  const [typed, setTyped] = useState('');
  const [removing, setRemoving] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const isConfirmed = typed.trim() === label.trim();
  const remove = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!isConfirmed || removing) return;
    setRemoving(true);
    try {
      await api.principals.remove.mutate({ connectionId, id });
      onRemoved();
    } catch (error) {
      setProblem(problemOf(error));
      setRemoving(false);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.removeTitle(label)}
      size={440}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <form onSubmit={(event) => void remove(event)}>
        <p className={styles.secretText}>{words.removeText(label, reach)}</p>
        <TextInput
          data-autofocus
          label={words.typeName(label)}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {problem === undefined ? null : <ProblemPanel compact title={words.removeFailed(label)} problem={problem} />}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {strings.common.cancel}
          </Button>
          <Button type="submit" color="red" disabled={!isConfirmed} loading={removing}>
            {words.removeConfirm(label)}
          </Button>
        </DialogActions>
      </form>
    </Modal>
  );
}
