import { driverText, isDriverError, listOfNames } from '@tabularium/sdk';
import type { Column, TableDescription, TableRef } from '@tabularium/sdk';
import type { SearchClient } from './client.ts';
import { ID_COLUMN, columnsOf, isPlainName } from './columns.ts';
import { prettyJson } from './console/prettyJson.ts';
import { stringifyExact } from './exactJson.ts';
import { countOf, isObject, textOfField } from './guards.ts';
import type { CollectionSchema } from './schema.ts';
import type { LearnedColumn } from './learnedColumns.ts';
import { LIMITS, limitFor } from './limits.ts';
import { documentsOf, foundOf, searchFirst } from './search.ts';
import type { LoadedSchema, Schemas } from './schemas.ts';
import { SCHEMA_HIDDEN_SORTS } from './sorts.ts';
import { collectionName } from './tables.ts';
import { has, versionNumber } from './versions.ts';
import { listOfNotes } from './notes.ts';
import type { Note } from './notes.ts';

/** @throws DriverError `NOT_FOUND`; `ACCESS_REFUSED` when the key may neither read the schema nor search */
export async function describeCollection(
  table: TableRef,
  client: SearchClient,
  schemas: Schemas,
  signal: AbortSignal,
  version?: string,
): Promise<TableDescription> {
  const name = collectionName(table);
  const ref = { namespace: [], name: table.name };
  // The server breaks ties by age, newest first, in either direction of a sort: the reversed order would be another order.
  const rest = { ref, kind: 'table', key: ['id'], paging: 'offset', readsFromEnd: false } as const;
  const loaded = await loadUnlessRefused(name, schemas, signal);
  const versionNotes = notesOfVersion(version);
  if (loaded === undefined) {
    const { columns, notes } = await learnedShape(name, client, schemas, signal);
    return { ...rest, columns, ...listOfNotes([...notes, ...versionNotes]) };
  }
  const { schema, answer } = loaded;
  return {
    ...rest,
    ...identityOf(answer.value),
    columns: columnsOf(schema),
    ...defaultSortOf(schema),
    ...listOfNotes([...notesOf(schema, table.name), ...versionNotes]),
    definition: { language: 'json', text: prettyJson(stringifyExact(answer.value, answer.marked)) },
  };
}

/** An alias leads to another collection by now, or the collection was made again, where this is another text. */
function identityOf(answer: unknown): Pick<TableDescription, 'identity'> {
  const name = isObject(answer) ? textOfField(answer, 'name') : undefined;
  const created = isObject(answer) ? countOf(answer, 'created_at') : undefined;
  if (name === undefined || created === undefined) return {};
  const at = new Date(created * 1_000);
  if (Number.isNaN(at.getTime())) return {};
  return { identity: `${name}, created ${at.toISOString().replace('T', ' ').replace('.000Z', ' UTC')}`.slice(0, 1_000) };
}

async function loadUnlessRefused(name: string, schemas: Schemas, signal: AbortSignal): Promise<LoadedSchema | undefined> {
  try {
    return await schemas.load(name, signal);
  } catch (error) {
    if (isDriverError(error) && error.code === 'ACCESS_REFUSED') return undefined;
    throw error;
  }
}

/** The columns of a collection that may be searched, while its schema is hidden: those of its first documents. */
async function learnedShape(
  name: string,
  client: SearchClient,
  schemas: Schemas,
  signal: AbortSignal,
): Promise<{ columns: Column[]; notes: Note[] }> {
  const { result, asked } = await searchFirst(name, { q: '*' }, client, signal);
  const learned = schemas.learned(name);
  const documents = documentsOf(result);
  learned.learn(documents);
  const isCut = documents.length < Math.min(asked, foundOf(result));
  return {
    columns: learned.describe().map(learnedColumn),
    notes: [
      {
        text: `The key may search in “${name}”. It can't read the schema, because it lacks the action collections:get.`,
        translation: { id: 'table.schemaHidden', values: { name } },
      },
      {
        text: `The columns are those of the first ${asked === 1 ? 'document' : `${asked} documents`} and of pages read since; reload the structure to see new ones.`,
        translation: { id: 'table.learned', values: { asked } },
      },
      ...(isCut
        ? [
            {
              text: `The server gives only ${documents.length} of the ${foundOf(result)} documents; a scoped key that embeds “limit_hits” does this.`,
              translation: { id: 'table.cut', values: { given: documents.length, found: foundOf(result) } },
            },
          ]
        : []),
    ],
  };
}

function learnedColumn({ name, kind, filterClass }: LearnedColumn): Column {
  if (name === 'id') return ID_COLUMN;
  return {
    name,
    kind,
    // As the documents show it: what the schema says is hidden.
    type: kind,
    nullable: true,
    editable: {
      allowed: false,
      reason: "The key can't read the schema, which has the types of values: it lacks the action collections:get.",
      texts: { reason: { id: 'field.schemaHidden' } },
    },
    sortable: { allowed: false, reason: SCHEMA_HIDDEN_SORTS, texts: { reason: { id: 'field.schemaHiddenSort' } } },
    ...(filterClass === undefined || !isPlainName(name) ? {} : { filterClass }),
  };
}

/** A filter that finds less than it says; nothing is said where the server hides its version. */
function notesOfVersion(version: string | undefined): Note[] {
  const { parameter } = LIMITS.wordsByBeginning;
  if (version === undefined || has(versionNumber(version), { since: parameter.since })) return [];
  const words = limitFor(LIMITS.wordsByBeginning, versionNumber(version));
  return [
    {
      text: `The server has version ${version}: “starts with” finds documents of the ${words} most frequent words only. Versions from ${parameter.since}.0 on find all.`,
      translation: { id: 'table.wordsByBeginning', values: { version, words, since: `${parameter.since}.0` } },
    },
  ];
}

/** A field that the schema names and doesn't have orders nothing. */
function defaultSortOf({ defaultSortingField, fields }: CollectionSchema): Pick<TableDescription, 'defaultSort'> {
  return fields.some(({ name }) => name === defaultSortingField)
    ? { defaultSort: [{ column: defaultSortingField, direction: 'descending' }] }
    : {};
}

function notesOf({ name, defaultSortingField, fields }: CollectionSchema, askedFor: string): Note[] {
  const notes: Note[] = [];
  if (name !== askedFor)
    notes.push({ text: `An alias of the collection “${name}”.`, translation: { id: 'table.alias', values: { name } } });
  notes.push(
    defaultSortingField === ''
      ? { text: 'Without a sort, the newest documents come first.', translation: { id: 'table.newestFirst' } }
      : { text: 'Documents that a sort leaves equal come newest first.', translation: { id: 'table.equalNewestFirst' } },
  );
  const patterns = fields.filter((field) => field.name.includes('.*')).map((field) => `“${field.name}”`);
  if (patterns.length > 0) {
    notes.push({
      text: `New fields are learned from documents (${listOfNames(patterns)}); they become columns when the structure is reloaded.`,
      translation: driverText('table.patterns', { patterns }),
    });
  }
  return notes;
}
