import { DriverError, isAbsent, isDriverError } from '@tabularium/sdk';
import { documentId } from '../documentId.ts';
import type { Assignment, Cell, HttpRequest, RowChange } from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import { ID_REWRITTEN, uneditableReason } from '../columns.ts';
import { collectionPath, encodeSegment } from '../paths.ts';
import { saysKeyEnded } from '../serverErrors.ts';
import type { CollectionSchema, SchemaField } from '../schema.ts';
import type { ExactValue } from './exactValue.ts';
import { emptyObject, isExactObject, parseExactly } from './exactValue.ts';
import type { FieldPath } from './fieldPath.ts';
import { dottedBeside, fieldPath, pathInDocument, setAt, valueAt } from './fieldPath.ts';
import { fieldValue, refusedValue } from './fieldValue.ts';
import { mergePatch } from './mergePatch.ts';
import { faultTexts } from '../faultTexts.ts';

/** Leaves that the answer to an update must show: the server ignores a leaf that it doesn't understand, and answers 200. */
export interface Expectation {
  readonly column: string;
  readonly segments: readonly string[];
  /** Undefined: the field must be gone. */
  readonly value: ExactValue;
}

/** One change as the one request that makes it. */
export interface ChangeRequest {
  readonly method: Extract<HttpRequest['method'], 'POST' | 'PATCH' | 'DELETE'>;
  readonly path: string;
  readonly body?: string;
  /** Of the document; undefined when the server chooses it. */
  readonly id?: string;
  readonly expected: readonly Expectation[];
}

/** The facts that the changes of one collection need. */
export interface ChangeContext {
  readonly collection: string;
  /** Undefined when the key may not read it. */
  readonly schema: CollectionSchema | undefined;
  readonly client: SearchClient;
  readonly signal: AbortSignal;
}

/**
 * The request for a change. Mostly without asking the server; the document is read first only where nothing else shows the place of
 * its field, the members to remove from an object, or members with a dot in their name that the server would drop.
 *
 * @throws DriverError `INVALID_INPUT`, `UNSUPPORTED`, `STRUCTURE_CHANGED` (with the column), `ACCESS_REFUSED`
 */
export async function changeRequest(change: RowChange, context: ChangeContext): Promise<ChangeRequest> {
  switch (change.kind) {
    case 'insert':
      return insertRequest(change.values, context);
    case 'update':
      return updateRequest(documentId(change.key), change.assignments, context);
    case 'delete': {
      const id = documentId(change.key);
      return { method: 'DELETE', path: documentPath(context.collection, id), id, expected: [] };
    }
  }
}

function documentsPath(collection: string): string {
  return `${collectionPath(collection)}/documents`;
}

function documentPath(collection: string, id: string): string {
  return `${documentsPath(collection)}/${encodeSegment(id)}`;
}

function textOf(cell: Cell): string | undefined {
  if (typeof cell === 'string') return cell;
  if (typeof cell !== 'object' || cell === null) return undefined;
  return cell[0] === 'text' ? cell[1] : undefined;
}

/** No value: null and absent are the same to the server, which keeps no null in a document. */
function isNothing(cell: Cell): boolean {
  return cell === null || isAbsent(cell);
}

function insertRequest(values: readonly Assignment[], context: ChangeContext): ChangeRequest {
  const fields = fieldsOf(values, context);
  const document = emptyObject();
  let id: string | undefined;
  for (const { column, value } of values) {
    if (column === 'id') {
      id = insertedId(value);
      if (id !== undefined) document['id'] = id;
      continue;
    }
    const { field, schema } = fields(column);
    if (isNothing(value)) {
      if (value === null) mustBeOptional(field);
      continue;
    }
    setAt(document, fieldPath(column, schema).segments, fieldValue(value, field));
  }
  return {
    method: 'POST',
    path: documentsPath(context.collection),
    body: JSON.stringify(document),
    ...(id === undefined ? {} : { id }),
    expected: [],
  };
}

