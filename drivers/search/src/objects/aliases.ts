import { isDriverError } from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import { collectionPath } from '../paths.ts';
import { isObject } from '../guards.ts';
import { objectMembers } from './objectDocument.ts';
import { objectKind } from './objectKind.ts';
import { restSource } from './objectSource.ts';
import type { Consequence, ObjectSource } from './objectSource.ts';

const kind = objectKind({
  id: 'alias',
  term: { one: 'Alias', other: 'Aliases' },
  help: 'A second name for a collection. Applications use it, and you can lead it to another collection at once.',
  scope: 'server',
  columns: [['target', 'Collection']],
  form: [
    {
      path: ['collection_name'],
      type: 'table',
      label: 'Collection',
      help: 'The collection that the alias leads to.',
      required: true,
    },
  ],
});

/** The aliases of the server. */
export function aliasSource(client: SearchClient): ObjectSource {
  return restSource(client, {
    kind,
    nameMember: 'name',
    path: () => '/aliases',
    listMember: 'aliases',
    facts: ({ collection_name: target }) => ({ target: typeof target === 'string' ? target : undefined }),
    async consequence(change, before, signal): Promise<Consequence | undefined> {
      const { name } = change.object;
      const from = typeof before?.['collection_name'] === 'string' ? before['collection_name'] : '';
      if (change.action === 'remove') {
        return {
          consequence: `The alias “${name}” is removed: applications that use it find no collection from then on. The collection “${from}” stays as it is.`,
          texts: { consequence: { id: 'objectPlan.alias.remove', values: { name, from } } },
        };
      }
      const to = objectMembers(change.document)['collection_name'];
      if (typeof to !== 'string') return undefined;
      if (!(await isThere(client, to, signal))) {
        if (before !== undefined && from !== to) {
          return {
            consequence: `The alias “${name}” leads to “${to}” instead of “${from}”, and there is no collection “${to}”: applications that use the alias find nothing until there is one.`,
            texts: { consequence: { id: 'objectPlan.alias.moveNowhere', values: { name, to, from } } },
          };
        }
        return {
          consequence: `There is no collection “${to}”: applications that use the alias “${name}” find nothing until there is one.`,
          texts: { consequence: { id: 'objectPlan.alias.nowhere', values: { name, to } } },
        };
      }
      return before === undefined || from === to
        ? {
            consequence: `The alias “${name}” leads to the collection “${to}”.`,
            texts: { consequence: { id: 'objectPlan.alias.add', values: { name, to } } },
          }
        : {
            consequence: `The alias “${name}” leads to the collection “${to}” instead of “${from}”. Applications that use it read the other collection at once.`,
            texts: { consequence: { id: 'objectPlan.alias.move', values: { name, to, from } } },
          };
    },
  });
}

async function isThere(client: SearchClient, collection: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { value: found } = await client.read(collectionPath(collection), signal);
    // The server answers for an alias, too, but an alias that leads to an alias finds nothing.
    return !isObject(found) || typeof found['name'] !== 'string' || found['name'] === collection;
  } catch (error) {
    // A key that may not read collections cannot say either way.
    if (!isDriverError(error) || error.code === 'CANCELLED') throw error;
    return error.code !== 'NOT_FOUND';
  }
}
