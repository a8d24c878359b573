import type { TableRef } from '@tabularium/sdk';
import { useReloadTable } from '../api/queries.ts';
import { strings } from '../i18n/index.ts';
import { beginActivity } from '../state/notify.ts';

/** What answers within this time is not told of in the status bar. */
const SLOW_MILLISECONDS = 150;

interface StructureReload {
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly reload: () => void;
}

/** Reads a table's structure anew: told of in the status bar, and cancelled there, where it takes its time. */
export function useReloadStructure(connectionId: string, table: TableRef): StructureReload {
  const { mutateAsync, reset, error, isPending } = useReloadTable(connectionId, table);
  const reload = (): void => {
    const abort = new AbortController();
    let end: (() => void) | undefined;
    const timer = setTimeout(() => {
      end = beginActivity(strings.grid.reading(table.name), () => abort.abort()).end;
    }, SLOW_MILLISECONDS);
    void mutateAsync(abort.signal)
      // What was cancelled leaves what was there.
      .catch(() => (abort.signal.aborted ? reset() : undefined))
      .finally(() => {
        clearTimeout(timer);
        end?.();
      });
  };
  return { error, isPending, reload };
}
