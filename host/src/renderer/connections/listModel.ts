import type { SavedConnection } from '../../common/connection.ts';

export const SORTS = ['name', 'recent', 'type', 'created'] as const;
export type ConnectionSort = (typeof SORTS)[number];

/** Connections that are listed together; those without a group have no name. */
export interface ConnectionGroup {
  readonly name: string | undefined;
  readonly connections: readonly SavedConnection[];
}

interface Wanted {
  readonly search: string;
  readonly sort: ConnectionSort;
  /** When each was last opened, as ISO. */
  readonly opened: Readonly<Record<string, string>>;
  /** Other texts that find a connection: its type, its address. */
  readonly wordsOf: (connection: SavedConnection) => string;
}

const byText = (a: string, b: string): number => a.localeCompare(b, undefined, { sensitivity: 'base', numeric: true });

function compare(sort: ConnectionSort, opened: Wanted['opened'], wordsOf: Wanted['wordsOf']) {
  return (a: SavedConnection, b: SavedConnection): number => {
    const byName = byText(a.name, b.name);
    switch (sort) {
      case 'name':
        return byName;
      case 'recent':
        return (opened[b.id] ?? '').localeCompare(opened[a.id] ?? '') || byName;
      case 'type':
        return byText(wordsOf(a), wordsOf(b)) || byName;
      case 'created':
        return b.createdAt.localeCompare(a.createdAt) || byName;
    }
  };
}

/** The list as it is shown: what was searched for, in its groups by their names, those without one at the end. */
export function arrange(connections: readonly SavedConnection[], wanted: Wanted): readonly ConnectionGroup[] {
  const { search, sort, opened, wordsOf } = wanted;
  const words = search.trim().toLocaleLowerCase().split(/\s+/);
  const found = connections.filter((connection) => {
    const text = `${connection.name} ${connection.group ?? ''} ${wordsOf(connection)}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
  const sorted = found.toSorted(compare(sort, opened, wordsOf));
  const grouped = Map.groupBy(sorted, ({ group }) => group);
  return [...grouped]
    .map(([name, members]) => ({ name, connections: members }))
    .sort((a, b) => (a.name === undefined ? 1 : b.name === undefined ? -1 : byText(a.name, b.name)));
}

/** With fewer connections the whole list is seen at once. */
const RECENTS_FROM = 8;
const MOST_RECENT = 3;

/** The connections that were opened last, the last one first; none while the list is short. */
export function recentConnections(
  connections: readonly SavedConnection[],
  opened: Readonly<Record<string, string>>,
): readonly SavedConnection[] {
  if (connections.length < RECENTS_FROM) return [];
  return connections
    .filter(({ id }) => Object.hasOwn(opened, id))
    .toSorted((a, b) => (opened[b.id] ?? '').localeCompare(opened[a.id] ?? '') || byText(a.name, b.name))
    .slice(0, MOST_RECENT);
}

/** The names of all groups. */
export function groupNames(connections: readonly SavedConnection[]): readonly string[] {
  return [...new Set(connections.flatMap(({ group }) => (group === undefined ? [] : [group])))].sort(byText);
}

/** The name, or the name with the first number that makes it free. */
export function freeName(wanted: string, connections: readonly SavedConnection[]): string {
  const taken = new Set(connections.map(({ name }) => name.toLocaleLowerCase()));
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? wanted : `${wanted} ${number}`;
    if (!taken.has(candidate.toLocaleLowerCase())) return candidate;
  }
}
