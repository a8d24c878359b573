import { visibleText } from '@tabularium/sdk';
import type { TableSummary } from '@tabularium/sdk';
import { tableSummarySchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { HostError } from '../../common/errors.ts';
import { anyNamespace, isInitial, isWithin, namespacesBefore, namespacesIn, tablesWithin } from '../../common/namespaces.ts';
import { ReportedError } from '../../runtime/ownerSocket/ownerProtocol.ts';
import { causeOf, understood } from '../ownerApi.ts';
import { namespaceListerOf } from './namespaceListerOf.ts';
import type { AskedConnection } from './namespaceListerOf.ts';

/** Tables, and what is missing of them. */
interface ListedByCommand {
  readonly tables: readonly TableSummary[];
  readonly notListed?: string[];
  readonly refused?: { readonly namespace: string; readonly message: string }[];
}

/**
 * The tables of a connection that a command asks for.
 *
 * @param initial - the namespaces that are listed at first; undefined where every table is
 * @throws HostError `INVALID_REQUEST` for a namespace that isn't there
 */
export async function tablesToList(
  { api, connectionId, calling }: AskedConnection,
  initial: readonly (readonly string[])[] | undefined,
  { namespace, all }: { readonly namespace?: string; readonly all?: true },
): Promise<ListedByCommand> {
  const list = async (): Promise<readonly TableSummary[]> =>
    understood(z.array(tableSummarySchema), await api.tables.list.query({ connectionId }, calling));
  const lister = initial === undefined ? undefined : namespaceListerOf({ api, connectionId, calling }, initial);
  if (namespace !== undefined) {
    const listed = (await list()).filter(({ ref }) => isNamed(ref.namespace, namespace));
    if (listed.length > 0) return { tables: listed };
    const found = lister && (await namespacesBefore(lister, namespace)).find(({ path }) => path.join('.') === namespace);
    if (lister === undefined || found === undefined) throw noNamespace(namespace);
    return { tables: await Array.fromAsync(tablesWithin(lister, found, rethrow)) };
  }
  if (lister === undefined) return { tables: await list() };
  const listed = await list();
  if (all !== true) {
    const others: string[] = [];
    for await (const { path } of namespacesIn(lister, []))
      if (!lister.initial.some((one) => isWithin(one, path))) others.push(path.join('.'));
    return { tables: listed, ...(others.length === 0 ? {} : { notListed: others }) };
  }
  const refused: { namespace: string; message: string }[] = [];
  const refuse = (path: readonly string[], error: unknown): void => {
    // Of the whole server; a command that was stopped ends, too.
    const cause = causeOf(error);
    if (path.length === 0 || calling.signal.aborted || !(cause instanceof ReportedError)) throw error;
    refused.push({ namespace: path.join('.'), message: cause.message });
  };
  const rest = await Array.fromAsync(tablesWithin(lister, anyNamespace([]), refuse, (path) => isInitial(lister, path)));
  return { tables: [...listed, ...rest], ...(refused.length === 0 ? {} : { refused }) };
}

/** Whether the first names of a path are written so. */
function isNamed(path: readonly string[], written: string): boolean {
  return path.some((_name, depth) => path.slice(0, depth + 1).join('.') === written);
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
