import { ActionIcon, Button, Modal, TextInput } from '@mantine/core';
import { IconBookmark, IconPencil, IconSearch, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { SavedRequest } from '../../common/console.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { StateBadge } from '../ui/Marks.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import { RenameSaved } from './RenameSaved.tsx';
import dialogs from './dialogs.module.css';
import styles from './panels.module.css';
import { DialogActions } from '../ui/DialogActions.tsx';

interface Props {
  readonly connectionId: string;
  readonly onTake: (text: string) => void;
}

/** The saved texts of a connection and the global ones. */
export function useSaved(connectionId: string): UseQueryResult<readonly SavedRequest[]> {
  return useQuery({
    queryKey: ['console', 'saved', connectionId],
    queryFn: ({ signal }) => api.console.saved.list.query({ connectionId }, { signal }),
    staleTime: 0,
  });
}

/** Texts that were saved to be run again. */
export function SavedPanel({ connectionId, onTake }: Props): ReactNode {
  const words = strings.console;
  const saved = useSaved(connectionId);
  const [search, setSearch] = useState('');
  const [removing, setRemoving] = useState<SavedRequest>();
  const [renaming, setRenaming] = useState<SavedRequest>();
  const [problem, setProblem] = useState<Problem>();
  const wanted = search.trim().toLocaleLowerCase();
  const shown = saved.data?.filter(({ name, text }) => `${name}\n${text}`.toLocaleLowerCase().includes(wanted));
  const remove = async (request: SavedRequest): Promise<void> => {
    setRemoving(undefined);
    try {
      await api.console.saved.remove.mutate({ id: request.id });
      setProblem(undefined);
      await saved.refetch();
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  const shownProblem = problem ?? (saved.error === null ? undefined : problemOf(saved.error));
  return (
    <>
      <div className={styles.panelHead}>
        <TextInput
          className={styles.panelSearch}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          placeholder={words.savedSearch}
          aria-label={words.savedSearch}
          leftSection={<IconSearch size={14} stroke={1.75} aria-hidden />}
        />
      </div>
      <div className={styles.panelBody}>
        {shownProblem === undefined ? null : (
          <ProblemPanel compact title={words.savedFailed} problem={shownProblem} onRetry={() => void saved.refetch()} />
        )}
        {saved.data?.length === 0 ? (
          <EmptyState icon={<IconBookmark size={32} stroke={1.25} />} title={words.savedEmptyTitle} text={words.savedEmptyText} />
        ) : null}
        {saved.data !== undefined && saved.data.length > 0 && shown?.length === 0 ? (
          <p className={styles.notice}>{words.savedNoMatch}</p>
        ) : null}
        <ul className={styles.entries}>
          {shown?.map((request) => (
            <li key={request.id}>
              <button type="button" title={request.text.slice(0, 2_000)} onClick={() => onTake(request.text)}>
                <strong>{request.name}</strong>
                <code>{request.text.slice(0, 80)}</code>
                {request.connectionId === null ? (
                  <span>
                    <StateBadge tone="plain">{words.savedGlobal}</StateBadge>
                  </span>
                ) : null}
              </button>
              <ActionIcon
                size={22}
                aria-label={words.renameSaved(request.name)}
                title={words.renameSaved(request.name)}
                onClick={() => setRenaming(request)}
              >
                <IconPencil size={14} stroke={1.75} />
              </ActionIcon>
              <ActionIcon
                size={22}
                aria-label={words.removeSaved(request.name)}
                title={words.removeSaved(request.name)}
                onClick={() => setRemoving(request)}
              >
                <IconTrash size={14} stroke={1.75} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      </div>
      {renaming === undefined ? null : (
        <RenameSaved
          request={renaming}
          all={saved.data ?? []}
          onClose={() => setRenaming(undefined)}
          onRenamed={() => {
            setRenaming(undefined);
            void saved.refetch();
          }}
        />
      )}
      {removing === undefined ? null : (
        <Modal
          opened
          onClose={() => setRemoving(undefined)}
          title={words.removeSavedTitle(removing.name)}
          size={440}
          centered
          closeButtonProps={{ 'aria-label': strings.common.close }}
        >
          <p className={dialogs.confirmText}>{words.removeSavedText}</p>
          <DialogActions>
            <Button variant="default" onClick={() => setRemoving(undefined)} data-autofocus>
              {strings.common.cancel}
            </Button>
            <Button color="red" onClick={() => void remove(removing)}>
              {words.removeSavedConfirm(removing.name)}
            </Button>
          </DialogActions>
        </Modal>
      )}
    </>
  );
}
