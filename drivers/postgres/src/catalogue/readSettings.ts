import type { PgStep } from '../wire/batch.ts';
import { SEE_PATH } from './seenPath.ts';

/**
 * The beginning of a transaction that only reads. Settings end with it, so that a connection has those of the server whenever a statement of a person's
 * runs, and a pooler between may hand each transaction to another connection.
 *
 * @param path - schemas whose operators are found beside the server's own, which come first; none for questions to the catalogue
 */
export function beginRead(path: readonly string[]): readonly PgStep[] {
  const begin = { text: 'BEGIN TRANSACTION ISOLATION LEVEL READ COMMITTED READ ONLY' };
  return [begin, SEE_PATH, forms(path), ...(path.length === 0 ? [SMALL] : [])];
}

/**
 * For questions to the catalogue: the server takes them for large ones. It would compile them for longer than it needs for the answer, and fill as much memory as they may have with empty tables: 1 ms with
 * this little, and up to 100 ms with 4 MB.
 */
export const SMALL: PgStep = {
  text: `SELECT pg_catalog.set_config('jit', 'off', true), pg_catalog.set_config('work_mem', '256kB', true), pg_catalog.set_config('hash_mem_multiplier', '1', true)`,
};

/** For statements that stay at the server under a name: their estimates are far from what they find, so no plan is better for knowing the values. */
export const PLANNED_ONCE: PgStep = { text: `SELECT pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true)` };

/** The forms in which values come: exact, and the same whatever the server is set to. */
export function forms(path: readonly string[]): PgStep {
  const names = ['pg_catalog', ...path.filter((schema) => schema !== 'pg_catalog')];
  return {
    text: `SELECT pg_catalog.set_config('search_path', $1, true), pg_catalog.set_config('DateStyle', 'ISO, YMD', true),
 pg_catalog.set_config('IntervalStyle', 'postgres', true), pg_catalog.set_config('bytea_output', 'hex', true),
 pg_catalog.set_config('extra_float_digits', '1', true), pg_catalog.set_config('xmlbinary', 'base64', true)`,
    values: [names.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ')],
  };
}

/** A lock that a function of a view took would stay with the connection, which goes back to the others. */
export const UNLOCK: PgStep = { text: 'SELECT pg_catalog.pg_advisory_unlock_all()' };

/** The end of a transaction that only reads. It takes back what a function of a view has set, such as the schemas in which names are looked for. */
export const END_READ: readonly PgStep[] = [UNLOCK, { text: 'ROLLBACK' }];
