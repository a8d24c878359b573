import type { TabModel } from '../tab/tabModel.ts';

/** Whether the connection can export the rows of its tables. */
export function canExport({ connection }: Pick<TabModel, 'connection'>): boolean {
  return connection.facets.includes('export');
}
