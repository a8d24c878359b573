import { Button, Group, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { SavedRequest } from '../../common/console.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import dialogs from './dialogs.module.css';

interface Props {
  readonly request: SavedRequest;
  /** Those that it must not be taken for. */
  readonly all: readonly SavedRequest[];
  readonly onRenamed: () => void;
  readonly onClose: () => void;
}

/** Gives a saved request another name, in the place where it is. */
export function RenameSaved({ request, all, onRenamed, onClose }: Props): ReactNode {
  const words = strings.console;
  const [name, setName] = useState(request.name);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const trimmed = name.trim();
  const taken = all.some(
    ({ id, name: other, connectionId }) => id !== request.id && other === trimmed && connectionId === request.connectionId,
  );
  const rename = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (trimmed === '' || taken || busy) return;
    setBusy(true);
    try {
      const { id, connectionId, text } = request;
      await api.console.saved.save.mutate({ id, connectionId, name: trimmed, text });
      onRenamed();
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.renameSavedTitle(request.name)}
      size={440}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <form className={dialogs.form} onSubmit={(event) => void rename(event)}>
        <TextInput
          data-autofocus
          label={words.saveName}
          value={name}
          maxLength={120}
          autoComplete="off"
          error={taken ? words.nameTaken : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {problem === undefined ? null : <ProblemPanel compact title={words.saveFailed} problem={problem} />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {strings.common.cancel}
          </Button>
          <Button type="submit" loading={busy} disabled={trimmed === '' || taken}>
            {words.renameConfirm}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
