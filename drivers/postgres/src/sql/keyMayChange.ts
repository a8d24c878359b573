import { isOwnTrigger } from './isOwnTrigger.ts';

/**
 * Whether a change may give another value to a column that the foreign key `q` refers to: one that is assigned, or a generated one, which may change with any other; and all where the table has triggers of its own, which
 * may assign others.
 *
 * @param assigned - a parameter with the names of the columns that are assigned, null where they aren't known
 * @param table - that is changed
 */
export const keyMayChange = (assigned: string, table: string): string => `(${assigned}::pg_catalog.name[] IS NULL
        OR EXISTS (SELECT FROM pg_catalog.pg_attribute a WHERE a.attrelid = ${table}.oid AND a.attnum = ANY (q.confkey) AND (a.attgenerated <> '' OR a.attname = ANY (${assigned}::pg_catalog.name[])))
        OR EXISTS (SELECT FROM pg_catalog.pg_trigger b WHERE b.tgrelid = ${table}.oid AND ${isOwnTrigger('b')}))`;
