import { DriverError, driverText } from '@tabularium/sdk';
import type { DriverContext, Finding, Session, Settings, TableSummary } from '@tabularium/sdk';
import { createActivity } from './activity/activity.ts';
import { LIST } from './catalogue/queries.ts';
import { createConsole } from './console/console.ts';
import { PgDatabase } from './pgDatabase.ts';
import type { ServerFacts } from './pgDatabase.ts';
import { createExplain } from './explain/explain.ts';
import { createEdits } from './edits/edits.ts';
import { faultTexts, stopIfCancelled } from './fault.ts';
import { createImport } from './imports/import.ts';
import { createObjects } from './objects/objects.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createRoles } from './roles/roles.ts';
import { Bookmarks } from './rows/bookmarks.ts';
import { countPassing } from './rows/counts.ts';
import { createExport } from './rows/export.ts';
import { createExpressions } from './rows/expressions.ts';
import { readPage } from './rows/pages.ts';
import { createRows } from './rows/readRows.ts';
import { createSuggestions } from './rows/suggestions.ts';
import { createTableOperations } from './tableOperations.ts';
import { Link } from './wire/link.ts';
import type { SignIn } from './wire/link.ts';
import { Links } from './wire/links.ts';

/** Of the manifest's sockets; the others are for cancelling. */
const MOST_LINKS = 6;
/** Older servers lack functions that are asked for. */
const LEAST_VERSION = 130_000;

const FACTS = `
SELECT pg_catalog.current_setting('server_version'), pg_catalog.current_setting('server_version_num'), current_user, pg_catalog.current_database(),
  (SELECT r.rolsuper FROM pg_catalog.pg_roles r WHERE r.rolname = current_user),
  pg_catalog.array_to_json(pg_catalog.current_schemas(false)), pg_catalog.current_setting('server_encoding'), pg_catalog.pg_is_in_recovery(),
  (SELECT r.rolcreaterole FROM pg_catalog.pg_roles r WHERE r.rolname = current_user)`;

/** Opens one database of a server. */
export async function connect(
  settings: Settings,
  context: DriverContext,
  { signal }: { readonly signal: AbortSignal },
): Promise<Session> {
  stopIfCancelled(signal);
  const { socket } = context;
  if (socket === undefined)
    throw new DriverError('PERMISSION_DENIED', 'The connection has no socket.', {
      details: { texts: faultTexts('link.noSocket') },
    });
  const signIn: SignIn = {
    user: textSetting(settings, 'user') ?? 'postgres',
    database: textSetting(settings, 'database') ?? textSetting(settings, 'user') ?? 'postgres',
    password: context.secrets?.['password'],
  };
  const links = new Links((own) => Link.open(socket, signIn, own), MOST_LINKS);
  try {
    const facts = await links.use(signal, async (link) => factsOf((await link.run(FACTS, [], signal)).rows[0] ?? []));
    if (facts.number < LEAST_VERSION)
      throw new DriverError('UNSUPPORTED', `The server is PostgreSQL ${facts.version}; this driver needs version 13 or newer.`, {
        details: { texts: faultTexts('connect.old', { version: facts.version }) },
      });
    return sessionOf(new PgDatabase(links, facts), settings['systemSchemas'] === true, socket.tls !== 'none');
  } catch (error) {
    await links.close();
    throw error;
  }
}

function textSetting(settings: Settings, name: string): string | undefined {
  const value = settings[name];
  const text = typeof value === 'string' ? value.trim() : '';
  if (text.includes('\0'))
    throw new DriverError('INVALID_INPUT', "A name can't contain a zero character.", {
      details: { field: name, texts: faultTexts('connect.nulName') },
    });
  return text === '' ? undefined : text;
}

function factsOf(row: readonly (string | null)[]): ServerFacts {
  const [version, number, user, database, isSuperuser, path, encoding, isStandby, mayCreateRoles] = row;
  return {
    version: version ?? '',
    number: Number(number),
    user: user ?? '',
    database: database ?? '',
    isSuperuser: isSuperuser === 't',
    path: JSON.parse(path ?? '[]') as string[],
    encoding: encoding ?? '',
    isStandby: isStandby === 't',
    mayCreateRoles: mayCreateRoles === 't',
  };
}

function sessionOf(database: PgDatabase, systemSchemas: boolean, isEncrypted: boolean): Session {
  const bookmarks = new Bookmarks();
  const changed = (): void => {
    bookmarks.clear();
    database.forgetTables();
  };
  const listTables = async (signal: AbortSignal): Promise<readonly TableSummary[]> => {
    const [answer] = await database.read([{ text: LIST, values: [String(systemSchemas)] }], signal);
    return (answer?.rows ?? []).map(([schema, name, relkind, estimate]): TableSummary => {
      const rows = Math.round(Number(estimate));
      return {
        ref: { namespace: [schema ?? ''], name: name ?? '' },
        kind: relkind === 'v' ? 'view' : relkind === 'm' ? 'materializedView' : 'table',
        ...(relkind === 'v' || !(rows >= 0) ? {} : { count: { rows, exact: false } }),
      };
    });
  };
  return {
    server: { product: 'PostgreSQL', version: database.facts.version },
    findings: findingsOf(database.facts, isEncrypted),
    async ping({ signal }) {
      await database.links.use(signal, (link) => link.run('SELECT 1', [], signal));
    },
    listTables: ({ signal }) => listTables(signal),
    async describeTable(table, { signal }) {
      return (await database.freshTable(table, signal)).description;
    },
    readPage: (request, { signal }) => readPage(database, bookmarks, request, signal),
    countRows: (request, { signal }) => countPassing(database, request, signal),
    close: () => database.links.close(),
    console: createConsole(database, listTables, changed),
    edits: createEdits(database, changed),
    rows: createRows(database),
    import: createImport(database, changed),
    tableOperations: createTableOperations(database, changed),
    export: createExport(database),
    suggestions: createSuggestions(database),
    expressions: createExpressions(database),
    explain: createExplain(database),
    metrics: createMetrics(database),
    activity: createActivity(database),
    principals: createRoles(database),
    objects: createObjects(database, systemSchemas),
  };
}

function findingsOf(
  { user, database, version, encoding, isStandby, isSuperuser }: ServerFacts,
  isEncrypted: boolean,
): readonly Finding[] {
  const found: Finding[] = [
    {
      label: 'Sign-in',
      outcome: 'ok',
      message: `${user} is signed in to ${database} on PostgreSQL ${version}${isEncrypted ? '' : ', without encryption'}.`,
      texts: {
        label: { id: 'finding.signIn.label' },
        message: driverText('finding.signIn', { user, database, version, encrypted: isEncrypted ? 'yes' : 'no' }),
      },
    },
  ];
  const warn = (label: string, id: string, message: string, values: Record<string, string> = {}): void => {
    found.push({
      label,
      outcome: 'warning',
      message,
      texts: { label: { id: `finding.${id}.label` }, message: driverText(`finding.${id}`, values) },
    });
  };
  if (isStandby) warn('Standby', 'standby', 'The server is a standby: it can be read, and takes no changes.');
  if (isSuperuser)
    found.push({
      label: 'Superuser',
      outcome: 'ok',
      message: `${user} is a superuser: no permission of the database holds it back.`,
      texts: { label: { id: 'finding.superuser.label' }, message: driverText('finding.superuser', { user }) },
    });
  if (encoding !== 'UTF8')
    warn('Encoding', 'encoding', `The database has the encoding ${encoding}. Text that isn't valid in it may be shown wrongly.`, {
      encoding,
    });
  return found;
}
