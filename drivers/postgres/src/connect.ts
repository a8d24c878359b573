import { DriverError, driverText, listOfNames } from '@tabularium/sdk';
import type { DriverContext, Finding, Session, Settings } from '@tabularium/sdk';
import { createActivity } from './activity/activity.ts';
import { databaseParts } from './databaseParts.ts';
import type { DatabaseParts } from './databaseParts.ts';
import { PgDatabase } from './pgDatabase.ts';
import type { ServerFacts } from './pgDatabase.ts';
import { faultTexts, stopIfCancelled } from './fault.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createObjects } from './objects/objects.ts';
import { createRoles } from './roles/roles.ts';
import { ServerDatabases } from './server/serverDatabases.ts';
import type { DatabaseNames } from './server/serverDatabases.ts';
import { createServerNamespaces } from './server/serverNamespaces.ts';
import { serverParts } from './server/serverSession.ts';
import { readFacts } from './serverFacts.ts';
import { Link } from './wire/link.ts';
import type { SignIn } from './wire/link.ts';
import { LinkBudget } from './wire/linkBudget.ts';
import { Links } from './wire/links.ts';
import { SocketAllowance } from './wire/socketAllowance.ts';

/** Of the manifest's sockets; the others are for cancelling. */
const MOST_LINKS = 6;
/** Of those, what may run or wait for long: statements of a person, exports, changes. The others always come back soon. */
const MOST_LONG = 4;
/** Older servers lack functions that are asked for. */
const LEAST_VERSION = 130_000;

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
  const budget = new LinkBudget(MOST_LINKS, new LinkBudget(MOST_LONG));
  const allowance = new SocketAllowance(socket);
  const openLink = (database: string, own: AbortSignal): Promise<Link> => Link.open(allowance, { ...signIn, database }, own);
  const links = new Links((own) => openLink(signIn.database, own), budget);
  try {
    const facts = await links.use(signal, (link) => readFacts(link, signal));
    if (facts.number < LEAST_VERSION)
      throw new DriverError('UNSUPPORTED', `The server is PostgreSQL ${facts.version}; this driver needs version 13 or newer.`, {
        details: { texts: faultTexts('connect.old', { version: facts.version }) },
      });
    const systemSchemas = settings['systemSchemas'] === true;
    const found = findingsOf(facts, socket.tls !== 'none');
    if (settings['databases'] !== 'all') {
      const database = new PgDatabase(links, facts);
      const { changed: _changed, ...parts } = databaseParts(database, systemSchemas);
      return sessionOf(
        { ...parts, objects: createObjects(database, systemSchemas) },
        found,
        () => links.processes(),
        () => links.close(),
      );
    }
    const databases = new ServerDatabases({
      primary: new PgDatabase(links, facts, [facts.database]),
      open: openLink,
      budget,
      systemSchemas,
    });
    const names = await databases.names(signal);
    const namespaces = createServerNamespaces(databases, systemSchemas);
    const parts = { database: databases.primary.database, ...serverParts(databases), namespaces };
    return sessionOf(
      parts,
      [...found, ...refusedFindings(names), ...limitedFindings(names)],
      () => databases.processes(),
      () => databases.close(),
    );
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

/** @param parts - also of several databases; `database` is the one that the form names */
function sessionOf(
  { database, ...parts }: Omit<DatabaseParts, 'changed'> & Pick<Session, 'objects' | 'namespaces'>,
  findings: readonly Finding[],
  processes: () => readonly number[],
  close: () => Promise<void>,
): Session {
  return {
    server: { product: 'PostgreSQL', version: database.facts.version },
    findings,
    async ping({ signal }) {
      await database.links.use(signal, (link) => link.run('SELECT 1', [], signal));
    },
    ...parts,
    close,
    metrics: createMetrics(database),
    activity: createActivity(database, processes),
    principals: createRoles(database),
  };
}

/** Databases that the role may not connect to, where all of the server are to be shown. */
function refusedFindings({ refused: names }: DatabaseNames): readonly Finding[] {
  if (names.length === 0) return [];
  return [
    {
      label: 'Databases',
      outcome: 'warning',
      message: `Left out, because your role may not connect to them: ${listOfNames(names)}.`,
      texts: { label: { id: 'finding.databases.label' }, message: driverText('finding.databases', { names }) },
    },
  ];
}

/** Databases whose limit lets this role in no more. */
function limitedFindings({ limited: names }: DatabaseNames): readonly Finding[] {
  if (names.length === 0) return [];
  return [
    {
      label: 'Databases with a limit',
      outcome: 'warning',
      message: `Left out, because their CONNECTION LIMIT is 0: ${listOfNames(names)}.`,
      texts: { label: { id: 'finding.limited.label' }, message: driverText('finding.limited', { names }) },
    },
  ];
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
      message: `${user} is a superuser: no permission of the database holds it back, and when it reads a table of another role, functions of that role may run with its rights. Let AI clients sign in as another role.`,
      texts: { label: { id: 'finding.superuser.label' }, message: driverText('finding.superuser', { user }) },
    });
  if (encoding !== 'UTF8')
    warn('Encoding', 'encoding', `The database has the encoding ${encoding}. Text that isn't valid in it may be shown wrongly.`, {
      encoding,
    });
  return found;
}
