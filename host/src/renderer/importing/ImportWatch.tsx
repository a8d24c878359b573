import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { ImportInfo } from '../../common/imports.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { watch } from '../api/watches/watch.ts';
import { beginActivity, notify } from '../state/notify.ts';
import type { RunningActivity } from '../state/notify.ts';
import { announceTableChange } from '../state/tableChanges.ts';
import { importNotes } from './importNotes.ts';
import { importProgress } from './importProgress.ts';
import { importWords } from './importWords.ts';
import { ImportList } from './ImportList.tsx';

function warn(error: unknown): void {
  notify({ tab: 'none', tone: 'warning', text: problemOf(error).message });
}

/** Imports belong to the host: those that run are in the status bar of every window, and those that need a person are above it. */
export function ImportWatch(): ReactNode {
  const [listed, setListed] = useState<readonly ImportInfo[]>([]);
  const queries = useQueryClient();
  useEffect(() => {
    const running = new Map<string, RunningActivity>();
    const ended = new Set<string>();
    let isFirst = true;
    const take = (list: readonly ImportInfo[]): void => {
      for (const info of list) {
        const { id, table, written, rejected, state } = info;
        const known = running.get(id);
        const words = importWords(info);
        const shown = importProgress(info);
        if (shown !== undefined) {
          const { text, progress, secondsLeft } = shown;
          const activity =
            known ?? beginActivity(text, () => void api.imports.cancel.mutate({ id }).catch(warn), info.connectionId);
          running.set(id, activity);
          activity.update(text, progress, { secondsLeft });
          continue;
        }
        known?.end();
        running.delete(id);
        if (ended.has(id) || (state !== 'done' && state !== 'cancelled')) continue;
        ended.add(id);
        if (isFirst) continue;
        if (state === 'cancelled')
          notify({ tab: 'none', tone: 'plain', text: [words.cancelled(table.name, written), ...importNotes(info)].join(' ') });
        else if (rejected === 0)
          notify({
            tab: 'none',
            tone: importNotes(info).length === 0 ? 'plain' : 'warning',
            text: [words.done(table.name, written), ...importNotes(info)].join(' '),
          });
        // Also the rows that a tab shows, and not only what is known of the table.
        announceTableChange(info.connectionId);
        void queries.invalidateQueries();
      }
      setListed(list.filter(needsPerson));
      isFirst = false;
    };
    const endAll = (): void => {
      for (const activity of running.values()) activity.end();
      running.clear();
    };
    const leave = watch<'imports'>({ is: 'imports' }, { onValue: take, onBroken: endAll });
    return () => {
      leave();
      endAll();
    };
  }, [queries]);
  return <ImportList imports={listed} />;
}

function needsPerson({ state, rejected }: ImportInfo): boolean {
  return state === 'done' || state === 'cancelled' ? rejected > 0 : true;
}
