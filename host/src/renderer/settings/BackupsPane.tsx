import { Alert, Button, Group, Modal, Table } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { BackupInfo } from '../../common/backups.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { SettingRow } from '../ui/SettingRow.tsx';
import { strings } from '../i18n/index.ts';
import styles from './settings.module.css';
import { DialogActions } from '../ui/DialogActions.tsx';

const KEY = ['backups'];

/** The backups of the data directory: the list, a new one, and which one the next start restores. */
export function BackupsPane(): ReactNode {
  const words = strings.backups;
  const client = useQueryClient();
  const [asked, setAsked] = useState<BackupInfo>();
  const view = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.backups.view.query(undefined, { signal }),
    refetchOnMount: 'always',
  });
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: KEY });
  const create = useMutation({ mutationFn: () => api.backups.create.mutate(), onSettled: refresh });
  const cancel = useMutation({ mutationFn: () => api.backups.cancelRestore.mutate(), onSettled: refresh });
  if (view.error !== null)
    return <ProblemPanel title={words.listFailed} problem={problemOf(view.error)} onRetry={() => void view.refetch()} />;
  if (view.data === undefined) return null;
  const { backups, folder, pending, restoreFailure } = view.data;
  const failure = create.error ?? cancel.error;
  return (
    <>
      {restoreFailure === undefined ? null : (
        <Alert color="red" title={words.failed} mb={12}>
          {restoreFailure}
        </Alert>
      )}
      {pending === undefined ? null : (
        <Alert color="yellow" mb={12} role="status">
          <Group justify="space-between" gap={12}>
            <span className={styles.backupText}>{words.pending(pending)}</span>
            <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
              {words.cancelRestore}
            </Button>
          </Group>
        </Alert>
      )}
      <SettingRow id="setting-backups" title={words.title} help={words.help}>
        <Button variant="default" loading={create.isPending} onClick={() => create.mutate()}>
          {words.create}
        </Button>
      </SettingRow>
      {failure === null ? null : <ProblemPanel compact title={words.actionFailed} problem={problemOf(failure)} />}
      <p className={styles.text} role="status">
        {create.data === undefined ? '' : words.created(words.bytes(create.data.bytes))}
      </p>
      {backups.length === 0 ? (
        <p className={styles.text}>{words.none}</p>
      ) : (
        <BackupTable backups={backups} pending={pending} onRestore={setAsked} />
      )}
      <dl className={styles.facts}>
        <div>
          <dt>{words.folder}</dt>
          <dd>{folder}</dd>
        </div>
      </dl>
      {asked === undefined ? null : <RestoreDialog backup={asked} onClose={() => setAsked(undefined)} onAsked={refresh} />}
    </>
  );
}

interface TableProps {
  readonly backups: readonly BackupInfo[];
  readonly pending: string | undefined;
  readonly onRestore: (backup: BackupInfo) => void;
}

function BackupTable({ backups, pending, onRestore }: TableProps): ReactNode {
  const words = strings.backups;
  return (
    <Table aria-label={words.list}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{words.date}</Table.Th>
          <Table.Th>{words.kind}</Table.Th>
          <Table.Th>{words.size}</Table.Th>
          <Table.Th>
            <span className="tb-visually-hidden">{words.action}</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {backups.map((backup) => (
          <Table.Tr key={backup.name}>
            <Table.Td title={backup.name}>{words.when(backup.createdAt)}</Table.Td>
            <Table.Td>{words.kinds[backup.kind]}</Table.Td>
            <Table.Td>{words.bytes(backup.bytes)}</Table.Td>
            <Table.Td ta="right">
              {backup.kind === 'damaged' || backup.name === pending ? null : (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  aria-label={words.restoreOf(words.when(backup.createdAt))}
                  onClick={() => onRestore(backup)}
                >
                  {words.restore}
                </Button>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface DialogProps {
  readonly backup: BackupInfo;
  readonly onClose: () => void;
  /** Called also where the restore was refused, as for a backup that is gone. */
  readonly onAsked: () => Promise<void>;
}

/** Names the file and what is lost, and asks once. */
function RestoreDialog({ backup, onClose, onAsked }: DialogProps): ReactNode {
  const words = strings.backups;
  const restore = useMutation({
    mutationFn: () => api.backups.restoreAtNextStart.mutate({ name: backup.name }),
    onSettled: async (_view, error) => {
      await onAsked();
      if (error === null) onClose();
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.confirmTitle}
      size={520}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <p className={styles.backupName}>{backup.name}</p>
      <p>{words.confirmText(words.when(backup.createdAt))}</p>
      <p>{words.confirmStored}</p>
      {restore.error === null ? null : <ProblemPanel compact title={words.actionFailed} problem={problemOf(restore.error)} />}
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {strings.common.cancel}
        </Button>
        <Button color="red" loading={restore.isPending} onClick={() => restore.mutate()}>
          {words.confirm}
        </Button>
      </DialogActions>
    </Modal>
  );
}
