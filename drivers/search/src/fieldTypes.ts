import type { ColumnKind, NumberRange } from '@tabularium/sdk';

/** The filter classes of the manifest. */
export type FilterClass = 'text' | 'integer' | 'number' | 'boolean' | 'id' | 'geo';

interface TypeFacts {
  readonly kind: ColumnKind;
  readonly filterClass?: FilterClass;
  /** Why there is no filter class. */
  readonly unfilterable?: string;
  readonly range?: NumberRange;
}

/** The ends of the server's integers. It would store 3000000000 in an `int32` as it is, so nothing else holds them. */
export const INTEGER_RANGES = {
  int32: { low: -(2n ** 31n), high: 2n ** 31n - 1n },
  int64: { low: -(2n ** 63n), high: 2n ** 63n - 1n },
} as const;

const rangeOf = ({ low, high }: (typeof INTEGER_RANGES)[keyof typeof INTEGER_RANGES]): NumberRange => ({
  least: String(low),
  greatest: String(high),
});
const DOUBLES: NumberRange = { least: String(-Number.MAX_VALUE), greatest: String(Number.MAX_VALUE) };

const scalars: Readonly<Record<string, TypeFacts>> = {
  string: { kind: 'text', filterClass: 'text' },
  int32: { kind: 'integer', filterClass: 'integer', range: rangeOf(INTEGER_RANGES.int32) },
  int64: { kind: 'integer', filterClass: 'integer', range: rangeOf(INTEGER_RANGES.int64) },
  float: { kind: 'decimal', filterClass: 'number', range: DOUBLES },
  bool: { kind: 'boolean', filterClass: 'boolean' },
  geopoint: { kind: 'geo', filterClass: 'geo' },
  geopolygon: { kind: 'geo', unfilterable: 'An area is filtered by a point: use the raw filter, such as area:(48.85, 2.35).' },
  object: { kind: 'json', unfilterable: 'An object as a whole cannot be filtered; its fields can.' },
  image: { kind: 'text', unfilterable: 'Pictures cannot be filtered.' },
};

const undecided: TypeFacts = {
  kind: 'text',
  unfilterable: 'The server decides on the type when the first document brings this field; reload the structure then.',
};

/** `string` of `string[]`. */
export function baseType(type: string): string {
  return type.endsWith('[]') ? type.slice(0, -2) : type;
}

export function isArrayType(type: string): boolean {
  return type.endsWith('[]');
}

/** The column of a field's type. The elements of an array decide how it is filtered. */
export function factsOf(type: string): TypeFacts {
  const facts = Object.hasOwn(scalars, baseType(type)) ? (scalars[baseType(type)] ?? undecided) : undecided;
  if (!isArrayType(type)) return facts;
  const { range: _ofElements, ...ofList } = facts;
  return { ...ofList, kind: 'json' };
}
