import type { TableSummary } from '@tabularium/sdk';

/** One line of the list of tables: a table by its place among them, or the heading of those that follow. */
export type TableLine =
  { readonly is: 'table'; readonly place: number; readonly label: string } | { readonly is: 'heading'; readonly label: string };

/** The tables as lines: where they are in several namespaces, each has a heading; a name needs no path then. */
export function tableLines(tables: readonly TableSummary[]): readonly TableLine[] {
  const paths = tables.map(({ ref }) => ref.namespace.join('.'));
  const hasHeadings = new Set(paths).size > 1;
  return tables.flatMap(({ ref }, place): TableLine[] => {
    const path = paths[place] ?? '';
    const line = { is: 'table', place, label: ref.name } as const;
    return hasHeadings && path !== '' && path !== paths[place - 1] ? [{ is: 'heading', label: path }, line] : [line];
  });
}
