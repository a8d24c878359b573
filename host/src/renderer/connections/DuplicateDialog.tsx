import { Button, Checkbox, Group, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { SavedConnection } from '../../common/connection.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { useConnections } from '../api/queries.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { freeName } from './listModel.ts';
import { strings } from '../i18n/index.ts';

interface Props {
  readonly connection: SavedConnection;
  readonly onDuplicated: (copy: SavedConnection) => Promise<void>;
  readonly onClose: () => void;
}

/** A connection like another one. Its credentials come along only when that is asked for. */
export function DuplicateDialog({ connection, onDuplicated, onClose }: Props): ReactNode {
  const words = strings.connections;
  const saved = useConnections().data ?? [];
  const [name, setName] = useState(() => freeName(words.copyOf(connection.name), saved));
  const [withSecrets, setWithSecrets] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [isRunning, setRunning] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (name.trim() === '') return;
    setRunning(true);
    try {
      await onDuplicated(await api.connections.duplicate.mutate({ connectionId: connection.id, name: name.trim(), withSecrets }));
    } catch (error) {
      setProblem(problemOf(error));
      setRunning(false);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.duplicateTitle(connection.name)}
      size={440}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <TextInput
          label={words.duplicateName}
          value={name}
          maxLength={120}
          required
          error={
            name.trim() === ''
              ? strings.form.nameRequired
              : problem?.code === 'CONNECTION_NAME_TAKEN'
                ? problem.message
                : undefined
          }
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
          mb={14}
        />
        {Object.keys(connection.secrets).length === 0 ? null : (
          <Checkbox
            size="xs"
            label={words.withSecrets}
            description={words.withSecretsHelp}
            checked={withSecrets}
            onChange={(event) => setWithSecrets(event.currentTarget.checked)}
          />
        )}
        {problem === undefined || problem.code === 'CONNECTION_NAME_TAKEN' ? null : (
          <ProblemPanel compact title={words.duplicateFailed} problem={problem} />
        )}
        <Group justify="flex-end" gap={8} mt={16}>
          <Button variant="default" onClick={onClose}>
            {strings.common.cancel}
          </Button>
          <Button type="submit" loading={isRunning}>
            {words.duplicateConfirm}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
