import type { ForeignKey } from '@tabularium/sdk';
import type { PgAnswer } from '../wire/batch.ts';

/**
 * $1: schema, $2: name. The foreign keys that can be followed: those whose columns the role may read here and there. A constraint that a partition has of its
 * table counts; one that PostgreSQL adds for each partition of the table referred to doesn't. The catalogue is asked as in `queries.ts`.
 */
export const FOREIGN_KEYS = `
SELECT q.conname, fn.nspname, f.relname,
  (SELECT pg_catalog.json_agg(a.attname ORDER BY k.place) FROM pg_catalog.unnest(q.conkey) WITH ORDINALITY k (num, place)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = q.conrelid AND a.attnum = k.num),
  (SELECT pg_catalog.json_agg(a.attname ORDER BY k.place) FROM pg_catalog.unnest(q.confkey) WITH ORDINALITY k (num, place)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = q.confrelid AND a.attnum = k.num)
FROM pg_catalog.pg_constraint q
JOIN pg_catalog.pg_class c ON c.oid = q.conrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_class f ON f.oid = q.confrelid
JOIN pg_catalog.pg_namespace fn ON fn.oid = f.relnamespace
WHERE n.nspname = $1 AND c.relname = $2 AND q.contype = 'f'
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint p WHERE p.oid = q.conparentid AND p.conrelid = q.conrelid)
  AND pg_catalog.has_schema_privilege(fn.oid, 'USAGE')
  AND NOT EXISTS (SELECT FROM pg_catalog.unnest(q.conkey) k (num) WHERE NOT pg_catalog.has_column_privilege(q.conrelid, k.num, 'SELECT'))
  AND NOT EXISTS (SELECT FROM pg_catalog.unnest(q.confkey) k (num) WHERE NOT pg_catalog.has_column_privilege(q.confrelid, k.num, 'SELECT'))
ORDER BY q.conname
LIMIT 1000`;

/**
 * The foreign keys in the answer to {@link FOREIGN_KEYS}.
 *
 * @param prefix - the names before the schema in a path: a foreign key stays within its database
 */
export function foreignKeysOf(answer: PgAnswer | undefined, prefix: readonly string[]): readonly ForeignKey[] {
  return (answer?.rows ?? []).map(([name, schema, table, columns, referenced]) => ({
    name: name ?? '',
    columns: JSON.parse(columns ?? '[]') as string[],
    references: { namespace: [...prefix, schema ?? ''], name: table ?? '' },
    referencedColumns: JSON.parse(referenced ?? '[]') as string[],
  }));
}
