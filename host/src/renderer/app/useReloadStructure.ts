import type { TableRef } from '@tabularium/sdk';
import { useReloadTable } from '../api/queries.ts';
import { strings } from '../i18n/index.ts';
import { beginActivity } from '../state/notify.ts';

/** An answer within this time doesn't appear in the status bar. */
const SLOW_MILLISECONDS = 150;

interface StructureReload {
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly reload: () => void;
}

/** Reloads a table's structure. A slow reload is shown in the status bar, and can be cancelled there. */
export function useReloadStructure(connectionId: string, table: TableRef): StructureReload {
  const { mutateAsync, reset, error, isPending } = useReloadTable(connectionId, table);
  const reload = (): void => {
    const abort = new AbortController();
    let end: (() => void) | undefined;
    const timer = setTimeout(() => {
      end = beginActivity(strings.grid.reading(table.name), () => abort.abort(), connectionId).end;
    }, SLOW_MILLISECONDS);
    void mutateAsync(abort.signal)
      // A cancelled reload leaves the old structure.
      .catch(() => (abort.signal.aborted ? reset() : undefined))
      .finally(() => {
        clearTimeout(timer);
        end?.();
      });
  };
  return { error, isPending, reload };
}
