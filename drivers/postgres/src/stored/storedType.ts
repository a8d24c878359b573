import type { TextRow } from '../wire/batch.ts';

/** The facts about a type that decide which values it stores as they are written. Of a domain: those of the type below it. */
export interface StoredType {
  /** `pg_type.oid`. */
  readonly oid: number;
  /** `pg_attribute.atttypmod`, such as a length, as the server packs it; -1 for none. */
  readonly modifier: number;
  /** Of an array: its elements. */
  readonly element?: StoredType;
  /** Of an array: the character between its elements. */
  readonly delimiter?: string;
  /** Of a range or a multirange: its bounds. */
  readonly bound?: StoredType;
  /** Of a composite type: its attributes in order. */
  readonly attributes?: readonly { readonly name: string; readonly type: StoredType }[];
  /** Of `money`: one unit as the server writes it, which shows its decimals. */
  readonly sample?: string;
  /** Whether it is the `hstore` of the extension, which has another number in each database. */
  readonly isHstore?: true;
}

/** No type of the server's is that deep: a catalogue that says so must not be followed for ever. */
const DEEPEST = 50;
/** Of `numeric(precision, scale)` and the types with a length, which the server packs with four more. */
const PACKED_MORE = 4;

/** The catalogue's answers about the types of a table. */
export interface ReadTypes {
  /** The answer to `TYPES`, by the type's number. */
  readonly rows: ReadonlyMap<number, TextRow>;
  /** One unit of a type as the server writes it, by the type's number. */
  readonly samples: ReadonlyMap<number, string>;
}

/** A type with everything that it is made of. */
export function storedType(oid: number, modifier: number, types: ReadTypes, depth = 0): StoredType {
  const row = types.rows.get(oid);
  if (row === undefined || depth > DEEPEST) return { oid, modifier };
  const [, sort, base, ownModifier, element, delimiter, bound, attributes, reader] = row;
  const sample = types.samples.get(oid);
  if (sort === 'd') return storedType(Number(base), modifier === -1 ? Number(ownModifier) : modifier, types, depth + 1);
  return {
    oid,
    modifier,
    // The length of an array is that of its elements.
    ...(given(element) ? { element: storedType(Number(element), modifier, types, depth + 1), delimiter: delimiter ?? ',' } : {}),
    ...(given(bound) ? { bound: storedType(Number(bound), -1, types, depth + 1) } : {}),
    ...(given(attributes)
      ? {
          attributes: (JSON.parse(attributes) as [string, string, number][]).map(([name, type, own]) => ({
            name,
            type: storedType(Number(type), own, types, depth + 1),
          })),
        }
      : {}),
    ...(sample === undefined ? {} : { sample }),
    ...(reader === 'hstore_in' ? { isHstore: true } : {}),
  };
}

function given(text: string | null | undefined): text is string {
  return text !== null && text !== undefined;
}

/** Of a `numeric` that was declared with one: the digits after the point, or below zero those before it that are zero. */
export function scaleOf({ modifier }: Pick<StoredType, 'modifier'>): number | undefined {
  if (modifier < PACKED_MORE) return undefined;
  return (((modifier - PACKED_MORE) & 0x7_ff) ^ 0x4_00) - 0x4_00;
}

/** Of a text that was declared with one: its most characters. */
export function lengthModifier({ modifier }: Pick<StoredType, 'modifier'>): number | undefined {
  return modifier < PACKED_MORE ? undefined : modifier - PACKED_MORE;
}
