import { Button, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import { useDriverChange } from './pluginQueries.ts';
import styles from './plugins.module.css';
import { DialogActions } from '../ui/DialogActions.tsx';

interface Props {
  readonly onClose: () => void;
  readonly onLoaded: (driver: string) => void;
}

/** Asks for the folder of an unsigned driver, and says what that means. */
export function FolderDialog({ onClose, onLoaded }: Props): ReactNode {
  const words = strings.plugins;
  const [folder, setFolder] = useState('');
  const load = useDriverChange((path: string) => api.drivers.loadFolder.mutate({ folder: path }).then(({ id }) => onLoaded(id)));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    load.mutate(folder.trim(), { onSuccess: onClose });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.fromFolder}
      size={480}
      centered
      zIndex={300}
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <form onSubmit={submit} className={styles.form}>
        <TextInput
          label={words.folder}
          description={words.folderHelp}
          value={folder}
          onChange={(event) => setFolder(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <p className={styles.warning}>{words.folderWarning}</p>
        {load.error === null ? null : (
          <ProblemPanel compact title={words.failed.file(words.folder)} problem={problemOf(load.error)} />
        )}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {strings.common.cancel}
          </Button>
          <Button type="submit" loading={load.isPending} disabled={folder.trim() === ''}>
            {words.load}
          </Button>
        </DialogActions>
      </form>
    </Modal>
  );
}