/** Left out, null or empty: the server chooses one. */
function insertedId(cell: Cell): string | undefined {
  if (isNothing(cell)) return undefined;
  const id = textOf(cell) ?? (typeof cell === 'number' ? String(cell) : undefined);
  if (id === undefined || !id.isWellFormed()) throw refusedValue('id', 'An id must be a string.', { id: 'value.id' });
  return id === '' ? undefined : id;
}

async function updateRequest(id: string, assignments: readonly Assignment[], context: ChangeContext): Promise<ChangeRequest> {
  if (assignments.length === 0)
    throw new DriverError('INVALID_INPUT', 'No field of the document is changed.', {
      details: { texts: { message: { id: 'edit.nothing' } } },
    });
  const fields = fieldsOf(assignments, context);
  const patch = emptyObject();
  const expected: Expectation[] = [];
  let document: Promise<ExactValue> | undefined;
  const current = (why: string): Promise<ExactValue> => (document ??= readDocument(id, why, context));
  /** Undefined where the key may not read it, or it is gone, which the change itself says. */
  const known = (why: string): Promise<ExactValue> =>
    current(why).catch((error: unknown) => {
      const isUnread = isDriverError(error) && (error.code === 'ACCESS_REFUSED' || error.code === 'NOT_FOUND');
      if (isUnread && !saysKeyEnded(error)) return undefined;
      throw error;
    });
  for (const { column, value } of assignments) {
    if (column === 'id')
      throw refusedValue('id', `${ID_REWRITTEN} Insert a document with the new id and delete this one.`, { id: 'value.fixedId' });
    const { field, schema } = fields(column);
    if (isNothing(value)) mustBeOptional(field);
    const wanted = isNothing(value) ? undefined : fieldValue(value, field);
    const path = fieldPath(column, schema);
    if (schema.nested && (path.segments.length > 1 || holdsObjects(wanted))) await known(`“${column}” may be there twice`);
    const segments = await certainPath(column, path, path.certain ? known : current);
    const sent = isExactObject(wanted)
      ? mergePatch(valueAt(await current(`“${column}” is an object`), segments), wanted, column)
      : (wanted ?? null);
    setAt(patch, segments, sent);
    // The answer doesn't have values that are not stored.
    if (field.store && (segments.length > 1 || column.includes('.') || isExactObject(wanted))) {
      expected.push({ column, segments, value: wanted });
    }
  }
  const beside = document === undefined ? [] : dottedBeside(patch, await known(''));
  for (const [name, value] of beside) {
    if (removesLeaf(patch, name))
      throw dropsMember(assignments.find(({ column }) => `${name}.`.startsWith(`${column}.`))?.column ?? name, name);
    patch[name] = value;
    expected.push({ column: name, segments: [name], value });
  }
  return { method: 'PATCH', path: documentPath(context.collection, id), body: JSON.stringify(patch), id, expected };
}

/** Whether a change removes the leaf of a nested object that the server calls by this name. */
function removesLeaf(patch: ExactValue, name: string): boolean {
  if (!isExactObject(patch)) return false;
  return Object.keys(patch).some((member) =>
    member === name
      ? patch[member] === null
      : name.startsWith(`${member}.`) && removesLeaf(patch[member], name.slice(member.length + 1)),
  );
}

/** The server drops the member even where the change has it. */
function dropsMember(column: string, member: string): DriverError {
  return new DriverError(
    'UNSUPPORTED',
    `The server would also drop the member “${member}”, whose name has a dot, so “${column}” can't lose its nested value.`,
    {
      details: {
        field: column,
        advice: 'Rename one of the two in the console: replace the document with POST and action=upsert.',
        texts: {
          message: { id: 'edit.dropsMember', values: { column: column.slice(0, 400), member: member.slice(0, 400) } },
          advice: { id: 'edit.dropsMember.advice' },
        },
      },
    },
  );
}

/** Whether a value has members that the server names like dotted members of the document. */
function holdsObjects(value: ExactValue): boolean {
  return isExactObject(value) || (Array.isArray(value) && value.some(holdsObjects));
}

