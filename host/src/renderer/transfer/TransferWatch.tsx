import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { TransferInfo } from '../../common/transfer.ts';
import { api } from '../api/client.ts';
import { noteDiskFull } from '../api/diskSpace.ts';
import { reportInDriverWords } from '../api/driverTexts.ts';
import { inWindowLanguage } from '../api/inWindowLanguage.ts';
import { problemOf } from '../api/problem.ts';
import { watch } from '../api/watches/watch.ts';
import { formatRowCount } from '../i18n/format.ts';
import { strings } from '../i18n/index.ts';
import { beginActivity, notify } from '../state/notify.ts';
import type { RunningActivity } from '../state/notify.ts';
import { UndecidedExports } from './UndecidedExports.tsx';
import { wasNotSaved } from './windowSave.ts';

function cancel(id: string): void {
  api.exports.cancel
    .mutate({ id })
    .catch((error: unknown) => notify({ tab: 'none', tone: 'warning', text: problemOf(error).message }));
}

function reveal(id: string): void {
  api.exports.reveal
    .mutate({ id })
    .catch((error: unknown) => notify({ tab: 'none', tone: 'warning', text: problemOf(error).message }));
}

/** Whether it failed for want of space, which concerns more than this file. The reason of the failure is said in any case. */
function lookAtDisk(): void {
  api.application.disk.query().then(
    ({ hasSpace }) => noteDiskFull(!hasSpace),
    () => undefined,
  );
}

function notifyEnd({ id, connectionId, table, state, rows, bytes, file, savedBy, rowsDiffer, error }: TransferInfo): void {
  const words = strings.transfer;
  // The host has sent all of it, and the window has said that the file is not there.
  if (savedBy === 'window' && wasNotSaved(file)) return;
  if (state === 'done') {
    const action = { label: words.openFolder, run: () => reveal(id) };
    const text = words.done(table.name, rows, bytes, file);
    notify({ tab: 'none', tone: 'plain', text, ...(savedBy === 'window' ? {} : { action }) });
  }
  if (state === 'failed' && rowsDiffer !== undefined && error?.code === 'ROWS_DIFFER')
    notify({ tab: 'none', tone: 'plain', text: words.removed(table.name) });
  else if (state === 'failed') {
    notify({
      tab: 'none',
      tone: 'warning',
      text: words.failedWith(
        table.name,
        error === undefined ? '' : inWindowLanguage(reportInDriverWords(connectionId, error)).message,
      ),
    });
    lookAtDisk();
  }
  if (state === 'cancelled') notify({ tab: 'none', tone: 'plain', text: words.cancelled(table.name) });
}

/** A file that was to be decided about, and that the host did not find when it started. */
function isLost({ state, rowsDiffer, error }: TransferInfo): boolean {
  return state === 'failed' && rowsDiffer !== undefined && error?.code !== 'ROWS_DIFFER';
}

/** Exports belong to the host: those that run are in the status bar of every window, whatever is on its screen, and undecided ones above it. */
export function TransferWatch(): ReactNode {
  const [undecided, setUndecided] = useState<readonly TransferInfo[]>([]);
  useEffect(() => {
    const running = new Map<string, RunningActivity>();
    // Transfers whose end was reported, or that had ended before this window looked. A short export is never seen running.
    const ended = new Set<string>();
    let isFirst = true;
    const take = (list: readonly TransferInfo[]): void => {
      for (const transfer of list) {
        const { id, table, rows, bytesPerSecond, expected } = transfer;
        const known = running.get(id);
        if (transfer.state === 'running') {
          const all = expected === undefined ? undefined : formatRowCount(expected);
          const label =
            transfer.isWaiting === true
              ? strings.transfer.waiting(table.name)
              : strings.transfer.running(table.name, rows, all, bytesPerSecond);
          const activity = known ?? beginActivity(label, () => cancel(id), transfer.connectionId);
          running.set(id, activity);
          activity.update(label, expected === undefined || expected.rows === 0 ? undefined : Math.min(1, rows / expected.rows));
          continue;
        }
        known?.end();
        running.delete(id);
        if (transfer.state === 'undecided' || ended.has(id)) continue;
        ended.add(id);
        if (!isFirst || isLost(transfer)) notifyEnd(transfer);
      }
      setUndecided(list.filter(({ state, asked }) => state === 'undecided' && asked === 'window').toReversed());
      isFirst = false;
    };
    const endAll = (): void => {
      for (const activity of running.values()) activity.end();
      running.clear();
    };
    const leave = watch<'transfers'>({ is: 'transfers' }, { onValue: take, onBroken: endAll });
    return () => {
      leave();
      endAll();
    };
  }, []);
  return <UndecidedExports transfers={undecided} />;
}
