import { DriverError, driverText } from '@tabularium/sdk';
import type { DriverTexts, OperationResult, PlannedOperation, TableOperationsFacet, TableRef } from '@tabularium/sdk';
import type { SearchClient } from './client.ts';
import { countOf, isObject } from './guards.ts';
import { collectionPath } from './paths.ts';
import type { CollectionSchema } from './schema.ts';
import type { Schemas } from './schemas.ts';
import { requestLine } from './serverErrors.ts';
import { collectionName, tableRef } from './tables.ts';
import { faultTexts } from './faultTexts.ts';

/** From this version on the server empties a collection at once. */
const TRUNCATES = 29;
/** The request for older ones: delete every document whose id is not this one, which no document has. */
const NO_ID = '_tabularium_no_document_';
/** Deleting a million documents by filter takes minutes, and the server answers when it is done. */
const LONGEST_MILLISECONDS = 600_000;

const ALLOWED = { effect: 'destructive', ability: { allowed: true } } as const;

type Way = 'truncate' | 'filter';

interface Operation {
  readonly id: 'empty' | 'delete';
  plan(schema: CollectionSchema, askedFor: string): PlannedOperation;
  run(schema: CollectionSchema, signal: AbortSignal): Promise<OperationResult>;
}

/** The operations on a collection as a whole: empty it, delete it. */
export function createTableOperations(client: SearchClient, schemas: Schemas, version: string | undefined): TableOperationsFacet {
  const operations = [emptying(client, version), deleting(client)];
  const operationOf = (id: string): Operation => {
    const found = operations.find((operation) => operation.id === id);
    if (found === undefined)
      throw new DriverError('UNSUPPORTED', `The operation “${id}” isn't supported for a collection.`, {
        details: { texts: faultTexts('fault.noOperation', { id }) },
      });
    return found;
  };
  return {
    async list(table) {
      collectionName(table);
      return [
        { id: 'empty', label: 'Empty', texts: said('label', 'operation.empty'), ...ALLOWED },
        { id: 'delete', label: 'Delete', texts: said('label', 'operation.delete'), ...ALLOWED },
      ];
    },
    async plan(table, id, { signal }) {
      const operation = operationOf(id);
      const name = collectionName(table);
      return operation.plan(await schemas.current(name, signal), name);
    },
    async run(table, id, confirmed, { signal }) {
      const operation = operationOf(id);
      const name = collectionName(table);
      const schema = await schemas.current(name, signal);
      mustBeConfirmed(schema, name, confirmed);
      try {
        return await operation.run(schema, signal);
      } finally {
        schemas.forget(name);
        schemas.forget(schema.name);
      }
    },
  };
}

/** An alias may have been moved since somebody said yes. */
function mustBeConfirmed(schema: CollectionSchema, askedFor: string, confirmed: TableRef): void {
  if (confirmed.namespace.length === 0 && confirmed.name === schema.name) return;
  throw new DriverError(
    'CONFLICT',
    `Nothing was changed: “${askedFor}” is now “${schema.name}”, but you confirmed “${confirmed.name}”.`,
    {
      details: {
        advice: 'Check the collection behind the name, then confirm again.',
        texts: faultTexts(
          'fault.nameMoved',
          { asked: askedFor, now: schema.name, confirmed: confirmed.name },
          'fault.nameMoved.advice',
        ),
      },
    },
  );
}

function documents(count: number): string {
  return count === 1 ? '1 document' : `${count.toLocaleString('en')} documents`;
}

function behind(schema: CollectionSchema, askedFor: string): string {
  return schema.name === askedFor ? `“${schema.name}”` : `“${schema.name}”, the target of the alias “${askedFor}”,`;
}

/** For the translations of a plan. */
function namesOf(schema: CollectionSchema, askedFor: string): Readonly<Record<string, string | number>> {
  const is = schema.name === askedFor ? 'itself' : 'alias';
  return { name: schema.name, is, alias: askedFor, count: schema.documents };
}

function said(
  member: 'label' | 'consequence' | 'message',
  id: string,
  values: Readonly<Record<string, string | number>> = {},
): DriverTexts {
  return { [member]: driverText(id, values) };
}

