import type { PgStep } from '../wire/batch.ts';

/**
 * Makes the schemas in which names are looked for the same until the transaction ends: those that are there when it begins. Else somebody could make a schema that the path names and that is
 * missing, mostly the one with the name of the role, while a statement is judged or runs.
 */
export const PIN_PATH: PgStep = {
  text: `SELECT pg_catalog.set_config('search_path', COALESCE((SELECT pg_catalog.string_agg(pg_catalog.quote_ident(s.name::pg_catalog.text), ', ' ORDER BY s.place)
  FROM pg_catalog.unnest(pg_catalog.current_schemas(false)) WITH ORDINALITY AS s (name, place)), ''), true)`,
};
