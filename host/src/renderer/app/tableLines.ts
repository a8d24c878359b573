import type { NamespaceSummary, TableSummary } from '@tabularium/sdk';

/** One line of the list of tables. `indent`: how many headings it is below, the innermost left out. */
export type TableLine =
  | {
      readonly is: 'table';
      /** Among the tables. */
      readonly place: number;
      readonly label: string;
      readonly indent: number;
    }
  | {
      readonly is: 'heading';
      /** Names the group, whatever a filter leaves of it. */
      readonly key: string;
      readonly label: string;
      readonly indent: number;
      readonly isFolded: boolean;
      /** One that is read when it is unfolded. */
      readonly namespace?: NamespaceSummary;
    };

/** The groups that a person has folded or unfolded, by their keys; of the others the list decides. `all`: none is folded, as while a filter shows what it found. */
export type FoldedGroups = ReadonlyMap<string, boolean> | 'none';

/** A table among others, by its place. */
export interface Placed {
  readonly place: number;
  readonly path: readonly string[];
  readonly name: string;
}

/**
 * The tables as lines: where they are in several namespaces, each has a heading, and those within another one, such as the schemas of a database, are below its
 * own. A name needs no path then. Of several databases the first one is unfolded.
 */
export function tableLines(tables: readonly TableSummary[], folded: FoldedGroups = new Map()): readonly TableLine[] {
  const all = tables.map(({ ref }, place): Placed => ({ place, path: ref.namespace, name: ref.name }));
  const hasHeadings = new Set(all.map(({ path }) => JSON.stringify(path))).size > 1;
  if (!hasHeadings) return all.map(({ place, name }) => ({ is: 'table', place, label: name, indent: 0 }));
  return groupLines(all, 0, 0, folded);
}

/** The lines of tables beside each other that are in one namespace at this level, or in several. */
export function groupLines(tables: readonly Placed[], level: number, indent: number, folded: FoldedGroups): readonly TableLine[] {
  return groupsOf(tables, level).flatMap((group, position): readonly TableLine[] => {
    const [first] = group;
    if (first === undefined) return [];
    if (first.path.length <= level)
      return group.map(({ place, name }) => ({ is: 'table', place, label: name, indent: Math.max(0, indent - 1) }));
    const key = JSON.stringify(first.path.slice(0, level + 1));
    let next = level + 1;
    while (first.path.length > next && group.every(({ path }) => path[next] === first.path[next])) next += 1;
    const isOtherDatabase = level === 0 && position > 0 && first.path.length > 1;
    const isFolded = folded === 'none' ? false : (folded.get(key) ?? isOtherDatabase);
    const label = first.path.slice(level, next).join('.');
    const heading = { is: 'heading', key, label, indent, isFolded } as const;
    return isFolded ? [heading] : [heading, ...groupLines(group, next, indent + 1, folded)];
  });
}

/** Tables beside each other with the same name at a level of their paths. */
function groupsOf(tables: readonly Placed[], level: number): readonly (readonly Placed[])[] {
  const groups: Placed[][] = [];
  for (const table of tables) {
    const last = groups.at(-1);
    if (last !== undefined && last[0]?.path[level] === table.path[level]) last.push(table);
    else groups.push([table]);
  }
  return groups;
}
