import { DriverError, isDriverError } from '@tabularium/sdk';
import type { DriverTexts, ImportedTables, PlannedChange } from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import type { ExactValue } from '../edits/exactValue.ts';
import { digitsOf, isExactObject, parseExactly } from '../edits/exactValue.ts';
import { countOf, isObject } from '../guards.ts';
import { schemaToCreate } from '../operations/schemaFields.ts';
import { collectionPath, encodeSegment } from '../paths.ts';
import type { Schemas } from '../schemas.ts';
import { collectionName } from '../tables.ts';
import { faultTexts } from '../faultTexts.ts';

/** Fields that a proposal has; the others of a wider document are stored without being searched. */
const MOST_FIELDS = 1_000;

interface Seen {
  readonly types: Set<string>;
  /** Documents that have a value. */
  documents: number;
}

/** Makes collections for documents. */
export function createTables(client: SearchClient, schemas: Schemas): ImportedTables {
  return {
    async propose(table, rows, { signal }) {
      const name = collectionName(table);
      signal.throwIfAborted();
      const { fields, nested } = fieldsOf(rows);
      return JSON.stringify({ name, ...(nested ? { enable_nested_fields: true } : {}), fields }, undefined, 2);
    },
    like: async (table, definition, { signal }) => schemaLike(client, collectionName(table), definition, signal),
    plan: async (table, definition, { signal }) => plan(client, collectionName(table), definition, signal),
    async create(table, definition, { signal }) {
      const name = collectionName(table);
      const { requests } = await plan(client, name, definition, signal);
      const headers = { 'content-type': 'application/json' };
      const body = requests[0]?.body ?? '';
      const response = await client.send({ method: 'POST', path: '/collections', headers, body, repeatable: false, signal });
      await response.discard();
      schemas.forget(name);
    },
    async discard(table, { signal }) {
      const name = collectionName(table);
      const path = collectionPath(name);
      // The server has no transactions: the count is asked for right before.
      const { value: now } = await client.read(path, signal);
      if (!isObject(now) || now['name'] !== name || countOf(now, 'num_documents') !== 0)
        throw new DriverError('CONFLICT', `“${name}” has documents or is an alias by now, so it was not removed.`, {
          details: { texts: faultTexts('fault.notEmpty', { name }) },
        });
      try {
        const response = await client.send({ method: 'DELETE', path, repeatable: false, signal });
        await response.discard();
      } finally {
        schemas.forget(name);
      }
    },
  };
}

/** Members of a schema that name sets, with the path of a set. */
const SETS = { synonym_sets: '/synonym_sets', curation_sets: '/curation_sets' } as const;

/** The schema of another collection, for a new one. Sets that this server doesn't have are left out: it rejects a schema that names them. */
async function schemaLike(client: SearchClient, name: string, definition: string, signal: AbortSignal): Promise<string> {
  let value: ExactValue;
  try {
    value = parseExactly(definition);
  } catch {
    value = undefined;
  }
  if (!isExactObject(value) || !Array.isArray(value['fields']))
    throw refused('This is not the schema of a collection.', faultTexts('fault.notSchema'));
  const schema: Record<string, ExactValue> = { name, ...schemaToCreate(value) };
  for (const [member, path] of Object.entries(SETS)) {
    const names = schema[member];
    if (!Array.isArray(names)) continue;
    const known: ExactValue[] = [];
    for (const set of names as readonly ExactValue[])
      if (typeof set === 'string' && (await isThere(client, `${path}/${encodeSegment(set)}`, signal))) known.push(set);
    if (known.length > 0) schema[member] = known;
    else delete schema[member];
  }
  return JSON.stringify(schema, undefined, 2);
}

async function plan(client: SearchClient, name: string, definition: string, signal: AbortSignal): Promise<PlannedChange> {
  let value: ExactValue;
  try {
    value = parseExactly(definition);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read';
    throw refused(`The schema isn't valid JSON: ${reason}.`, faultTexts('fault.schemaJson', { reason }));
  }
  if (!isExactObject(value)) throw refused('The schema has to be a JSON object.', faultTexts('fault.schemaNoObject'));
  if (value['name'] !== name)
    throw refused(`The schema has to have the name “${name}”.`, faultTexts('fault.schemaName', { name }));
  if (!Array.isArray(value['fields']))
    throw refused('The schema has to have a list of fields.', faultTexts('fault.schemaFields'));
  if (await isThere(client, collectionPath(name), signal))
    throw new DriverError('CONFLICT', `There is a collection “${name}” already.`, {
      details: { texts: faultTexts('fault.nameTaken', { name }) },
    });
  return {
    effect: 'write',
    consequence: `The collection “${name}” is created with ${value['fields'].length} fields. It is empty until documents are imported.`,
    texts: { consequence: { id: 'import.newCollection', values: { name, fields: value['fields'].length } } },
    requests: [{ method: 'POST', path: '/collections', body: definition }],
  };
}

