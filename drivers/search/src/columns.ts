import type { Ability, Column, ColumnMark, DriverText } from '@tabularium/sdk';
import { factsOf, isArrayType } from './fieldTypes.ts';
import type { CollectionSchema, SchemaField } from './schema.ts';

const YES: Ability = { allowed: true };

/** Why something can't be done with a field, and where the manifest has that in other languages. */
export interface FieldReason {
  readonly reason: string;
  readonly texts: { readonly reason: DriverText };
}

export const because = (reason: string, id: string, values?: DriverText['values']): FieldReason => ({
  reason,
  texts: { reason: { id: `field.${id}`, ...(values === undefined ? {} : { values }) } },
});
const no = (reason: FieldReason): Ability => ({ allowed: false, ...reason });

/** Said wherever somebody tries. */
export const ID_REWRITTEN = 'The server does not rewrite a document id.';
const FIXED_ID = because(ID_REWRITTEN, 'fixedId');

/** Every collection has it, whatever its schema says. */
export const ID_COLUMN: Column = {
  name: 'id',
  kind: 'text',
  type: 'string',
  nullable: false,
  editable: no(FIXED_ID),
  sortable: no(because('The server cannot sort by id.', 'sortById')),
  filterClass: 'id',
  note: 'Can be chosen when a document is inserted; left out, the server gives its running number, which may be taken already.',
  texts: { note: { id: 'column.id' } },
};

/** Fields whose name is a pattern (`.*`, `meta_.*`) stand for fields to come, and no document has a field of that name. */
function isPattern(name: string): boolean {
  return name.includes('.*');
}

