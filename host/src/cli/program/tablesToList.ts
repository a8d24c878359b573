import { visibleText } from '@tabularium/sdk';
import type { TableSummary } from '@tabularium/sdk';
import { namespaceSchema, tableSummarySchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { HostError } from '../../common/errors.ts';
import {
  MOST_TABLES_READ,
  anyNamespace,
  isInitial,
  isWithin,
  namespaceKey,
  namespacesBefore,
  namespacesIn,
  tablesWithin,
} from '../../common/namespaces.ts';
import type { ListBounds, NamespaceLister } from '../../common/namespaces.ts';
import { ReportedError } from '../../runtime/ownerSocket/ownerProtocol.ts';
import { causeOf, understood } from '../ownerApi.ts';
import { namespaceListerOf } from './namespaceListerOf.ts';
import type { AskedConnection } from './namespaceListerOf.ts';

/** Namespaces of one list that are named, and of which the tables are read. */
const MOST_NAMESPACES = 20_000;
/** Namespaces that are named beside a list of tables: more would take longer than the list. */
const MOST_NAMED = 2_000;

/** A list that has more than was read of it. Without a namespace: all of them together. */
interface CutByCommand {
  readonly namespace?: string;
  readonly list: 'namespaces' | 'tables';
  readonly read: number;
}

/** Tables, and what is missing of them. */
interface ListedByCommand {
  readonly tables: readonly TableSummary[];
  readonly notListed?: string[];
  readonly refused?: { readonly namespace: string; readonly message: string }[];
  readonly cut?: CutByCommand[];
}

interface WantedTables {
  readonly namespace?: string;
  readonly all?: true;
}

/**
 * The tables of a connection that a command asks for.
 *
 * @param initial - the namespaces that are listed at first; undefined where every table is
 * @param onPage - called with the entries of each page that is read
 * @throws HostError `INVALID_REQUEST` for a namespace that isn't there, or a name that several have
 */
export async function tablesToList(
  { api, connectionId, calling }: AskedConnection,
  initial: readonly (readonly string[])[] | undefined,
  { namespace, all }: WantedTables,
  onPage: (entries: number) => Promise<void> = async () => undefined,
): Promise<ListedByCommand> {
  const list = async (): Promise<readonly TableSummary[]> =>
    understood(z.array(tableSummarySchema), await api.tables.list.query({ connectionId }, calling));
  const lister = initial === undefined ? undefined : observed(namespaceListerOf({ api, connectionId, calling }, initial), onPage);
  const cut: CutByCommand[] = [];
  const bounds: ListBounds = {
    most: MOST_NAMESPACES,
    onCut: ({ namespace: at, list: of, read }) =>
      cut.push({ ...(at.length === 0 ? {} : { namespace: at.join('.') }), list: of, read }),
  };
  const cutMember = (): Pick<ListedByCommand, 'cut'> => (cut.length === 0 ? {} : { cut });
  if (namespace !== undefined) {
    const listed = await list();
    const path = await namespaceNamed(lister, listed, namespace);
    const tables = listed.filter(({ ref }) => isWithin(ref.namespace, path));
    if (lister === undefined || isInitial(lister, path)) return { tables };
    const found = await takeMost(
      tablesWithin(lister, anyNamespace(path), rethrow, () => false, bounds),
      MOST_TABLES_READ,
      cut,
    );
    return { tables: found, ...cutMember() };
  }
  if (lister === undefined) return { tables: await list() };
  const listed = await list();
  if (all !== true) {
    const others: string[] = [];
    for await (const { path } of namespacesIn(lister, [], { ...bounds, most: MOST_NAMED }))
      if (!lister.initial.some((one) => isWithin(one, path))) others.push(path.join('.'));
    return { tables: listed, ...(others.length === 0 ? {} : { notListed: others }), ...cutMember() };
  }
  const refused: { namespace: string; message: string }[] = [];
  const refuse = (path: readonly string[], error: unknown): void => {
    // Of the whole server; a command that was stopped ends, too.
    const cause = causeOf(error);
    if (path.length === 0 || calling.signal.aborted || !(cause instanceof ReportedError)) throw error;
    refused.push({ namespace: path.join('.'), message: cause.message });
  };
  const others = tablesWithin(lister, anyNamespace([]), refuse, (path) => isInitial(lister, path), bounds);
  const rest = await takeMost(others, MOST_TABLES_READ - listed.length, cut);
  return { tables: [...listed, ...rest], ...(refused.length === 0 ? {} : { refused }), ...cutMember() };
}

function observed(lister: NamespaceLister, onPage: (entries: number) => Promise<void>): NamespaceLister {
  return {
    initial: lister.initial,
    namespaces: async (parent, after) => {
      const page = await lister.namespaces(parent, after);
      await onPage(page.namespaces.length);
      return page;
    },
    tables: async (namespace, after) => {
      const page = await lister.tables(namespace, after);
      await onPage(page.tables.length);
      return page;
    },
  };
}

async function takeMost(tables: AsyncIterable<TableSummary>, most: number, cut: CutByCommand[]): Promise<TableSummary[]> {
  const taken: TableSummary[] = [];
  for await (const table of tables) {
    if (taken.length >= most) {
      cut.push({ list: 'tables', read: MOST_TABLES_READ });
      break;
    }
    taken.push(table);
  }
  return taken;
}

/**
 * The path of a namespace that is written as a list of JSON, or with its names joined by dots.
 *
 * @throws HostError `INVALID_REQUEST` where there is none, or several are written so; what the database answers for one that can't be read
 */
async function namespaceNamed(
  lister: NamespaceLister | undefined,
  listed: readonly TableSummary[],
  written: string,
): Promise<readonly string[]> {
  const exact = pathOfJson(written);
  if (exact !== undefined) {
    if (lister !== undefined || listed.some(({ ref }) => isWithin(ref.namespace, exact))) return exact;
    throw noNamespace(written);
  }
  const paths = new Map(
    listed.flatMap(({ ref }) => pathsNamed(ref.namespace, written)).map((path) => [namespaceKey(path), path]),
  );
  // A name without a dot is one at the top, and a list that has it needs no other.
  if (lister !== undefined && (paths.size === 0 || written.includes('.')))
    for (const { path } of await namespacesBefore(lister, written))
      if (path.join('.') === written) paths.set(namespaceKey(path), path);
  const [found, ...others] = paths.values();
  if (others.length > 0)
    throw new HostError('INVALID_REQUEST', `Several namespaces are named “${visibleText(written, 'name', 200)}”.`, {
      details: { advice: `Write one of them as a list: ${[...paths.keys()].map((key) => `--namespace '${key}'`).join(', ')}.` },
    });
  if (found !== undefined) return found;
  if (lister !== undefined) await refuseUnlisted(lister, written);
  throw noNamespace(written);
}

/** One that isn't listed may be there, such as a database that these credentials may not connect to: the database says why. */
async function refuseUnlisted(lister: NamespaceLister, written: string): Promise<void> {
  try {
    await lister.namespaces([written], undefined);
  } catch (error) {
    const cause = causeOf(error);
    if (!(cause instanceof ReportedError) || (cause.report.code !== 'NOT_FOUND' && cause.report.code !== 'UNSUPPORTED'))
      throw error;
  }
}

function pathOfJson(written: string): readonly string[] | undefined {
  if (!written.startsWith('[')) return undefined;
  try {
    const path = namespaceSchema.parse(JSON.parse(written));
    return path.length === 0 ? undefined : path;
  } catch {
    return undefined;
  }
}

/** The first names of a path, where they are written so. */
function pathsNamed(path: readonly string[], written: string): readonly (readonly string[])[] {
  return path.map((_name, depth) => path.slice(0, depth + 1)).filter((one) => one.join('.') === written);
}

function rethrow(_path: readonly string[], error: unknown): never {
  throw error;
}

function noNamespace(written: string): HostError {
  return new HostError(
    'INVALID_REQUEST',
    `There is no namespace “${visibleText(written, 'name', 200)}” with tables in this connection.`,
    {
      details: { advice: 'The command "tabularium tables" prints each table with what contains it.' },
    },
  );
}