function refused(message: string, texts: DriverTexts): DriverError {
  return new DriverError('INVALID_INPUT', message, { details: { field: 'definition', texts } });
}

async function isThere(client: SearchClient, path: string, signal: AbortSignal): Promise<boolean> {
  try {
    await client.read(path, signal);
    return true;
  } catch (error) {
    if (isDriverError(error) && error.code === 'NOT_FOUND') return false;
    // A key that may not read collections can still create one; the server says whether it is there.
    if (isDriverError(error) && error.code === 'ACCESS_REFUSED') return false;
    throw error;
  }
}

function fieldsOf(rows: readonly string[]): { readonly fields: readonly object[]; readonly nested: boolean } {
  const seen = new Map<string, Seen>();
  for (const row of rows) {
    const document = parsedRow(row);
    for (const [name, value] of Object.entries(document)) {
      if (name === 'id') {
        // The server makes an id where there is none. Every document with another one would be rejected, one by one.
        if (typeof value === 'string' || value === null) continue;
        throw new DriverError('INVALID_INPUT', 'The id of a document has to be a string.', {
          details: { field: 'id', texts: faultTexts('fault.idText') },
        });
      }
      if (name === '' || name.includes('*'))
        throw refused(`A field can't have the name “${name}”. Give it another one.`, faultTexts('fault.fieldName', { name }));
      const found = seen.get(name) ?? { types: new Set(), documents: 0 };
      if (!seen.has(name) && seen.size < MOST_FIELDS) seen.set(name, found);
      const type = typeOf(value);
      if (type === undefined) continue;
      const digits = digitsOf(value);
      if (type === 'int64' && digits !== undefined && BigInt.asIntN(64, BigInt(digits)) !== BigInt(digits))
        throw new DriverError('INVALID_INPUT', `No type of the server holds the number ${digits.slice(0, 60)} in “${name}”.`, {
          details: {
            field: name,
            advice: 'Import it as text.',
            texts: faultTexts('fault.vastNumber', { value: digits.slice(0, 60), name }),
          },
        });
      found.types.add(type);
      found.documents += 1;
    }
  }
  const fields = Array.from(seen, ([name, { types, documents }]) => ({
    name,
    type: joined(types),
    ...(documents < rows.length || documents === 0 ? { optional: true } : {}),
  }));
  return { fields, nested: fields.some(({ type }) => type.startsWith('object')) };
}

function parsedRow(row: string): Readonly<Record<string, ExactValue>> {
  let value: ExactValue;
  try {
    value = parseExactly(row);
  } catch {
    value = undefined;
  }
  if (isExactObject(value)) return value;
  throw new DriverError('INVALID_INPUT', 'A document has to be a JSON object.', {
    details: { field: 'rows', texts: faultTexts('fault.documentObject') },
  });
}

/** undefined: the value says nothing. */
function typeOf(value: ExactValue): string | undefined {
  if (value === null) return undefined;
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  const digits = digitsOf(value);
  if (digits !== undefined) return /^-?\d+$/.test(digits) ? 'int64' : 'float';
  if (!Array.isArray(value)) return 'object';
  const types = new Set(value.map(typeOf).filter((type) => type !== undefined));
  return types.size === 0 ? undefined : listOf(joined(types));
}

/** The server has no lists of lists. */
function listOf(type: string): string {
  return type === 'auto' || type.endsWith('[]') ? 'auto' : `${type}[]`;
}

/** One type for values of several; the server decides where they have none in common. */
function joined(types: ReadonlySet<string>): string {
  const [first, ...others] = types;
  if (first === undefined) return 'auto';
  if (others.length === 0) return first;
  if ([...types].every((type) => type === 'int64' || type === 'float')) return 'float';
  if ([...types].every((type) => type === 'int64[]' || type === 'float[]')) return 'float[]';
  return 'auto';
}
