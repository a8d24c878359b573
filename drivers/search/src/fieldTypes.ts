import type { ColumnKind } from '@tabularium/sdk';

/** The filter classes of the manifest. */
export type FilterClass = 'text' | 'integer' | 'number' | 'boolean' | 'id' | 'geo';

interface TypeFacts {
  readonly kind: ColumnKind;
  readonly filterClass?: FilterClass;
  /** Why there is no filter class. */
  readonly unfilterable?: string;
}

const scalars: Readonly<Record<string, TypeFacts>> = {
  string: { kind: 'text', filterClass: 'text' },
  int32: { kind: 'integer', filterClass: 'integer' },
  int64: { kind: 'integer', filterClass: 'integer' },
  float: { kind: 'decimal', filterClass: 'number' },
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
  return isArrayType(type) ? { ...facts, kind: 'json' } : facts;
}
