import type { FileCapability } from './capabilities/file.ts';
import type { HttpCapability } from './capabilities/http.ts';
import type { SocketCapability } from './capabilities/socket.ts';
import { DriverError } from './errors.ts';
import type { ActivityFacet } from './facets/activity.ts';
import type { ConsoleFacet } from './facets/console.ts';
import type { EditsFacet } from './facets/edits.ts';
import type { ExplainFacet } from './facets/explain.ts';
import type { ExportFacet } from './facets/export.ts';
import type { ExpressionsFacet } from './facets/expressions.ts';
import type { ImportFacet } from './facets/import.ts';
import type { MetricsFacet } from './facets/metrics.ts';
import type { NamedTablesFacet } from './facets/namedTables.ts';
import type { NamespacesFacet } from './facets/namespaces.ts';
import type { PrincipalsFacet } from './facets/principals.ts';
import type { RowsFacet } from './facets/rows.ts';
import type { ObjectsFacet } from './facets/objects.ts';
import type { OperationsFacet } from './facets/operations.ts';
import type { SearchFacet } from './facets/search.ts';
import type { SuggestionsFacet } from './facets/suggestions.ts';
import type { TableOperationsFacet } from './facets/tableOperations.ts';
import type { DriverTexts } from './model/driverText.ts';
import type { Filter } from './model/filter.ts';
import type { Page, PageRequest } from './model/page.ts';
import type { RowCount, TableDescription, TableRef, TableSummary } from './model/table.ts';
import { SDK_CONTRACT } from './version.ts';
import type { CallOptions } from './callOptions.ts';

/** Values of the connection's form, by field id. Secrets and file choices are not among them. */
export type Settings = Readonly<Record<string, string | number | boolean>>;

/** The capabilities that the host grants to one session. */
export interface DriverContext {
  /** Present when the manifest declares `permissions.http`. */
  readonly http?: HttpCapability;
  /** Present when the manifest declares `permissions.socket`. */
  readonly socket?: SocketCapability;
  /** Present when the manifest declares `permissions.files`. */
  readonly file?: FileCapability;
  /**
   * The credentials of `permissions.secrets`, by field id; those left empty in the form are absent. Present when the manifest declares them. Use
   * them to sign in and keep them nowhere: not in a log, an error or an answer.
   */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Writes one line into the driver's log. Never log a credential, a row or a statement. */
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string): void;
}

/** Something that connecting found out, shown as a line of Test Connection and, unless `ok`, in the open connection. */
export interface Finding {
  /** The subject of the finding, in two or three words, such as `API key`. */
  readonly label: string;
  /** `warning`: something is missing, the rest works; `failed`: what was looked at does not work. */
  readonly outcome: 'ok' | 'warning' | 'failed';
  /** One sentence. */
  readonly message: string;
  /** Its texts in other languages. */
  readonly texts?: DriverTexts;
}

/**
 * One open connection. The members here are the core, which every driver has. Whatever else a database can do is a facet: an optional
 * member, found by its presence.
 */
export interface Session {
  readonly server: {
    /** The product's name as people know it. */
    readonly product: string;
    /** Absent when the server doesn't report it. */
    readonly version?: string;
  };
  /** In the order in which they are shown; at most 50. */
  readonly findings: readonly Finding[];

  /**
   * Proves that the server answers and still accepts the credentials.
   *
   * @throws DriverError `ACCESS_REFUSED`, `CONNECTION_LOST`, and other errors on the way to the server
   */
  ping(options: CallOptions): Promise<void>;

  /**
   * Every table and view that the credentials may see, each once, in the order in which a list shows them; at most 100,000. Credentials that
   * may list none give an empty list, and a finding that says so.
   *
   * With {@link Session.namespaces}: only those in the namespaces that {@link NamespacesFacet.initial} names, and no other namespace is reached for it.
   */
  listTables(options: CallOptions): Promise<readonly TableSummary[]>;

  /**
   * Reads a table's shape from the server again.
   *
   * @throws DriverError `NOT_FOUND`
   */
  describeTable(table: TableRef, options: CallOptions): Promise<TableDescription>;