/** Characters that the filter syntax would not read as part of a name. There is no way to quote a name. */
const UNSAFE_NAME = /^[\s$!]|\s$|[:()`&|{},[\]]/;

/** Whether a field's name can be written in a filter or sort without being read as something else. */
export function isPlainName(name: string): boolean {
  return name !== '' && !UNSAFE_NAME.test(name);
}

/** The nearest field above this one that is a list of objects: its leaves hold one entry per element. */
function objectListAbove(name: string, fields: ReadonlyMap<string, SchemaField>): string | undefined {
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    const parent = name.slice(0, dot);
    if (fields.get(parent)?.type === 'object[]') return parent;
  }
  return undefined;
}

/** Why a column cannot be sorted by, or undefined when it can. */
export function unsortableReason(field: SchemaField): FieldReason | undefined {
  if (!field.index) return because('The field is not indexed.', 'unindexed');
  if (isArrayType(field.type)) return because('The server cannot sort by a list.', 'sortByList');
  switch (field.type) {
    case 'geopoint':
    case 'geopolygon':
      return because('A place is sorted by its distance from a point, which only the console can name.', 'sortByPlace');
    case 'object':
      return because('The server cannot sort by an object as a whole.', 'sortByObject');
    default:
  }
  if (!field.sort) {
    return field.type === 'string'
      ? because('Text can only be sorted where the field was created with “sort”.', 'textWithoutSort')
      : because('The field was created without “sort”.', 'withoutSort');
  }
  if (!isPlainName(field.name)) return because('The field’s name cannot be written in a sort.', 'nameInSort');
  return undefined;
}

/** Why a column cannot be written, or undefined when it can. */
export function uneditableReason(field: SchemaField, fields: ReadonlyMap<string, SchemaField>): FieldReason | undefined {
  if (field.name === 'id') return FIXED_ID;
  if (field.embedded) return because('The server computes it from other fields.', 'computed');
  const list = objectListAbove(field.name, fields);
  if (list === undefined) return undefined;
  return because(`It holds one entry for each element of “${list}”; change the document in the console.`, 'ofElements', { list });
}

function columnOf(field: SchemaField, fields: ReadonlyMap<string, SchemaField>): Column {
  const facts = factsOf(field.type);
  const list = objectListAbove(field.name, fields);
  const unsortable = unsortableReason(field);
  const uneditable = uneditableReason(field, fields);
  const notes: string[] = [];
  let filterClass = facts.filterClass;
  if (!field.index) {
    filterClass = undefined;
    notes.push('Not indexed: it cannot be searched, filtered or sorted by.');
  } else if (field.dimensions > 0) {
    filterClass = undefined;
    notes.push(`A vector of ${field.dimensions} dimensions; it cannot be filtered.`);
  } else if (facts.unfilterable !== undefined) {
    notes.push(facts.unfilterable);
  } else if (!isPlainName(field.name)) {
    filterClass = undefined;
    notes.push('The field’s name cannot be written in a filter.');
  }
  if (field.embedded) notes.push('Computed by the server.');
  if (!field.store) notes.push('Not stored: the server indexes the value and does not give it back.');
  if (field.reference !== undefined) notes.push(`References ${field.reference}.`);
  const marks = schemaMarks(field);
  return {
    name: field.name,
    kind: list === undefined ? facts.kind : 'json',
    type: field.type,
    nullable: field.optional,
    ...(field.optional || uneditable !== undefined ? {} : { required: true }),
    editable: uneditable === undefined ? YES : no(uneditable),
    sortable: unsortable === undefined ? YES : no(unsortable),
    ...(filterClass === undefined ? {} : { filterClass }),
    ...(facts.range === undefined || list !== undefined ? {} : { range: facts.range }),
    ...(field.reference === undefined ? {} : { quantity: false }),
    ...(marks.length === 0 ? {} : { marks }),
    ...(notes.length === 0 ? {} : { note: notes.join(' '), texts: { note: noteText(field) } }),
  };
}

/** The note's translation: one message makes all its sentences, in their order. */
function noteText(field: SchemaField): DriverText {
  const { index, dimensions, type, name, embedded, store, reference } = field;
  const unfilterable = !index
    ? 'unindexed'
    : dimensions > 0
      ? 'vector'
      : factsOf(type).unfilterable !== undefined
        ? type.replace('[]', '')
        : isPlainName(name)
          ? 'no'
          : 'name';
  return {
    id: 'column.note',
    values: {
      unfilterable,
      dimensions,
      embedded: embedded ? 'yes' : 'no',
      stored: store ? 'yes' : 'no',
      references: reference === undefined ? 'no' : 'yes',
      reference: (reference ?? '').slice(0, 400),
    },
  };
}

const mark = (id: string, label: string, meaning: string, values?: DriverText['values']): ColumnMark => ({
  label,
  meaning,
  texts: {
    label: { id: `mark.${id}.label`, ...(values === undefined ? {} : { values }) },
    meaning: { id: `mark.${id}.meaning` },
  },
});

/** Properties that the schema gives a field, beyond those that every column has. */
export function schemaMarks(field: SchemaField): readonly ColumnMark[] {
  return [
    ...(field.index ? [] : [mark('unindexed', 'No index', 'Stored, and neither searched nor filtered')]),
    ...(field.facet ? [mark('facet', 'Facet', 'Values are counted in a search')] : []),
    ...(field.infix ? [mark('infix', 'Infix', 'A search finds parts within words')] : []),
    ...(field.locale === ''
      ? []
      : [mark('locale', `Locale ${field.locale}`, 'Words are split by the rules of a language', { locale: field.locale })]),
    ...(field.dimensions > 0 ? [mark('vector', 'Vector', 'Compared by nearness')] : []),
    ...(field.reference === undefined ? [] : [mark('reference', 'Reference', 'Names a document of another collection')]),
  ];
}

let byName: Intl.Collator | undefined;

/** Names as a list shows them: letter case does not count, unless nothing else differs. */
export function compareNames(a: string, b: string): number {
  // Made at the first use: the first collator of a process has to load its tables, and each start of the driver would wait for that.
  byName ??= new Intl.Collator('en', { sensitivity: 'accent' });
  return byName.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

/**
 * The columns of a collection: `id` first, the rest in the order of the schema. Patterns are left out; an object is left out for its leaves,
 * where the schema names one, and they take its place: the server appends them to the schema when the first document brings them.
 */
export function columnsOf(schema: CollectionSchema): Column[] {
  const fields = new Map(schema.fields.map((field) => [field.name, field]));
  const places = new Map([...fields.keys()].map((name, place) => [name, place]));
  const parents = new Set<string>();
  const parentsOf = (name: string): string[] => {
    const found: string[] = [];
    for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) found.push(name.slice(0, dot));
    return found;
  };
  for (const { name } of schema.fields) if (!isPattern(name)) for (const parent of parentsOf(name)) parents.add(parent);
  const shown = [...fields.values()].filter(
    ({ name, type }) => name !== 'id' && !isPattern(name) && !(parents.has(name) && (type === 'object' || type === 'object[]')),
  );
  // The places of what a field is in, from the outermost, then its own: compared one by one.
  const pathOf = ({ name }: SchemaField): number[] => [...parentsOf(name), name].flatMap((one) => places.get(one) ?? []);
  const paths = new Map(shown.map((field) => [field, pathOf(field)]));
  shown.sort((a, b) => comparePlaces(paths.get(a) ?? [], paths.get(b) ?? []));
  return [ID_COLUMN, ...shown.map((field) => columnOf(field, fields))];
}

function comparePlaces(a: readonly number[], b: readonly number[]): number {
  const different = a.findIndex((place, depth) => place !== b[depth]);
  return different === -1 ? a.length - b.length : (a[different] ?? 0) - (b[different] ?? -1);
}