function deleting(client: SearchClient): Operation {
  const pathOf = (schema: CollectionSchema): string => collectionPath(schema.name);
  return {
    id: 'delete',
    plan: (schema, askedFor) => ({
      consequence:
        `The collection ${behind(schema, askedFor)} is deleted with its schema and ${documents(schema.documents)}; this cannot be undone.` +
        (schema.name === askedFor ? '' : ` The alias “${askedFor}” stays, but has no target.`),
      texts: said('consequence', 'operation.delete.plan', namesOf(schema, askedFor)),
      target: tableRef(schema.name),
      count: { rows: schema.documents, exact: true },
      text: `DELETE ${pathOf(schema)}`,
    }),
    async run(schema, signal) {
      const answer = await ask(client, pathOf(schema), signal);
      const affected = isObject(answer) ? countOf(answer, 'num_documents') : undefined;
      return {
        message: `Deleted the collection “${schema.name}” with ${documents(affected ?? schema.documents)}.`,
        texts: said('message', 'operation.delete.done', { name: schema.name, count: affected ?? schema.documents }),
        ...(affected === undefined ? {} : { affectedRows: affected }),
      };
    },
  };
}

function emptying(client: SearchClient, version: string | undefined): Operation {
  const major = Number(/^(\d+)/.exec(version ?? '')?.[1] ?? NaN);
  const way: Way | undefined = Number.isNaN(major) ? undefined : major >= TRUNCATES ? 'truncate' : 'filter';
  const pathOf = (schema: CollectionSchema, by: Way): string =>
    `${collectionPath(schema.name)}/documents?${by === 'truncate' ? 'truncate=true' : `filter_by=${encodeURIComponent(`id:!=${NO_ID}`)}`}`;
  const how =
    way === 'truncate'
      ? 'The server truncates the collection, which is done at once.'
      : way === 'filter'
        ? `The server has version ${version ?? ''} and cannot truncate (29.0 and later can), so the documents are deleted by a filter that matches all of them, which takes longer.`
        : "The server doesn't report its version: the driver tries to truncate, and if that fails (before 29.0) it deletes the documents by a filter that matches all of them.";
  return {
    id: 'empty',
    plan: (schema, askedFor) => ({
      consequence: `The collection ${behind(schema, askedFor)} loses all its documents (${schema.documents.toLocaleString('en')}); this cannot be undone. The schema stays, learned fields included. ${how}`,
      texts: said('consequence', 'operation.empty.plan', {
        ...namesOf(schema, askedFor),
        way: way ?? 'unknown',
        version: version ?? '',
      }),
      target: tableRef(schema.name),
      count: { rows: schema.documents, exact: true },
      text: `DELETE ${pathOf(schema, way ?? 'truncate')}`,
    }),
    async run(schema, signal) {
      const { answer, by } = await emptied(schema, signal);
      const affected = isObject(answer) ? countOf(answer, 'num_deleted') : undefined;
      const words = by === 'truncate' ? 'by truncating it' : 'by a filter that matches all documents';
      return {
        message: `Emptied “${schema.name}” ${words}: ${documents(affected ?? schema.documents)} deleted.`,
        texts: said('message', 'operation.empty.done', { name: schema.name, by, count: affected ?? schema.documents }),
        ...(affected === undefined ? {} : { affectedRows: affected }),
      };
    },
  };

  async function emptied(schema: CollectionSchema, signal: AbortSignal): Promise<{ answer: unknown; by: Way }> {
    if (way !== 'filter') {
      try {
        return { answer: await ask(client, pathOf(schema, 'truncate'), signal), by: 'truncate' };
      } catch (error) {
        if (way === 'truncate' || !isTruncateUnknown(error)) throw error;
      }
    }
    return { answer: await ask(client, pathOf(schema, 'filter'), signal), by: 'filter' };
  }
}

/** Older servers do not know the parameter and ask for the one that they know; nothing is deleted then. */
function isTruncateUnknown(error: unknown): boolean {
  return error instanceof DriverError && /filter_by. must be provided/.test(error.details.serverMessage ?? '');
}

/** Sends a deletion, once. */
async function ask(client: SearchClient, path: string, signal: AbortSignal): Promise<unknown> {
  try {
    const response = await client.send({
      method: 'DELETE',
      path,
      repeatable: false,
      timeoutMilliseconds: LONGEST_MILLISECONDS,
      signal,
    });
    return JSON.parse(await response.text()) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if (!(error instanceof DriverError) || !['CONNECTION_LOST', 'TIMEOUT', 'CANCELLED'].includes(error.code)) throw error;
    throw new DriverError(
      error.code,
      `${requestLine('DELETE', path)} was sent, but its response was lost, so it may have been done. ${error.message}`,
      {
        cause: error,
        details: {
          ...error.details,
          advice: 'Refresh the list and look at the number of documents.',
          texts: faultTexts('fault.deleteLost', { request: requestLine('DELETE', path) }, 'fault.deleteLost.advice'),
        },
      },
    );
  }
}
