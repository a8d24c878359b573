import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { noteDiskFull, useDiskIsFull } from '../api/diskSpace.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import { StateBar } from '../ui/StateBar.tsx';
import styles from './hostLinkBar.module.css';

const LOOK_MILLISECONDS = 5_000;

/** Over the window while the disk of the data directory is full. It leaves when there is space again. */
export function DiskFullBar(): ReactNode {
  return useDiskIsFull() ? <Bar /> : null;
}

/** Where, how much is free, and what to do. */
function Bar(): ReactNode {
  const words = strings.diskFull;
  const { data, isFetching, refetch } = useQuery({
    queryKey: ['application', 'disk'],
    queryFn: ({ signal }) => api.application.disk.query(undefined, { signal }),
    // Not while the window is hidden: the library stops there.
    refetchInterval: LOOK_MILLISECONDS,
    staleTime: 0,
    // A reading from the last time that the disk was full says nothing about now.
    gcTime: 0,
  });
  useEffect(() => {
    if (data?.hasSpace !== true) return;
    noteDiskFull(false);
    notify({ tab: 'none', tone: 'plain', text: words.over });
  }, [data, words]);
  return (
    <div className={styles.hostLink}>
      <StateBar
        title={words.title}
        text={data === undefined ? words.text : words.textOf(data.folder, data.freeBytes)}
        actions={
          <Button size="compact-sm" disabled={isFetching} onClick={() => void refetch()}>
            {words.look}
          </Button>
        }
      />
    </div>
  );
}
