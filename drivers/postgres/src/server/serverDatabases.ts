import { DriverError, isDriverError } from '@tabularium/sdk';
import type { TableSummary } from '@tabularium/sdk';
import { databaseParts, listStep, summariesOf } from '../databaseParts.ts';
import type { DatabaseParts } from '../databaseParts.ts';
import { connectionClosed, faultTexts, stopIfCancelled } from '../fault.ts';
import { PgDatabase, readOn } from '../pgDatabase.ts';
import { readFacts } from '../serverFacts.ts';
import type { PgAnswer } from '../wire/batch.ts';
import type { Link } from '../wire/link.ts';
import type { LinkBudget } from '../wire/linkBudget.ts';
import { Links } from '../wire/links.ts';
import type { SocketAllowance } from '../wire/socketAllowance.ts';
import { DatabaseLists } from './databaseLists.ts';
import type { FoundDatabase } from './databaseLists.ts';
import { isOfDatabase } from './isOfDatabase.ts';
import { untilAborted } from './untilAborted.ts';

/** Databases that are listed at the same time: some connections stay free for what a person does meanwhile. */
const LISTED_AT_ONCE = 3;
/** A connection to another database than the named one keeps others from dropping it. */
const IDLE_MILLISECONDS = 15_000;
const ANSWER_MILLISECONDS = 20_000;
/** Databases whose tables are listed beside those of the named one: as many connections as the session may open for lists in a minute. */
const MOST_LISTED = 400;
/** As many tables as a list has. */
const MOST_TABLES = 100_000;

const MAY_CONNECT = "pg_catalog.has_database_privilege(d.oid, 'CONNECT')";
/** Superusers are let in beyond the limit. */
const IS_SHUT_BY_LIMIT =
  'd.datconnlimit = 0 AND NOT (SELECT r.rolsuper FROM pg_catalog.pg_roles r WHERE r.rolname = current_user)';

/** Those that can be opened, whether this role may, and whether its limit of connections shuts the database; the one of the connection first. */
const DATABASES = `
SELECT d.datname, ${MAY_CONNECT} AND NOT (${IS_SHUT_BY_LIMIT}), d.oid, ${MAY_CONNECT} AND ${IS_SHUT_BY_LIMIT}
FROM pg_catalog.pg_database d
WHERE d.datname = pg_catalog.current_database() OR (d.datallowconn AND NOT d.datistemplate AND d.datconnlimit <> -2)
ORDER BY d.datname <> pg_catalog.current_database(), d.datname`;

/** $1: a name, which the server would cut where it were compared as one. */
const DATABASE = `SELECT opened.* FROM (${DATABASES}) AS opened (name, allowed, oid, limited) WHERE opened.name::pg_catalog.text = $1::pg_catalog.text`;
const IS_THERE = `SELECT FROM pg_catalog.pg_database d WHERE d.datname::pg_catalog.text = $1::pg_catalog.text`;

export interface ServerDatabasesOptions {
  /** The database that the form names. */
  readonly primary: PgDatabase;
  /** Opens a connection to a database. */
  readonly open: (database: string, signal: AbortSignal) => Promise<Link>;
  /** That of the named database's connections, which all share. */
  readonly budget: LinkBudget;
  /** That of the session's sockets. */
  readonly allowance: Pick<SocketAllowance, 'listing'>;
  readonly systemSchemas: boolean;
  readonly log: (message: string) => void;
}

/** The databases of a server as they are now. */
export interface DatabaseNames {
  /** Those that can be opened, the named one first. */
  readonly allowed: readonly string[];
  /** Of those, the ones that are in no list, because there are too many. */
  readonly unlisted: readonly string[];
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
  readonly #lists: DatabaseLists<unknown>[] = [];
  readonly #tables: (signal: AbortSignal) => Promise<readonly TableSummary[]>;
  readonly #closing = new AbortController();

