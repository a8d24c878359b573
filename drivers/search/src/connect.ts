import { DriverError } from '@tabularium/sdk';
import type { CallOptions, DriverContext, DriverTexts, Finding, HttpCapability, Session, Settings } from '@tabularium/sdk';
import { DEFAULT_TIMEOUT_MILLISECONDS, SearchClient } from './client.ts';
import { createConsole } from './console/console.ts';
import { describeCollection } from './describe.ts';
import { createEdits } from './edits/edits.ts';
import { createExpressions } from './expressions.ts';
import { createExport } from './export/export.ts';
import { createImport } from './import/import.ts';
import { createMetrics } from './metrics/metrics.ts';
import { countDocuments, readPage } from './pages.ts';
import { PageSizes } from './pageSizes.ts';
import { createPrincipals } from './principals/principals.ts';
import { KEY_REFUSED, keyFindings } from './keyFindings.ts';
import { createNamedTables } from './namedTables.ts';
import type { KeyReach } from './probes.ts';
import { maySearch, readReach, serverVersion } from './probes.ts';
import { createRows } from './rows.ts';
import { PinRules } from './ranked/pinRules.ts';
import { createObjects } from './objects/objects.ts';
import { createOperations } from './operations/operations.ts';
import { createSearch } from './ranked/search.ts';
import { serverAddress } from './serverAddress.ts';
import { Schemas } from './schemas.ts';
import { createSuggestions } from './suggestions.ts';
import { createTableOperations } from './tableOperations.ts';
import { tablesOfServer } from './tables.ts';
import { faultTexts } from './faultTexts.ts';

/** The oldest version that is known to work. */
const OLDEST_VERSION = 26;

/**
 * Opens a session. A key that may do little, and one that may do nothing, open it too: the sidebar is empty then, and the findings say
 * why.
 */
export async function connect(settings: Settings, context: DriverContext, { signal }: CallOptions): Promise<Session> {
  if (context.http === undefined) {
    throw new DriverError('PERMISSION_DENIED', "The search driver needs the http capability, which the host didn't provide.", {
      details: { texts: faultTexts('fault.noHttp') },
    });
  }
  const { http } = context;
  let closed = false;
  const open: HttpCapability = {
    ...http,
    request: async (request) => {
      if (closed)
        throw new DriverError('CONNECTION_LOST', 'The session is closed.', { details: { texts: faultTexts('fault.closed') } });
      return http.request(request);
    },
  };
  const client = new SearchClient(open, timeoutOf(settings));
  const [reach, version] = await Promise.all([readReach(client, signal), serverVersion(client, signal)]);
  const [confirmedBy] = reach.passed;
  if (confirmedBy !== undefined) client.confirmBy((until) => confirmedBy.ask(client, until));
  const schemas = new Schemas(client);
  const pinRules = new PinRules(client);
  const sizes = new PageSizes();
  return {
    server: { product: 'Typesense', ...(version === undefined ? {} : { version }) },
    findings: [serverFinding(version), ...keyFindings(reach)],
    ping: (options) => ping(reach, client, options.signal),
    listTables: (options) => tablesOfServer(client, options.signal),
    describeTable: (table, options) => describeCollection(table, client, schemas, options.signal, version),
    readPage: (request, options) => readPage(request, client, schemas, sizes, options.signal),
    countRows: (request, options) => countDocuments(request, client, schemas, options.signal),
    async close() {
      closed = true;
      schemas.clear();
    },
    console: createConsole(client, schemas, version),
    edits: createEdits(client, schemas),
    rows: createRows(client, schemas),
    search: createSearch(client, schemas, pinRules, { version, address: serverAddress(settings) }),
    objects: createObjects(client, schemas, pinRules, version),
    export: createExport(client, schemas, { version, isNarrow: !reach.lists }),
    operations: createOperations(client, schemas, version),
    import: createImport(client, schemas),
    tableOperations: createTableOperations(client, schemas, version),
    principals: createPrincipals(client, version),
    metrics: createMetrics(client),
    suggestions: createSuggestions(client, schemas),
    expressions: createExpressions(schemas),
    ...(!reach.lists && maySearch(reach) ? { namedTables: createNamedTables(client) } : {}),
  };
}

function timeoutOf(settings: Settings): number {
  const seconds = settings['timeoutSeconds'];
  return typeof seconds === 'number' && seconds > 0 ? Math.round(seconds * 1_000) : DEFAULT_TIMEOUT_MILLISECONDS;
}

/**
 * Asks again what the key was confirmed by. Never `/health`: that needs no key and stays green after the key was revoked. A key that was
 * refused from the start may have been given rights since.
 */
async function ping({ passed: [confirmedBy] }: KeyReach, client: SearchClient, signal: AbortSignal): Promise<void> {
  if (confirmedBy !== undefined) return confirmedBy.ask(client, signal);
  if ((await readReach(client, signal)).passed.length === 0) {
    throw new DriverError('ACCESS_REFUSED', KEY_REFUSED, { details: { texts: faultTexts('fault.keyRefused') } });
  }
}

/** The version of the server, and whether this driver is made for it. */
export function serverFinding(version: string | undefined): Finding {
  const label = 'Version';
  const said = (id: string, values: Readonly<Record<string, string | number>> = {}): DriverTexts => ({
    label: { id: 'finding.version.label' },
    message: { id: `finding.version.${id}`, values },
  });
  if (version === undefined) {
    const message = "The server answers. It doesn't report its version to this key.";
    return { label, outcome: 'ok', message, texts: said('hidden') };
  }
  const major = /^(\d+)\./.exec(version)?.[1];
  if (major !== undefined && Number(major) < OLDEST_VERSION) {
    return {
      label,
      outcome: 'warning',
      message: `The server has version ${version}. This driver supports ${OLDEST_VERSION}.0 and later, so some features may fail.`,
      texts: said('old', { version, oldest: OLDEST_VERSION }),
    };
  }
  return { label, outcome: 'ok', message: `The server answers; its version is ${version}.`, texts: said('known', { version }) };
}
