import { DriverError, driverText, isDriverError } from '@tabularium/sdk';
import type { PgDatabase } from '../pgDatabase.ts';

const MILLISECONDS = 3_000;
/** The name in the server's message, which is in the language of the server. */
const NAMED = /["“„«»]([^"“”„«».]{1,200})["“”„«»]/u;

/** $1: a name. Where tables so called are, as SQL writes them. */
const FOUND = `SELECT pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(c.relname)
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relname = $1::pg_catalog.name AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT pg_catalog.starts_with(n.nspname::pg_catalog.text, 'pg_t')
  AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
ORDER BY n.nspname LIMIT 3`;

/** Says which schema a name needs where the server found no table, and another schema than those of the search path has one. */
export async function withSchemaAdvice(error: unknown, database: PgDatabase): Promise<unknown> {
  if (!isDriverError(error) || error.details.status !== '42P01') return error;
  const name = NAMED.exec(error.details.serverMessage ?? '')?.[1];
  if (name === undefined) return error;
  const answer = await database
    .readAtOnce({ text: FOUND, values: [name] }, AbortSignal.timeout(MILLISECONDS))
    .catch(() => undefined);
  const names = (answer?.rows ?? []).flatMap(([found]) => found ?? []).join(', ');
  if (names === '') return error;
  return new DriverError(error.code, error.message, {
    cause: error,
    details: {
      ...error.details,
      advice: `The table is in a schema that isn't searched without its name. Write the name with its schema: ${names}.`,
      texts: { ...error.details.texts, advice: driverText('sql.schemaAdvice', { names }) },
    },
  });
}
