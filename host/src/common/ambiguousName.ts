import type { SavedConnection } from './connection.ts';
import { HostError } from './errors.ts';
import { typedWord } from './typedWord.ts';

/** A text names two connections. The one that has it as its id has a name of its own, and the other one an id of its own. */
export function ambiguousName(nameOrId: string, found: readonly Pick<SavedConnection, 'id' | 'name'>[]): HostError {
  const wanted = nameOrId.trim().toLowerCase();
  const byId = found.find(({ id }) => id === wanted);
  const byName = found.find(({ id }) => id !== wanted);
  return new HostError(
    'INVALID_REQUEST',
    `"${nameOrId.trim()}" is the id of the connection "${byId?.name ?? ''}" and the name of the connection ${byName?.id ?? ''}. Nothing was done.`,
    {
      details: {
        advice: `Name the first one by its name. The second one needs another name: tabularium connections rename ${typedWord(byName?.id ?? 'ID')} NAME`,
      },
    },
  );
}