  /**
   * Reads one page. The same request gives the same rows in the same order while nothing changes, so that pages join without gaps and
   * doubles. A filter is honoured whole or refused, never in part.
   *
   * @throws DriverError `INVALID_INPUT` or `UNSUPPORTED` for a filter that cannot be sent (nothing is sent then), `NOT_FOUND`,
   *   `STRUCTURE_CHANGED`
   */
  readPage(request: PageRequest, options: CallOptions): Promise<Page>;

  /**
   * Counts the rows that a filter lets pass. What would take long may be estimated, and says so (`exact: false`).
   *
   * @throws DriverError as `readPage` does
   */
  countRows(request: { readonly table: TableRef; readonly filter: Filter }, options: CallOptions): Promise<RowCount>;

  /**
   * Ends the session and frees what it holds: sockets, files, timers. Called once; must not throw for a connection that is already gone. Running
   * calls end, and later ones are rejected (`CONNECTION_LOST`).
   */
  close(): Promise<void>;

  /** Statements in the database's own language. */
  readonly console?: ConsoleFacet;
  /** Changes of rows. */
  readonly edits?: EditsFacet;
  /** Single rows, whole. */
  readonly rows?: RowsFacet;
  /** Whole tables in one stream. */
  readonly export?: ExportFacet;
  /** Operations on the server, a namespace or a table as a whole. */
  readonly operations?: OperationsFacet;
  /** Operations on a table as a whole that need no input. {@link OperationsFacet} can do more; a session may have both. */
  readonly tableOperations?: TableOperationsFacet;
  /** The principals that may use the database. */
  readonly principals?: PrincipalsFacet;
  /** The server's metrics. */
  readonly metrics?: MetricsFacet;
  /** Values for those who write a filter. */
  readonly suggestions?: SuggestionsFacet;
  /** The text that is sent for a filter and its sorts. */
  readonly expressions?: ExpressionsFacet;
  /** Tables that can be read and not listed. */
  readonly namedTables?: NamedTablesFacet;
  /** Namespaces and their tables, listed a page at a time when they are asked for. */
  readonly namespaces?: NamespacesFacet;
  /** Ranked search of one table. */
  readonly search?: SearchFacet;
  /** Named objects beside the tables. */
  readonly objects?: ObjectsFacet;
  /** Many rows written into a table. */
  readonly import?: ImportFacet;
  /** Plans of statements. */
  readonly explain?: ExplainFacet;
  /** Sessions and statements at the server. */
  readonly activity?: ActivityFacet;
}

/** The object that a driver author writes. */
export interface DriverDefinition {
  /** The database type's id: the same as `id` in the manifest. */
  readonly id: string;
  /**
   * Opens a session. Credentials that may do little must still open it; say so in {@link Session.findings}.
   *
   * @throws DriverError when there is no server, or it is another kind of server
   */
  connect(settings: Settings, context: DriverContext, options: CallOptions): Promise<Session>;
}

/** A driver as the host loads it: the value that a package exports under the name `driver`. Opaque; made by {@link defineDriver} only. */
export interface Driver {
  readonly $$type: '@tabularium/driver';
  /** The contract that the driver was built with. */
  readonly contract: string;
  readonly definition: DriverDefinition;
}

const DRIVER_ID = /^[a-z][a-z0-9-]{0,39}$/;

/**
 * Makes a driver of a definition. A package exports the result: `export const driver = defineDriver({ … })`.
 *
 * @throws DriverError `DRIVER_FAULT` with a sentence that names the driver and the fix
 */
export function defineDriver(definition: DriverDefinition): Driver {
  const id: unknown = definition?.id;
  if (typeof id !== 'string' || !DRIVER_ID.test(id)) {
    throw new DriverError(
      'DRIVER_FAULT',
      `defineDriver: the id ${JSON.stringify(id)} is not valid. Use 1 to 40 lower-case letters, digits and hyphens, beginning with a letter, as in the manifest.`,
    );
  }
  if (typeof definition.connect !== 'function') {
    throw new DriverError(
      'DRIVER_FAULT',
      `defineDriver: the driver "${id}" has no connect function. Add connect(settings, context, options).`,
    );
  }
  return Object.freeze({ $$type: '@tabularium/driver', contract: SDK_CONTRACT, definition: Object.freeze({ ...definition }) });
}
