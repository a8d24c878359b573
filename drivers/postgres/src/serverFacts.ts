import { DriverError } from '@tabularium/sdk';
import { CHECK_SERVER, faultTexts, notProtocol } from './fault.ts';
import type { ServerFacts } from './pgDatabase.ts';
import type { Link } from './wire/link.ts';

/** Asked with the path of the session, which the owner of the database may have set: an operator without its schema could be one of theirs. */
const FACTS = `
SELECT pg_catalog.current_setting('server_version'), pg_catalog.current_setting('server_version_num'), current_user, pg_catalog.current_database(),
  (SELECT r.rolsuper FROM pg_catalog.pg_roles r WHERE r.rolname OPERATOR(pg_catalog.=) current_user),
  pg_catalog.array_to_json(pg_catalog.current_schemas(false)), pg_catalog.current_setting('server_encoding'), pg_catalog.pg_is_in_recovery(),
  (SELECT r.rolcreaterole FROM pg_catalog.pg_roles r WHERE r.rolname OPERATOR(pg_catalog.=) current_user)`;

/**
 * The facts that a connection sees: the path and the encoding are those of its database.
 *
 * @throws DriverError `BAD_ANSWER` where the server doesn't say its version
 */
export async function readFacts(link: Link, signal: AbortSignal): Promise<ServerFacts> {
  const [version, number, user, database, isSuperuser, path, encoding, isStandby, mayCreateRoles] =
    (await link.run(FACTS, [], signal)).rows[0] ?? [];
  if (version == null || version === '' || !/^\d{5,7}$/.test(number ?? ''))
    throw new DriverError(
      'BAD_ANSWER',
      "The server doesn't say which version of PostgreSQL it is, so it may be another kind of server.",
      {
        details: { advice: CHECK_SERVER, texts: faultTexts('connect.noVersion', {}, 'signIn.check') },
      },
    );
  return {
    version,
    number: Number(number),
    user: user ?? '',
    database: database ?? '',
    isSuperuser: isSuperuser === 't',
    path: namesOf(path ?? '[]'),
    encoding: encoding ?? '',
    isStandby: isStandby === 't',
    mayCreateRoles: mayCreateRoles === 't',
  };
}

function namesOf(json: string): readonly string[] {
  try {
    const names: unknown = JSON.parse(json);
    if (Array.isArray(names)) return names.map(String);
  } catch {
    // Said below.
  }
  throw notProtocol();
}
