import { useQueryClient } from '@tanstack/react-query';
import type { OperationCall } from '@tabularium/sdk';
import { useEffect, useEffectEvent, useState } from 'react';
import type { ReactNode } from 'react';
import type { OperationRun } from '../../common/operations.ts';
import { api } from '../api/client.ts';
import { inDriverWords } from '../api/driverTexts.ts';
import { problemOf } from '../api/problem.ts';
import { watch } from '../api/watches/watch.ts';
import { strings } from '../i18n/index.ts';
import { beginActivity, notify } from '../state/notify.ts';
import type { RunningActivity } from '../state/notify.ts';
import { announceTableChange } from '../state/tableChanges.ts';
import { settleStaged } from './discardAfterRun.ts';
import { OpenRuns } from './OpenRuns.tsx';
import { UndoneRuns } from './undoneRuns.ts';
import { runLabel, runTitle } from './runText.ts';
import { onDemand } from '../ui/onDemand.tsx';

const OperationFormDialog = onDemand(async () => (await import('./OperationFormDialog.tsx')).OperationFormDialog);

const warn = (error: unknown): void => notify({ tab: 'none', tone: 'warning', text: problemOf(error).message });

/** Operations belong to the host: those that run are in the status bar of every window, and those that need a person above it. */
export function OperationWatch(): ReactNode {
  const client = useQueryClient();
  const [runs, setRuns] = useState<readonly OperationRun[]>([]);
  const [undoing, setUndoing] = useState<{ readonly run: OperationRun; readonly call: OperationCall }>();
  const [undone] = useState(() => new UndoneRuns((id) => void api.operations.leave.mutate({ id }).catch(warn)));
  const changed = useEffectEvent((connectionId: string) => {
    // Rows, counts and structures may all be others now.
    announceTableChange(connectionId);
    void client.invalidateQueries({ queryKey: ['tables', connectionId] });
  });
  useEffect(() => {
    const running = new Map<string, RunningActivity>();
    const ended = new Set<string>();
    let isFirst = true;
    const take = (list: readonly OperationRun[]): void => {
      for (const run of list) {
        const { id, state, connectionId } = run;
        const known = running.get(id);
        if (state === 'running') {
          const label = runLabel(run);
          ended.delete(id);
          const activity =
            known ?? beginActivity(label, () => void api.operations.cancel.mutate({ id }).catch(warn), connectionId);
          running.set(id, activity);
          const { done, of } = run.progress;
          activity.update(label, done === undefined || of === undefined || of === 0 ? undefined : Math.min(1, done / of));
          continue;
        }
        known?.end();
        running.delete(id);
        if (ended.has(id)) continue;
        ended.add(id);
        if (isFirst) continue;
        notifyEnd(run);
        settleStaged(id, connectionId, state === 'done').catch(warn);
        changed(connectionId);
      }
      undone.take(list);
      setRuns(list);
      isFirst = false;
    };
    const endAll = (): void => {
      for (const activity of running.values()) activity.end();
      running.clear();
    };
    const leave = watch<'operations'>({ is: 'operations' }, { onValue: take, onBroken: endAll });
    return () => {
      leave();
      endAll();
    };
  }, [undone]);
  const undo = (run: OperationRun): void => {
    api.operations.undo.query({ id: run.id }).then((call) => setUndoing({ run, call }), warn);
  };
  return (
    <>
      <OpenRuns runs={runs} onUndo={undo} />
      {undoing === undefined ? null : (
        <OperationFormDialog
          connectionId={undoing.run.connectionId}
          place={undoing.call.place}
          operation={{
            id: undoing.call.operation,
            label: undoLabel(undoing.run),
            help: '',
          }}
          draft={undoing.call}
          onStarted={(runId) => undone.begin(runId, undoing.run.id)}
          onClose={() => setUndoing(undefined)}
        />
      )}
    </>
  );
}

function undoLabel({ connectionId, result }: OperationRun): string {
  return result?.undo === undefined ? strings.operations.undo : inDriverWords(connectionId, result.undo).label;
}

function notifyEnd(run: OperationRun): void {
  const words = strings.operations;
  if (run.state === 'done' && run.result !== undefined) {
    notify({ tab: 'none', tone: 'plain', text: inDriverWords(run.connectionId, run.result).message });
  }
  if (run.state === 'cancelled') notify({ tab: 'none', tone: 'plain', text: words.cancelled(runTitle(run)) });
  if (run.state === 'failed')
    notify({ tab: 'none', tone: 'warning', text: words.failed(runTitle(run), run.error?.message ?? '') });
}
