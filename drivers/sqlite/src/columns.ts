import type { ColumnKind } from '@tabularium/sdk';
import type { SqlValue } from './names.ts';

/** How SQLite converts what is written into a column; a matter of the declared type's letters (https://sqlite.org/datatype3.html). */
export type Affinity = 'integer' | 'text' | 'blob' | 'real' | 'numeric';

/** The class of operators that a column has, as the manifest names it. */
export type FilterClass = 'text' | 'integer' | 'number' | 'boolean' | 'blob';

export function affinityOf(declared: string): Affinity {
  const type = declared.toUpperCase();
  if (type.includes('INT')) return 'integer';
  if (/CHAR|CLOB|TEXT/.test(type)) return 'text';
  if (type.includes('BLOB') || type === '') return 'blob';
  if (/REAL|FLOA|DOUB/.test(type)) return 'real';
  return 'numeric';
}

/**
 * The kind of a column's values, by its declared type. SQLite stores a value of any type in any column (of a table that is not
 * strict): such a value has its own kind.
 *
 * @param sample - some values, for a column without a declared type
 */
export function kindOf(declared: string, sample: readonly SqlValue[] = []): ColumnKind {
  const type = declared.trim().toUpperCase();
  if (/^BOOL/.test(type)) return 'boolean';
  if (/^JSON/.test(type)) return 'json';
  // Dates are text or numbers, as their writer chose.
  if (/^(?:DATE|TIME)/.test(type)) return 'text';
  switch (affinityOf(declared)) {
    case 'integer':
      return 'integer';
    case 'text':
      return 'text';
    case 'real':
    case 'numeric':
      return 'decimal';
    case 'blob':
      return type === '' ? sampledKind(sample) : 'bytes';
  }
}

function sampledKind(sample: readonly SqlValue[]): ColumnKind {
  const values = sample.filter((value) => value !== null);
  if (values.length === 0) return 'text';
  if (values.every((value) => typeof value === 'bigint')) return 'integer';
  if (values.every((value) => typeof value === 'bigint' || typeof value === 'number')) return 'decimal';
  return values.every((value) => value instanceof Uint8Array) ? 'bytes' : 'text';
}

export function filterClassOf(kind: ColumnKind): FilterClass {
  switch (kind) {
    case 'integer':
      return 'integer';
    case 'decimal':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'bytes':
      return 'blob';
    default:
      return 'text';
  }
}
