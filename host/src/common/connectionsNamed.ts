import type { SavedConnection } from './connection.ts';

type Named = Pick<SavedConnection, 'id' | 'name'>;

/**
 * The connections that a text names: the one with that id and, letter case aside, the one with that name. Two where the id of one is the name of another:
 * neither may be taken for the other.
 */
export function connectionsNamed<Connection extends Named>(all: readonly Connection[], nameOrId: string): readonly Connection[] {
  const wanted = nameOrId.trim().toLowerCase();
  return all.filter(({ id, name }) => id === wanted || name.toLowerCase() === wanted);
}
