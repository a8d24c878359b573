import { api } from '../../api/client.ts';
import { problemOf, wasAborted } from '../../api/problem.ts';
import { strings } from '../../i18n/index.ts';
import { beginActivity, notify, currentTab } from '../../state/notify.ts';
import type { TabModel } from '../tab/tabModel.ts';

/**
 * Goes to the last row: by its number, or from the end where pages are found by cursors and the table can be read from there. Whether that was
 * possible; else the grid goes to the last row that it has found.
 */
export function goToEnd(
  model: Pick<TabModel, 'connection' | 'description' | 'filter' | 'rows' | 'edited' | 'grid'>,
  column: number,
): boolean {
  const { description, filter, grid } = model;
  const { connectionId } = model.connection;
  const { cache } = model.rows;
  const { above } = model.edited;
  const { ref: table } = description;
  const go = (): void => {
    const row = cache.rowCount + above - 1;
    if (row >= 0) grid.current?.goTo({ row, column });
  };
  if (!cache.reachesEnd) return false;
  if (cache.knownRows === cache.rowCount) {
    go();
    return true;
  }
  const controller = new AbortController();
  const { signal } = controller;
  const tab = currentTab();
  const activity = beginActivity(strings.grid.reading(table.name), () => controller.abort(), connectionId);
  const read = async (): Promise<void> => {
    // The rows are numbered from the start, so it has to be known how many there are.
    if (cache.total?.exact !== true)
      cache.learn(await api.tables.count.query({ connectionId, table, filter: filter.applied }, { signal }));
    await cache.readEnd(signal);
    // The grid has to know how many rows there are before it can show the last one.
    requestAnimationFrame(go);
  };
  read()
    .catch((error: unknown) => {
      if (!wasAborted(error, signal)) notify({ tab, tone: 'warning', text: problemOf(error).message });
    })
    .finally(activity.end);
  return true;
}
