import { Button, Group, Modal } from '@mantine/core';
import type { Principal } from '@tabularium/sdk';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { ProblemPanel } from '../components/ProblemPanel.tsx';
import { strings } from '../strings/index.ts';

interface Props {
  readonly connectionId: string;
  readonly principal: Principal;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

/** Asks once, naming it and what it reaches. */
export function RemoveDialog({ connectionId, principal, onRemoved, onClose }: Props): ReactNode {
  const words = strings.principals;
  const { id, label, reach } = principal;
  const [removing, setRemoving] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const remove = async (): Promise<void> => {
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
      <p style={{ marginTop: 0 }}>{words.removeText(label, reach)}</p>
      {problem === undefined ? null : <ProblemPanel compact title={words.removeTitle(label)} problem={problem} />}
      <Group justify="flex-end" gap={8} mt={16}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {strings.common.cancel}
        </Button>
        <Button color="red" loading={removing} onClick={() => void remove()}>
          {words.removeConfirm(label)}
        </Button>
      </Group>
    </Modal>
  );
}
