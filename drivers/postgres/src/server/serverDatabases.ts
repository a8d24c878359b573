import { DriverError, isDriverError } from '@tabularium/sdk';
import { databaseParts } from '../databaseParts.ts';
import type { DatabaseParts } from '../databaseParts.ts';
import { connectionClosed, faultTexts, stopIfCancelled } from '../fault.ts';
import { PgDatabase } from '../pgDatabase.ts';
import { readFacts } from '../serverFacts.ts';
import type { Link } from '../wire/link.ts';
import type { LinkBudget } from '../wire/linkBudget.ts';
import { Links } from '../wire/links.ts';
import { untilAborted } from './untilAborted.ts';

/** A connection to another database than the named one keeps others from dropping it. */
const IDLE_MILLISECONDS = 15_000;
const ANSWER_MILLISECONDS = 20_000;
const MAY_CONNECT = "pg_catalog.has_database_privilege(d.oid, 'CONNECT')";
/** Superusers are let in beyond the limit. */
const IS_SHUT_BY_LIMIT =
  'd.datconnlimit = 0 AND NOT (SELECT r.rolsuper FROM pg_catalog.pg_roles r WHERE r.rolname = current_user)';

/** Those that can be opened, whether this role may, and whether its limit of connections shuts the database; the one of the connection first. */
const DATABASES = `
SELECT d.datname, ${MAY_CONNECT} AND NOT (${IS_SHUT_BY_LIMIT}), ${MAY_CONNECT} AND ${IS_SHUT_BY_LIMIT}
FROM pg_catalog.pg_database d
WHERE d.datname = pg_catalog.current_database() OR (d.datallowconn AND NOT d.datistemplate AND d.datconnlimit <> -2)
ORDER BY d.datname <> pg_catalog.current_database(), d.datname`;

/** $1: a name, which the server would cut where it were compared as one. */
const DATABASE = `SELECT opened.* FROM (${DATABASES}) AS opened (name, allowed, limited) WHERE opened.name::pg_catalog.text = $1::pg_catalog.text`;
/** $1: the last one of the page before, null for the first page; $2: how many. */
const PAGE = `SELECT opened.name FROM (${DATABASES}) AS opened (name, allowed, limited)
WHERE (opened.allowed OR opened.name = pg_catalog.current_database())
  AND ($1::pg_catalog.text IS NULL OR ROW(opened.name <> pg_catalog.current_database(), opened.name)
    > ROW($1::pg_catalog.name <> pg_catalog.current_database(), $1::pg_catalog.name))
ORDER BY opened.name <> pg_catalog.current_database(), opened.name LIMIT $2::pg_catalog.int8`;
const IS_THERE = `SELECT FROM pg_catalog.pg_database d WHERE d.datname::pg_catalog.text = $1::pg_catalog.text`;

export interface ServerDatabasesOptions {
  /** The database that the form names. */
  readonly primary: PgDatabase;
  /** Opens a connection to a database. */
  readonly open: (database: string, signal: AbortSignal) => Promise<Link>;
  /** That of the named database's connections, which all share. */
  readonly budget: LinkBudget;
  readonly systemSchemas: boolean;
}

/** The databases of a server as they are now. */
export interface DatabaseNames {
  /** Those that can be opened, the named one first. */
  readonly allowed: readonly string[];
  /** Those that this role may not connect to. */
  readonly refused: readonly string[];
  /** Those whose CONNECTION LIMIT is 0. */
  readonly limited: readonly string[];
}

/** The databases of a server: each is opened when it is asked for first. */
export class ServerDatabases {
  readonly primary: DatabaseParts;
  readonly #options: ServerDatabasesOptions;
  readonly #pools = new Map<string, Links>();
  readonly #opened = new Map<string, Promise<DatabaseParts>>();
  readonly #closing = new AbortController();

  constructor(options: ServerDatabasesOptions) {
    this.#options = options;
    this.primary = databaseParts(options.primary, options.systemSchemas);
  }

  /** The name of the database that the form names. */
  get named(): string {
    return this.primary.database.facts.database;
  }

