import { useQueryClient } from '@tanstack/react-query';
import type { TableRef } from '@tabularium/sdk';
import { useCallback, useRef, useState } from 'react';
import { reportInDriverWords } from '../api/driverTexts.ts';
import { ReportedProblem, problemOf } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { beginActivity, notify, currentTab } from '../state/notify.ts';
import { noteSavedRow } from '../state/savedRows.ts';
import { stageSubject } from '../state/stagedTables.ts';
import { editingApi } from './editingApi.ts';
import { saveEnding } from './saveEnding.ts';
import type { SaveState } from './saveState.ts';

export interface Save {
  readonly run: SaveState | undefined;
  /** @param rowIds - the rows to save; undefined: all whose outcome is not uncertain */
  readonly start: (rowIds?: readonly string[]) => void;
  readonly cancel: () => void;
  readonly forget: () => void;
}

/** Saves the staged changes of a table. It continues, and can be cancelled in the status bar, whatever is on the screen. */
export function useSave(connectionId: string, table: TableRef, onSaved: () => void): Save {
  const client = useQueryClient();
  const [run, setRun] = useState<SaveState>();
  const running = useRef<() => void>(undefined);

  const start = useCallback(
    (rowIds?: readonly string[]): void => {
      if (running.current !== undefined) return;
      const tab = currentTab();
      // The stream is read to its end, which says what was saved.
      const cancel = (): void => {
        show({ isCancelling: true });
        activity.update(strings.editing.cancelling(table.name));
        editingApi.cancelSave({ connectionId, table }).catch((error: unknown) => {
          show({ isCancelling: false });
          notify({ tab, tone: 'warning', text: problemOf(error).message });
        });
      };
      running.current = cancel;
      const activity = beginActivity(strings.editing.saving(table.name), cancel, connectionId);
      let now: SaveState = { isRunning: true, rows: 0, outcomes: new Map() };
      const show = (next: Partial<SaveState>): void => {
        now = { ...now, ...next };
        setRun(now);
      };
      show({});
      const follow = async (): Promise<void> => {
        try {
          const events = await editingApi.save({ connectionId, table, ...(rowIds === undefined ? {} : { rowIds }) });
          for await (const event of events) {
            if (event.type === 'begin') show({ rows: event.rows });
            else if (event.type === 'end') {
              const problem =
                event.error === undefined || event.error.code === 'CANCELLED'
                  ? undefined
                  : problemOf(new ReportedProblem(reportInDriverWords(connectionId, event.error)));
              show({ end: event, ...(problem === undefined ? {} : { problem }) });
            } else {
              if (event.kind === 'insert' && event.key !== undefined) noteSavedRow(event.rowId, event.key);
              show({ outcomes: new Map(now.outcomes).set(event.rowId, event) });
              activity.update(
                strings.editing.savingProgress(table.name, now.outcomes.size, now.rows),
                now.rows === 0 ? undefined : now.outcomes.size / now.rows,
              );
            }
          }
        } catch (error) {
          show({ problem: problemOf(error) });
        } finally {
          running.current = undefined;
          activity.end();
          show({ isRunning: false, isCancelling: false });
        }
        if ([...now.outcomes.values()].some(({ outcome }) => outcome === 'saved')) {
          onSaved();
          void client.invalidateQueries({ queryKey: ['tables', connectionId], exact: true });
        }
        const ending = saveEnding(now, table.name);
        if (ending !== undefined) notify({ about: stageSubject(connectionId, table), tab, ...ending });
      };
      void follow();
    },
    [connectionId, table, onSaved, client],
  );

  return {
    run,
    start,
    cancel: () => running.current?.(),
    forget: () => (running.current === undefined ? setRun(undefined) : undefined),
  };
}
