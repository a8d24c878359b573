import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { SavedConnection } from '../../common/connection.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import { GroupField } from './GroupField.tsx';
import { DialogActions } from '../ui/DialogActions.tsx';

interface Props {
  readonly connection: SavedConnection;
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}

/** Moves a connection into a group, or out of one. */
export function GroupDialog({ connection, onChanged, onClose }: Props): ReactNode {
  const words = strings.connections;
  const [group, setGroup] = useState(connection.group ?? '');
  const [problem, setProblem] = useState<Problem>();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const name = group.trim();
    try {
      await api.connections.group.mutate({ connectionIds: [connection.id], ...(name === '' ? {} : { group: name }) });
      await onChanged();
      onClose();
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.groupTitle(connection.name)}
      size={400}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <form onSubmit={(event) => void submit(event)}>
        <GroupField value={group} onChange={setGroup} help isFirst />
        {problem === undefined ? null : <ProblemPanel compact title={words.groupFailed} problem={problem} />}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {strings.common.cancel}
          </Button>
          <Button type="submit">{words.groupSave}</Button>
        </DialogActions>
      </form>
    </Modal>
  );
}
