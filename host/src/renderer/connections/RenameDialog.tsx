import { Button, Group, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { SavedConnection } from '../../common/connection.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';

interface Props {
  readonly connection: SavedConnection;
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}

/** Gives a connection another name. It stays open. */
export function RenameDialog({ connection, onChanged, onClose }: Props): ReactNode {
  const words = strings.connections;
  const [name, setName] = useState(connection.name);
  const [problem, setProblem] = useState<Problem>();
  const [isRunning, setRunning] = useState(false);
  const isTaken = problem?.code === 'CONNECTION_NAME_TAKEN';
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (name.trim() === '') return;
    setRunning(true);
    try {
      await api.connections.rename.mutate({ connectionId: connection.id, name: name.trim() });
      await onChanged();
      onClose();
    } catch (error) {
      setProblem(problemOf(error));
      setRunning(false);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.renameTitle(connection.name)}
      size={400}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <TextInput
          label={words.renameName}
          value={name}
          maxLength={120}
          required
          error={name.trim() === '' ? strings.form.nameRequired : isTaken ? problem.message : undefined}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setProblem(undefined);
          }}
          onFocus={(event) => event.currentTarget.select()}
          data-autofocus
        />
        {problem === undefined || isTaken ? null : <ProblemPanel compact title={words.renameFailed} problem={problem} />}
        <Group justify="flex-end" gap={8} mt={16}>
          <Button variant="default" onClick={onClose}>
            {strings.common.cancel}
          </Button>
          <Button type="submit" loading={isRunning}>
            {words.renameConfirm}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
