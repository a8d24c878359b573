import type { ColumnKind, NumberRange } from '@tabularium/sdk';
import { OWN_ARRAYS } from './ownArrays.ts';
import { scaleOf } from '../stored/storedType.ts';
import type { StoredType } from '../stored/storedType.ts';

/** The class of operators that a column has, as the manifest names it. */
export type FilterClass = 'text' | 'integer' | 'number' | 'boolean' | 'time' | 'interval' | 'uuid' | 'choice' | 'bytes' | 'other';

/** The facts about a type that decide how its values travel. Of a domain: those of the type below it. */
export interface PgType {
  /** `pg_type.oid`. */
  readonly oid: number;
  /** `pg_type.typtype`: `b` base, `e` enum, `c` composite, `r` range, `m` multirange, `p` pseudo. */
  readonly sort: string;
  /** As a cast names it, with its schema where that matters, and without a length. */
  readonly cast: string;
  /** Of an enum: its labels in order. */
  readonly labels: readonly string[];
  /** The facts that decide which of its values the server stores as they are written. */
  readonly stored: StoredType;
  /** Whether the server can order its values. */
  readonly ordered: boolean;
}

export const OID = {
  bool: 16,
  bytea: 17,
  char: 18,
  name: 19,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  oid: 26,
  json: 114,
  xml: 142,
  point: 600,
  lseg: 601,
  path: 602,
  box: 603,
  polygon: 604,
  line: 628,
  float4: 700,
  float8: 701,
  circle: 718,
  money: 790,
  inet: 869,
  bpchar: 1042,
  varchar: 1043,
  date: 1082,
  time: 1083,
  timestamp: 1114,
  timestamptz: 1184,
  interval: 1186,
  timetz: 1266,
  numeric: 1700,
  uuid: 2950,
  tsvector: 3614,
  jsonb: 3802,
} as const;

/** Ranges and multiranges that the server itself has. */
const OWN_RANGES = [3904, 3906, 3908, 3910, 3912, 3926, 4451, 4532, 4533, 4534, 4535, 4536] as const;

const KINDS: ReadonlyMap<number, ColumnKind> = new Map<number, ColumnKind>([
  [OID.bool, 'boolean'],
  [OID.bytea, 'bytes'],
  [OID.int2, 'integer'],
  [OID.int4, 'integer'],
  [OID.int8, 'integer'],
  [OID.oid, 'integer'],
  [OID.float4, 'decimal'],
  [OID.float8, 'decimal'],
  [OID.numeric, 'decimal'],
  [OID.json, 'json'],
  [OID.jsonb, 'json'],
  [OID.date, 'date'],
  [OID.time, 'time'],
  [OID.timetz, 'time'],
  [OID.timestamp, 'timestamp'],
  [OID.timestamptz, 'timestamp'],
  [OID.interval, 'interval'],
  [OID.uuid, 'uuid'],
  ...OWN_RANGES.map((oid) => [oid, 'range'] as const),
  ...OWN_ARRAYS.map((oid) => [oid, 'array'] as const),
]);

/** The kind of the values of one of the server's own types. What has no kind of its own is text: the server's own form, exact and readable back. */
export function kindOf(oid: number): ColumnKind {
  return KINDS.get(oid) ?? 'text';
}

/** The kind of a type's values, of the server's own types and of others. */
export function kindOfType({ oid, sort, cast }: Pick<PgType, 'oid' | 'sort' | 'cast'>): ColumnKind {
  if (cast.endsWith('[]')) return 'array';
  switch (sort) {
    case 'e':
      return 'enum';
    case 'r':
    case 'm':
      return 'range';
    default:
      return sort === 'b' && VECTORS.test(cast) ? 'vector' : kindOf(oid);
  }
}

/** The types of numbers that pgvector has. */
const VECTORS = /(?:^|\.)"?(?:vector|halfvec|sparsevec)"?$/;

const TEXTS: ReadonlySet<number> = new Set([OID.text, OID.varchar, OID.bpchar, OID.name, OID.char]);

function isText({ oid, cast }: PgType): boolean {
  return TEXTS.has(oid) || /(?:^|\.)"?citext"?$/.test(cast);
}

export function filterClassOf(type: PgType): FilterClass {
  if (type.sort === 'e') return 'choice';
  switch (kindOf(type.oid)) {
    case 'integer':
      return 'integer';
    case 'decimal':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'bytes':
      return 'bytes';
    case 'date':
    case 'time':
    case 'timestamp':
      return 'time';
    case 'interval':
      return 'interval';
    case 'uuid':
      return 'uuid';
    default:
      return isText(type) ? 'text' : 'other';
  }
}

const RANGES: ReadonlyMap<number, NumberRange> = new Map([
  [OID.int2, { least: '-32768', greatest: '32767' }],
  [OID.int4, { least: '-2147483648', greatest: '2147483647' }],
  [OID.int8, { least: '-9223372036854775808', greatest: '9223372036854775807' }],
  [OID.oid, { least: '0', greatest: '4294967295' }],
]);

/** The values that a column of numbers stores besides numbers, as the server writes them. A "numeric" of so many digits has no room for infinity. */
export function specialValuesOf({ oid, stored }: PgType): readonly string[] | undefined {
  if (oid !== OID.float4 && oid !== OID.float8 && oid !== OID.numeric) return undefined;
  return scaleOf(stored) === undefined ? ['NaN', 'Infinity', '-Infinity'] : ['NaN'];
}

export function rangeOf(oid: number): NumberRange | undefined {
  return RANGES.get(oid);
}
