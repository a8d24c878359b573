import type { TableDescription, TableRef } from '@tabularium/sdk';
import { columnsOf } from './columns.ts';
import { prettyJson } from './console/prettyJson.ts';
import { stringifyExact } from './exactJson.ts';
import type { CollectionSchema } from './schema.ts';
import type { Schemas } from './schemas.ts';
import { collectionName } from './tables.ts';

export async function describeCollection(table: TableRef, schemas: Schemas, signal: AbortSignal): Promise<TableDescription> {
  const { schema, answer } = await schemas.load(collectionName(table), signal);
  return {
    ref: { namespace: [], name: table.name },
    kind: 'table',
    columns: columnsOf(schema),
    key: ['id'],
    paging: 'offset',
    // The server breaks ties by age, newest first, in either direction of a sort: the reversed order would be another order.
    readsFromEnd: false,
    notes: notesOf(schema, table.name),
    definition: { language: 'json', text: prettyJson(stringifyExact(answer.value, answer.marked)) },
  };
}

function notesOf(schema: CollectionSchema, askedFor: string): string[] {
  const notes: string[] = [];
  if (schema.name !== askedFor) notes.push(`An alias of the collection “${schema.name}”.`);
  notes.push(
    schema.defaultSortingField === ''
      ? 'Without a sort, the newest documents come first.'
      : `Without a sort, documents come by “${schema.defaultSortingField}”, highest first; equal ones newest first.`,
  );
  const patterns = schema.fields.filter(({ name }) => name.includes('.*')).map(({ name }) => `“${name}”`);
  if (patterns.length > 0) {
    notes.push(
      `New fields are learned from documents (${patterns.join(', ')}); they become columns when the structure is reloaded.`,
    );
  }
  return notes;
}