  constructor(options: ServerDatabasesOptions) {
    this.#options = options;
    this.primary = databaseParts(options.primary, options.systemSchemas);
    this.#tables = this.listing((name, signal) => this.#listOf(name, signal));
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
    const found = await this.#find(signal);
    const namesOf = (some: readonly FoundDatabase[]): readonly string[] => some.map(({ name }) => name);
    const allowed = namesOf(found.allowed);
    return {
      allowed,
      unlisted: allowed.slice(MOST_LISTED + 1),
      refused: namesOf(found.refused),
      limited: namesOf(found.limited),
    };
  }

  /** The tables of all databases. One that the server doesn't let in is left out. */
  async listTables(signal: AbortSignal): Promise<readonly TableSummary[]> {
    return (await this.#tables(signal)).slice(0, MOST_TABLES);
  }

  /**
   * Something that each database has a list of, in the order of the databases.
   *
   * @param read - one database's, which throws where the whole list is to fail
   */
  listing<T>(read: (name: string, signal: AbortSignal) => Promise<readonly T[]>): (signal: AbortSignal) => Promise<readonly T[]> {
    const ofOthers = new DatabaseLists<T>(async (name, signal) => {
      await this.#options.allowance.listing(signal);
      return await read(name, signal);
    });
    this.#lists.push(ofOthers);
    return async (signal) => {
      const [, ...all] = (await this.#find(signal)).allowed;
      const others = all.slice(0, MOST_LISTED);
      ofOthers.retain(others);
      const lists: (readonly T[])[] = [await read(this.named, signal)];
      const left = [...others.entries()];
      const failing = new AbortController();
      const ends = AbortSignal.any([signal, failing.signal]);
      const work = async (): Promise<void> => {
        for (let next = left.shift(); next !== undefined; next = left.shift()) {
          const [place, database] = next;
          try {
            lists[place + 1] = await ofOthers.of(database, others.length, ends);
          } catch (error) {
            // The others would open connections for a list that is not shown.
            failing.abort();
            throw error;
          }
        }
      };
      await Promise.all(Array.from({ length: LISTED_AT_ONCE }, work));
      return lists.flat();
    };
  }

  /** The processes at the server that belong to this session. */
  processes(): readonly number[] {
    return [this.primary.database.links, ...this.#pools.values()].flatMap((links) => links.processes());
  }

  async close(): Promise<void> {
    this.#closing.abort(connectionClosed());
    await Promise.all([this.primary.database.links, ...this.#pools.values()].map((links) => links.close()));
  }

  async #find(signal: AbortSignal): Promise<Readonly<Record<'allowed' | 'refused' | 'limited', FoundDatabase[]>>> {
    const [answer] = await this.primary.database.read([{ text: DATABASES }], signal);
    const found = { allowed: [] as FoundDatabase[], refused: [] as FoundDatabase[], limited: [] as FoundDatabase[] };
    for (const [name, allowed, oid, limited] of answer?.rows ?? []) {
      const list = allowed === 't' || name === this.named ? found.allowed : limited === 't' ? found.limited : found.refused;
      list.push({ name: name ?? '', oid: oid ?? '' });
    }
    return found;
  }

  async #listOf(name: string, signal: AbortSignal): Promise<readonly TableSummary[]> {
    if (name === this.named) return await this.primary.listTables({ signal });
    try {
      const step = listStep(this.#options.systemSchemas);
      const read = (link: Link): Promise<readonly PgAnswer[]> => inTime(name, signal, (own) => readOn(link, [step], own, []));
      const [answer] = await this.#pool(name).useOnce(signal, read);
      return summariesOf(answer?.rows ?? [], [name]);
    } catch (error) {
      if (signal.aborted || !isDriverError(error) || !isOfDatabase(error, name)) throw error;
      this.#options.log(`the database ${JSON.stringify(name)} is left out of the list: ${error.message}`);
      return [];
    }
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
    if (row?.[3] === 't') throw limitedDatabase(name);
    if (row?.[1] !== 't') throw there?.rows.length === 0 ? noDatabase(name) : closedDatabase(name);
    const links = this.#pool(name);
    const facts = await links.use(signal, (link) => inTime(name, signal, (own) => readFacts(link, own)));
    const changed = (): void => this.#lists.forEach((lists) => lists.forget(name));
    return databaseParts(new PgDatabase(links, facts, [name]), this.#options.systemSchemas, changed);
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
