import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { SavedConnection } from '../../common/connection.ts';
import { api } from '../api/client.ts';
import { problemOf, wasAborted } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import { DialogActions } from '../ui/DialogActions.tsx';

interface Props {
  readonly connection: Pick<SavedConnection, 'id' | 'name'>;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

/** Asks once, naming the connection. */
export function RemoveConnectionDialog({ connection, onRemoved, onClose }: Props): ReactNode {
  const [removing, setRemoving] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const remove = async (): Promise<void> => {
    setRemoving(true);
    try {
      await api.connections.remove.mutate({ connectionId: connection.id });
      onRemoved();
    } catch (error) {
      // Without an agreement to lose its open transactions it stays.
      if (!wasAborted(error)) setProblem(problemOf(error));
      setRemoving(false);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={strings.start.removeTitle(connection.name)}
      size={440}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <p style={{ marginTop: 0 }}>{strings.start.removeText(connection.name)}</p>
      {problem === undefined ? null : (
        <ProblemPanel compact title={strings.start.removeTitle(connection.name)} problem={problem} />
      )}
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {strings.common.cancel}
        </Button>
        <Button color="red" loading={removing} onClick={() => void remove()}>
          {strings.start.removeConfirm(connection.name)}
        </Button>
      </DialogActions>
    </Modal>
  );
}
