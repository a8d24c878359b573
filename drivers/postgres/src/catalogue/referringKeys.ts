import type { ReferringKey } from '@tabularium/sdk';
import type { PgAnswer } from '../wire/batch.ts';

/**
 * $1: schema, $2: name. The foreign keys that refer to the table, whose columns the role may read here and there. A constraint that a partition has of its table
 * and one that PostgreSQL adds for a partition of the table referred to don't count. The catalogue is asked as in `queries.ts`.
 */
export const REFERRING_KEYS = `
SELECT q.conname, rn.nspname, r.relname,
  (SELECT pg_catalog.json_agg(a.attname ORDER BY k.place) FROM pg_catalog.unnest(q.conkey) WITH ORDINALITY k (num, place)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = q.conrelid AND a.attnum = k.num),
  (SELECT pg_catalog.json_agg(a.attname ORDER BY k.place) FROM pg_catalog.unnest(q.confkey) WITH ORDINALITY k (num, place)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = q.confrelid AND a.attnum = k.num)
FROM pg_catalog.pg_constraint q
JOIN pg_catalog.pg_class c ON c.oid = q.confrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_class r ON r.oid = q.conrelid
JOIN pg_catalog.pg_namespace rn ON rn.oid = r.relnamespace
WHERE n.nspname = $1 AND c.relname = $2 AND q.contype = 'f' AND q.conparentid = 0
  AND pg_catalog.has_schema_privilege(rn.oid, 'USAGE')
  AND NOT EXISTS (SELECT FROM pg_catalog.unnest(q.conkey) k (num) WHERE NOT pg_catalog.has_column_privilege(q.conrelid, k.num, 'SELECT'))
  AND NOT EXISTS (SELECT FROM pg_catalog.unnest(q.confkey) k (num) WHERE NOT pg_catalog.has_column_privilege(q.confrelid, k.num, 'SELECT'))
ORDER BY rn.nspname, r.relname, q.conname
LIMIT 1000`;

/**
 * The keys in the answer to {@link REFERRING_KEYS}.
 *
 * @param prefix - the names before the schema in a path: a foreign key stays within its database
 */
export function referringKeysOf(answer: PgAnswer | undefined, prefix: readonly string[]): readonly ReferringKey[] {
  return (answer?.rows ?? []).map(([name, schema, table, columns, referenced]) => ({
    name: name ?? '',
    table: { namespace: [...prefix, schema ?? ''], name: table ?? '' },
    columns: JSON.parse(columns ?? '[]') as string[],
    referencedColumns: JSON.parse(referenced ?? '[]') as string[],
  }));
}
