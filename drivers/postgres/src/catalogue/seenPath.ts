import type { PgStep } from '../wire/batch.ts';

/**
 * Notes the schemas in which the session looks for a name now, that of its temporary tables among them, before a question sets a path of its own. They change while a connection is open: with a schema
 * that is called like the role, with a right, a new name of a schema or a setting.
 */
export const SEE_PATH: PgStep = {
  text: `SELECT pg_catalog.set_config('tabularium.path', pg_catalog.current_schemas(true)::pg_catalog.text, true)`,
};

/** The schemas that {@link SEE_PATH} has noted. */
export const SEEN_PATH = `pg_catalog.current_setting('tabularium.path')::pg_catalog.name[]`;