async function certainPath(
  column: string,
  { segments, certain }: FieldPath,
  current: (why: string) => Promise<ExactValue>,
): Promise<readonly string[]> {
  if (certain && segments.length === 1) return segments;
  return pathInDocument(await current(`“${column}” may be a nested field or a dotted name`), column) ?? segments;
}

/** A document as it is now, every digit of it. */
async function readDocument(id: string, why: string, { collection, client, signal }: ChangeContext): Promise<ExactValue> {
  const path = documentPath(collection, id);
  let text: string;
  try {
    text = await client.readText(path, signal);
  } catch (error) {
    if (!isDriverError(error) || error.code !== 'ACCESS_REFUSED' || saysKeyEnded(error)) throw error;
    throw new DriverError(
      'ACCESS_REFUSED',
      `${why}, so the document must be read before it is changed, and the key lacks the permission to read it.`,
      {
        cause: error,
        details: {
          ...error.details,
          advice: 'Use a key with the action documents:get, or change the document in the console.',
          texts: { message: { id: 'edit.mayNotRead' }, advice: { id: 'edit.mayNotRead.advice' } },
        },
      },
    );
  }
  try {
    return parseExactly(text);
  } catch (cause) {
    throw new DriverError('BAD_ANSWER', "The server responded with a document that isn't JSON.", {
      cause,
      details: { texts: faultTexts('fault.notJson') },
    });
  }
}

/** Looks fields up, and refuses those that cannot be written. */
function fieldsOf(
  assignments: readonly Assignment[],
  { schema }: ChangeContext,
): (column: string) => { field: SchemaField; schema: CollectionSchema } {
  if (schema === undefined) {
    throw new DriverError(
      'ACCESS_REFUSED',
      'The key lacks the permission to read the collection’s schema, which has the types of values.',
      {
        details: {
          advice: 'Use a key with the action collections:get, or change the document in the console.',
          texts: { message: { id: 'edit.mayNotReadSchema' }, advice: { id: 'edit.mayNotReadSchema.advice' } },
        },
      },
    );
  }
  const fields = new Map(schema.fields.map((field) => [field.name, field]));
  // A tagged value is meant for a member of the document: the server stores what its schema does not name, too.
  const members = new Set(
    assignments.flatMap(({ column, value }) =>
      isAbsent(value) || (Array.isArray(value) && value[0] === 'json') ? [column] : [],
    ),
  );
  const seen = new Set<string>();
  for (const { column } of assignments) {
    if (seen.has(column)) throw refusedValue(column, `“${column}” is given two values.`, { id: 'value.twice' });
    seen.add(column);
  }
  return (column) => {
    const declared = column.includes('.*') ? undefined : fields.get(column);
    const field = declared ?? (members.has(column) ? memberField(column) : undefined);
    if (field === undefined) {
      throw new DriverError('STRUCTURE_CHANGED', `The collection has no field “${column}”.`, {
        details: {
          field: column,
          advice: 'Reload the structure.',
          texts: {
            message: { id: 'edit.noField', values: { column: column.slice(0, 400) } },
            advice: { id: 'edit.noField.advice' },
          },
        },
      });
    }
    const refusal = uneditableReason(field, fields);
    if (refusal !== undefined) {
      throw new DriverError('UNSUPPORTED', `“${column}” cannot be written. ${refusal.reason}`, {
        details: { field: column, texts: { message: refusal.texts.reason } },
      });
    }
    return { field, schema };
  };
}

/** A member of a document that the schema does not name. */
function memberField(name: string): SchemaField {
  return {
    name,
    type: 'auto',
    optional: true,
    sort: false,
    index: false,
    store: true,
    facet: false,
    infix: false,
    locale: '',
    symbolsToIndex: [],
    tokenSeparators: [],
    dimensions: 0,
    embedded: false,
  };
}

function mustBeOptional({ name, optional }: SchemaField): void {
  if (!optional)
    throw refusedValue(name, `“${name}” is not optional, so every document needs a value there.`, { id: 'value.required' });
}
