import type { FindRun, TableFound } from './useFindRun.ts';

/** Lines behind the found rows, each group folded into one until a person unfolds it. */
export const FIND_GROUPS = ['leftOut', 'uncompared', 'nothing', 'notAsked'] as const;
export type FindGroup = (typeof FIND_GROUPS)[number];

/** One line of the list of what was found. */
export type FindLine =
  | { readonly is: 'table'; readonly place: number; readonly rows: number; readonly hasMore: boolean; readonly isFolded: boolean }
  | { readonly is: 'row'; readonly place: number; readonly row: number }
  | { readonly is: 'group'; readonly group: FindGroup; readonly count: number; readonly isFolded: boolean }
  | { readonly is: 'entry'; readonly group: FindGroup; readonly place: number };

/** The tables and groups that a person folded or unfolded. Until then tables are unfolded, and groups folded unless they say why nothing was found. */
export interface FoldedLines {
  readonly tables: ReadonlySet<number>;
  readonly groups: ReadonlySet<FindGroup>;
}

export const NOTHING_FOLDED: FoldedLines = { tables: new Set(), groups: new Set() };

/** The group of a table without found rows, or that a table with some is in, too. */
function groupsOf({ outcome, uncompared }: TableFound): readonly FindGroup[] {
  const compared = uncompared === undefined || outcome.outcome === 'noColumns' ? [] : (['uncompared'] as const);
  if (outcome.outcome === 'found') return compared;
  return outcome.outcome === 'nothing' ? ['nothing', ...compared] : ['leftOut', ...compared];
}

/** The lines of a search in the order of its tables: those with rows first, the others in groups behind them. */
export function findLines(
  { tables, found, state }: Pick<FindRun, 'tables' | 'found' | 'state'>,
  folded: FoldedLines,
): readonly FindLine[] {
  const lines: FindLine[] = [];
  const groups = new Map<FindGroup, number[]>(FIND_GROUPS.map((group) => [group, []]));
  for (const place of tables.keys()) {
    const answer = found.get(place);
    if (answer === undefined) {
      if (state !== 'running') groups.get('notAsked')?.push(place);
      continue;
    }
    for (const group of groupsOf(answer)) groups.get(group)?.push(place);
    const { outcome } = answer;
    if (outcome.outcome !== 'found') continue;
    const isFolded = folded.tables.has(place);
    lines.push({ is: 'table', place, rows: outcome.rows.length, hasMore: outcome.hasMore, isFolded });
    if (!isFolded) lines.push(...outcome.rows.map((_row, row): FindLine => ({ is: 'row', place, row })));
  }
  const explains = lines.length === 0 && state !== 'running';
  for (const [group, places] of groups) {
    if (places.length === 0) continue;
    const isUnfoldedFirst = explains && (group === 'leftOut' || group === 'uncompared');
    const isFolded = folded.groups.has(group) === isUnfoldedFirst;
    lines.push({ is: 'group', group, count: places.length, isFolded });
    if (!isFolded) lines.push(...places.map((place): FindLine => ({ is: 'entry', group, place })));
  }
  return lines;
}

/** The sums of a search. */
export function findSums({ found }: Pick<FindRun, 'found'>): {
  readonly tables: number;
  readonly rows: number;
  readonly hasMore: boolean;
} {
  const outcomes = [...found.values()].flatMap(({ outcome }) => (outcome.outcome === 'found' ? [outcome] : []));
  return {
    tables: outcomes.length,
    rows: outcomes.reduce((sum, { rows }) => sum + rows.length, 0),
    hasMore: outcomes.some(({ hasMore }) => hasMore),
  };
}
