import { DriverError } from '@tabularium/sdk';
import type { DriverContext, HttpCapability, Settings } from '@tabularium/sdk';
import type { Row } from './rows.ts';

/** Where the rows come from. */
export interface Source {
  readonly product: string;
  /** What connecting found, one sentence. */
  readonly finding: string;
  tables(signal: AbortSignal): Promise<readonly string[]>;
  /** Undefined: there is no such table. */
  rows(table: string, signal: AbortSignal): Promise<readonly Row[] | undefined>;
}

/** Asks the server. The host connects, does TLS and adds the key; nothing of that is seen here. */
async function get(http: HttpCapability, path: string, signal: AbortSignal): Promise<{ status: number; value: unknown }> {
  const response = await http.request({ method: 'GET', path, repeatable: true, signal });
  const text = await response.text();
  if (response.status === 404) return { status: 404, value: undefined };
  if (response.status === 401 || response.status === 403) {
    throw new DriverError('ACCESS_REFUSED', 'The server does not accept the key.', { details: { request: `GET ${path}` } });
  }
  try {
    // Numbers beyond 2^53 lose digits here. To keep them, make cells with `numeralCell` of the SDK from `context.source` in a reviver.
    if (response.status === 200) return { status: 200, value: JSON.parse(text) };
  } catch {
    // Told below.
  }
  throw new DriverError('BAD_ANSWER', `The server responded with status ${response.status}, which this driver doesn't support.`, {
    details: { request: `GET ${path}`, status: String(response.status), serverMessage: text.slice(0, 200) },
  });
}

/** The names of the tables. Any program may answer at an address: rows of another one would be nonsense. */
function tableNames(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return value;
  throw new DriverError('BAD_ANSWER', 'The server has no list of tables. It may be another program.');
}

/** The server that the connection names. */
export async function openSource(_settings: Settings, context: DriverContext, signal: AbortSignal): Promise<Source> {
  const { http } = context;
  if (http === undefined) throw new DriverError('PERMISSION_DENIED', 'The manifest declares no "permissions.http".');
  const tables = async (callSignal: AbortSignal): Promise<readonly string[]> =>
    tableNames((await get(http, '/tables', callSignal)).value);
  const found = await tables(signal);
  return {
    product: '{{title}}',
    finding: `The server has ${found.length} tables.`,
    tables,
    rows: async (table, callSignal) => {
      // No name at all, and nothing that could be sent.
      if (!table.isWellFormed()) return undefined;
      const { value } = await get(http, `/tables/${encodeURIComponent(table)}`, callSignal);
      return value as readonly Row[] | undefined;
    },
  };
}
