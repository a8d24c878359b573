import { isDriverError } from '@tabularium/sdk';
import type { EditsFacet, PreparedChange, RowChange, TableRef } from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import type { DriverErrorCode } from '@tabularium/sdk';
import type { CollectionSchema } from '../schema.ts';
import type { Schemas } from '../schemas.ts';
import { saysKeyEnded } from '../serverErrors.ts';
import { collectionName } from '../tables.ts';
import { applyChanges } from './apply.ts';
import type { ChangeContext } from './request.ts';
import { changeRequest } from './request.ts';

/** Why a change cannot be sent, as opposed to why the server cannot be asked. */
const REFUSALS: ReadonlySet<DriverErrorCode> = new Set([
  'INVALID_INPUT',
  'UNSUPPORTED',
  'STRUCTURE_CHANGED',
  'ACCESS_REFUSED',
  'NOT_FOUND',
]);

/** Changes that are prepared at the same time: some read their document first. */
const AT_ONCE = 8;

/** Changes of documents: the server has no transactions, so each stands for itself. */
export function createEdits(client: SearchClient, schemas: Schemas): EditsFacet {
  const contextOf = async (table: TableRef, signal: AbortSignal): Promise<ChangeContext> => {
    const collection = collectionName(table);
    return { collection, schema: await schemaUnlessRefused(collection, schemas, signal), client, signal };
  };
  return {
    atomicity: 'each',
    async prepare(table, changes, { signal }) {
      const context = await contextOf(table, signal);
      const prepared: PreparedChange[] = [];
      for (let done = 0; done < changes.length; done += AT_ONCE) {
        prepared.push(...(await Promise.all(changes.slice(done, done + AT_ONCE).map((change) => prepare(change, context)))));
      }
      return prepared;
    },
    async *apply(table, changes, { signal }) {
      yield* applyChanges(changes, await contextOf(table, signal));
    },
  };
}

/** As it is now: a value is typed by what the field is when it is saved. */
async function schemaUnlessRefused(
  collection: string,
  schemas: Schemas,
  signal: AbortSignal,
): Promise<CollectionSchema | undefined> {
  try {
    return await schemas.current(collection, signal);
  } catch (error) {
    if (isDriverError(error) && error.code === 'ACCESS_REFUSED' && !saysKeyEnded(error)) return undefined;
    throw error;
  }
}

async function prepare(change: RowChange, context: ChangeContext): Promise<PreparedChange> {
  try {
    const { method, path, body } = await changeRequest(change, context);
    return { ready: true, text: `${method} ${path}${body === undefined ? '' : `\n${body}`}`, language: 'http' };
  } catch (error) {
    if (!isDriverError(error) || !REFUSALS.has(error.code)) throw error;
    const { field, advice, texts } = error.details;
    return {
      ready: false,
      message: advice === undefined ? error.message : `${error.message} ${advice}`,
      ...(texts?.['message'] === undefined ? {} : { texts: { message: texts['message'] } }),
      ...(field === undefined ? {} : { column: field }),
    };
  }
}
