import { DriverError } from '@tabularium/sdk';
import type { OperationPlace, OperationsFacet } from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import type { Schemas } from '../schemas.ts';
import { collectionName } from '../tables.ts';
import { versionNumber } from '../versions.ts';
import { addFields, dropFields } from './changeFields.ts';
import { cloneCollection } from './cloneCollection.ts';
import { deleteByQuery } from './deleteByQuery.ts';
import { moveAliases } from './moveAliases.ts';
import { newCollection } from './newCollection.ts';
import { reindex } from './reindex.ts';
import type { OperationSource, SearchOperation } from './searchOperation.ts';
import { snapshot } from './snapshot.ts';
import { faultTexts } from '../faultTexts.ts';

/** The operations of the server and of collections. Emptying and deleting a collection are table operations, which need no input. */
export function createOperations(client: SearchClient, schemas: Schemas, version: string | undefined): OperationsFacet {
  const source: OperationSource = { client, schemas, version: versionNumber(version) };
  const operations = [
    newCollection(source),
    moveAliases(source),
    snapshot(source),
    addFields(source),
    dropFields(source),
    cloneCollection(source),
    reindex(source),
    deleteByQuery(source),
  ];
  const operationOf = (place: OperationPlace, id: string): SearchOperation => {
    const found = operations.find(({ on, operation }) => on === place.on && operation.id === id);
    if (found === undefined)
      throw new DriverError('UNSUPPORTED', `The operation “${id}” isn't supported here.`, {
        details: { texts: faultTexts('fault.noOperation', { id }) },
      });
    return found;
  };
  return {
    async list(place, { signal }) {
      signal.throwIfAborted();
      if (place.on === 'table') collectionName(place.table);
      return operations.filter(({ on }) => on === place.on).map(({ operation }) => operation);
    },
    async form(place, operation, { signal }) {
      signal.throwIfAborted();
      return operationOf(place, operation).form(place, signal);
    },
    async plan(call, { signal }) {
      signal.throwIfAborted();
      return operationOf(call.place, call.operation).plan(call, signal);
    },
    async *run(call, options) {
      options.signal.throwIfAborted();
      yield* operationOf(call.place, call.operation).run(call, options);
    },
  };
}
