import { PgClient } from './wire/pgClient.ts';
import { decodeBatch, NO_FILTER } from '@tabularium/sdk';
import type {
  ConsoleFacet,
  ConsoleSession,
  Cell,
  ChangeOutcome,
  Filter,
  PagePosition,
  ResultEvent,
  RowOutcome,
  RowChange,
  Session,
  Settings,
  Sort,
  TableRef,
} from '@tabularium/sdk';
import { createTestSocket, rowOutcomes } from '@tabularium/sdk/testing';
import type { TestSocketOptions } from '@tabularium/sdk/testing';
import { driver } from './index.ts';
import type { TestServer } from './server.test-helper.ts';

export const signal = new AbortController().signal;

export function ref(name: string, schema = 'public'): TableRef {
  return { namespace: [schema], name };
}

export interface OpenOptions {
  readonly database?: string;
  readonly user?: string;
  readonly password?: string;
  readonly settings?: Settings;
  readonly socket?: Partial<TestSocketOptions>;
}

/** The capabilities that the host would grant. */
export function grantsOf(
  server: TestServer,
  { database = 'postgres', user, password, settings = {}, socket = {} }: OpenOptions = {},
) {
  return {
    settings: { user: user ?? server.user, database, ...settings },
    context: {
      socket: createTestSocket({ host: '127.0.0.1', port: server.port, maxSockets: 16, ...socket }),
      secrets: { password: password ?? server.password },
    },
  };
}

/** Opens a session as the host does. */
export function open(server: TestServer, options: OpenOptions = {}): Promise<Session> {
  const { settings, context } = grantsOf(server, options);
  return driver.definition.connect(settings, { ...context, log: () => undefined }, { signal });
}

/** Of an administrator's connection, past the driver. */
export function clientOptions({ port, user, password }: TestServer) {
  return { host: '127.0.0.1', port, user, password };
}

/** Statements of an administrator, past the driver. */
export async function administer(server: TestServer, sql: string, database = 'postgres'): Promise<void> {
  const client = new PgClient({ ...clientOptions(server), database });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

export interface ReadQuestion {
  readonly filter?: Filter;
  readonly sorts?: readonly Sort[];
  readonly position?: PagePosition;
  readonly limit?: number;
  readonly placeholders?: { readonly over: number };
}

/** The rows of a page, each by the names of its columns. */
export async function read(
  session: Session,
  table: string | TableRef,
  question: ReadQuestion = {},
): Promise<Map<string, Cell>[]> {
  const { filter = NO_FILTER, sorts = [], position = { from: 'start' }, limit = 1_000, placeholders } = question;
  const page = await session.readPage(
    {
      ...{ table: typeof table === 'string' ? ref(table) : table, filter, sorts, position, limit },
      ...(placeholders === undefined ? {} : { placeholders }),
    },
    { signal },
  );
  const { columns, rows } = decodeBatch(page.batch);
  return rows.map((row) => new Map(columns.map(({ name }, index) => [name, row[index] ?? null])));
}

export async function apply(session: Session, table: string | TableRef, changes: readonly RowChange[]): Promise<ChangeOutcome[]> {
  const outcomes: ChangeOutcome[] = [];
  const target = typeof table === 'string' ? ref(table) : table;
  for await (const outcome of session.edits?.apply(target, changes, { signal }) ?? []) outcomes.push(outcome);
  return outcomes;
}

export async function importRows(
  session: Session,
  table: TableRef,
  mode: string,
  rows: readonly string[],
): Promise<RowOutcome[]> {
  if (session.import === undefined) throw new Error('The session imports nothing.');
  return rowOutcomes(session.import.write({ table, mode }, rows, { signal }));
}

export async function run(session: Session, statement: string, maxRows = 1_000): Promise<ResultEvent[]> {
  const events: ResultEvent[] = [];
  for await (const event of session.console?.run(statement, { maxRows, signal }) ?? []) events.push(event);
  return events;
}

export function consoleOf({ console }: Session): ConsoleFacet {
  if (console === undefined) throw new Error('The driver has no console.');
  return console;
}

/** A session of the console, to be closed. */
export async function sessionOf(session: Session): Promise<ConsoleSession> {
  const own = await consoleOf(session).openSession?.({ signal });
  if (own === undefined) throw new Error('The driver opens no sessions.');
  return own;
}