  /** @throws DriverError `NOT_FOUND`, `ACCESS_REFUSED` for a database that isn't listed */
  async get(name: string, signal: AbortSignal): Promise<DatabaseParts> {
    stopIfCancelled(signal);
    if (name === this.named) return this.primary;
    if (name.includes('\0')) throw noDatabase(name);
    let opening = this.#opened.get(name);
    if (opening === undefined) {
      // Not ended with the call that came first: others may wait for the same database.
      opening = this.#open(name, this.#closing.signal);
      this.#opened.set(name, opening);
      opening.catch(() => this.#opened.delete(name));
    }
    return await untilAborted(opening, signal);
  }

  async names(signal: AbortSignal): Promise<DatabaseNames> {
    const [answer] = await this.primary.database.read([{ text: DATABASES }], signal);
    const found = { allowed: [] as string[], refused: [] as string[], limited: [] as string[] };
    for (const [name, allowed, limited] of answer?.rows ?? []) {
      const list = allowed === 't' || name === this.named ? found.allowed : limited === 't' ? found.limited : found.refused;
      list.push(name ?? '');
    }
    return found;
  }

  /**
   * Some of those that can be opened, the named one first.
   *
   * @param after - the last one of the page before; null for the first page
   */
  async page(after: string | null, limit: number, signal: AbortSignal): Promise<readonly string[]> {
    const [answer] = await this.primary.database.read([{ text: PAGE, values: [after, `${limit}`] }], signal);
    return (answer?.rows ?? []).map(([name]) => name ?? '');
  }

  /** The processes at the server that belong to this session. */
  processes(): readonly number[] {
    return [this.primary.database.links, ...this.#pools.values()].flatMap((links) => links.processes());
  }

  async close(): Promise<void> {
    this.#closing.abort(connectionClosed());
    await Promise.all([this.primary.database.links, ...this.#pools.values()].map((links) => links.close()));
  }

  async #open(name: string, signal: AbortSignal): Promise<DatabaseParts> {
    const values = [name];
    const [found, there] = await this.primary.database.read(
      [
        { text: DATABASE, values },
        { text: IS_THERE, values },
      ],
      signal,
    );
    const [row] = found?.rows ?? [];
    if (row?.[2] === 't') throw limitedDatabase(name);
    if (row?.[1] !== 't') throw there?.rows.length === 0 ? noDatabase(name) : closedDatabase(name);
    const links = this.#pool(name);
    const facts = await links.use(signal, (link) => inTime(name, signal, (own) => readFacts(link, own)));
    return databaseParts(new PgDatabase(links, facts, [name]), this.#options.systemSchemas);
  }

  #pool(name: string): Links {
    const known = this.#pools.get(name);
    if (known !== undefined) return known;
    if (this.#closing.signal.aborted) throw connectionClosed();
    const { open, budget } = this.#options;
    const links = new Links(
      async (signal) => {
        try {
          return await inDatabase(name, await open(name, signal));
        } catch (error) {
          if (!isDriverError(error) || error.details.status !== NO_DATABASE) throw error;
          this.#forget(name, links);
          throw noDatabase(name, error);
        }
      },
      budget,
      IDLE_MILLISECONDS,
    );
    this.#pools.set(name, links);
    return links;
  }

  /** A database that was dropped or renamed: one that has its name later is opened as another one. */
  #forget(name: string, links: Links): void {
    if (this.#pools.get(name) !== links) return;
    this.#pools.delete(name);
    this.#opened.delete(name);
    links.retire();
  }
}

const NO_DATABASE = '3D000';

/** Those who wait for a database would else wait for as long as its server says nothing. */
async function inTime<T>(name: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = AbortSignal.timeout(ANSWER_MILLISECONDS);
  try {
    return await work(AbortSignal.any([signal, deadline]));
  } catch (error) {
    if (signal.aborted || !deadline.aborted) throw error;
    throw new DriverError('TIMEOUT', `The database “${name}” didn't answer in time.`, {
      cause: error,
      details: { texts: faultTexts('server.slow', { name }) },
    });
  }
}

/** @throws DriverError `CONFLICT` where a pooler between leads to another database under this name */
async function inDatabase(name: string, link: Link): Promise<Link> {
  const { database } = link;
  if (database === name) return link;
  await link.close();
  throw new DriverError('CONFLICT', `A pooler leads elsewhere: a connection to the database “${name}” is in “${database}”.`, {
    details: {
      advice: 'Connect to the server itself, or give the database its own name in the configuration of the pooler.',
      texts: faultTexts('server.elsewhere', { name, database }, 'server.elsewhere.advice'),
    },
  });
}

/** A database that isn't there, or no longer. */
function noDatabase(name: string, cause?: unknown): DriverError {
  return new DriverError('NOT_FOUND', `There is no database “${name}” on this server.`, {
    cause,
    details: {
      advice: 'It may have been dropped or renamed. Reload the list of tables.',
      texts: faultTexts('server.noDatabase', { name }, 'server.noDatabase.advice'),
    },
  });
}

function closedDatabase(name: string): DriverError {
  return new DriverError('ACCESS_REFUSED', `The database “${name}” can't be opened.`, {
    details: {
      advice: 'It is a template or takes no connections, or your role lacks the CONNECT permission.',
      texts: faultTexts('server.closedDatabase', { name }, 'server.closedDatabase.advice'),
    },
  });
}

function limitedDatabase(name: string): DriverError {
  return new DriverError('SERVER_NOT_READY', `The database “${name}” takes no connections: its CONNECTION LIMIT is 0.`, {
    details: {
      advice: 'Raise it with ALTER DATABASE … CONNECTION LIMIT, or connect as a superuser.',
      texts: faultTexts('server.limitedDatabase', { name }, 'server.limitedDatabase.advice'),
    },
  });
}
