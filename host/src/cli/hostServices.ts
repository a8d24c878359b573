import type { ConnectionInput } from '../common/connection.ts';
import type { Catalogue, InstallProgress, InstalledDriverInfo } from '../common/drivers.ts';
import type { DowngradeConsent } from '../common/driversApi.ts';
import type { FetchHandler } from '../common/fetchHandler.ts';
import type { ConnectionImport } from '../runtime/connections/connectionImport.ts';
import type { ConnectionService } from '../runtime/connections/connectionService.ts';
import type { ConnectionStore } from '../runtime/connections/connectionStore.ts';
import type { ConnectionTest } from '../runtime/data/connectionTest.ts';
import type { DriverManagement } from '../runtime/drivers/install/driverManagement.ts';
import type { DriverDevelopment } from '../runtime/drivers/install/driverDevelopment.ts';
import type { SecureStore } from '../runtime/credentials/secureStore.ts';
import type { Home } from '../runtime/storage/home.ts';
import type { TokenStore } from '../runtime/mcp/access/tokenStore.ts';
import type { Logger } from '../runtime/storage/logger.ts';
import type { Sessions } from '../runtime/data/sessions.ts';
import type { BackupService } from '../runtime/storage/backupService.ts';
import type { Transfers } from '../runtime/transfer/transfers.ts';

/** What the commands need of the runtime. */
export interface RuntimeServices {
  readonly connections: Pick<ConnectionService, 'create' | 'remove' | 'secretQuestion' | 'confirmSecrets'> &
    Pick<ConnectionStore, 'list'> &
    Pick<ConnectionImport, 'export' | 'import'> & {
      readonly previewImport: ConnectionImport['preview'];
      readonly test: ConnectionTest['run'];
    };
  readonly drivers: {
    /** What the registries offer now: all of them, or the one at `registry`. */
    catalogue(options: { readonly registry?: string | undefined; readonly signal: AbortSignal }): Promise<Catalogue>;
    /** What is known without asking anybody. */
    knownCatalogue(signal: AbortSignal): Promise<Catalogue>;
    installed(): readonly InstalledDriverInfo[];
    install(
      driver: string,
      options: {
        readonly version?: string | undefined;
        readonly prerelease?: boolean | undefined;
        readonly registry?: string | undefined;
        readonly allowDowngrade?: DowngradeConsent | undefined;
        readonly signal: AbortSignal;
      },
    ): AsyncIterable<InstallProgress>;
  };
  readonly driverManagement: DriverManagement;
  /** For the tools of those who write drivers. */
  readonly driverDevelopment: Pick<DriverDevelopment, 'follow' | 'built'>;
  readonly sessions: Pick<Sessions, 'use'>;
  readonly backups: Pick<BackupService, 'create' | 'copyTo'>;
  readonly exports: Pick<Transfers, 'start' | 'follow' | 'outcome' | 'cancel'>;
  readonly tokens: Pick<TokenStore, 'mint' | 'list' | 'revoke'>;
  readonly secureStore: Pick<SecureStore, 'state'>;
  /** Where the MCP server is; undefined while it does not run. */
  mcpUrl(): string | undefined;
  /** Whether the host's own environment has a variable that is not empty. */
  hasVariable(name: string): boolean;
}

/** The runtime's services, and what is known of the host around them. */
export interface HostServices extends RuntimeServices {
  /** `command`: the runtime ends with the command that started it. */
  readonly lifetime: 'host' | 'command';
  /** A new address for the window; undefined for a host without one. */
  newWindowUrl(): string | undefined;
  /** Starts the MCP server where it is enabled and does not run. Absent for a command that runs the runtime itself. */
  ensureMcp?(): Promise<void>;
  /**
   * Ends the hidden mode of a host that was started for the bridge, and says where its window is; undefined for one that is not hidden. A host
   * with a shell of its own brings its window to the front, and has no address for it.
   */
  showHidden?(): { readonly ui: string | null; readonly mcp: string | null; readonly home: string } | undefined;
}

/** A runtime that runs in this process. */
export interface RunningRuntime extends AsyncDisposable {
  readonly services: RuntimeServices;
  /** What the window's transports serve. */
  readonly handler: FetchHandler;
  /** Saves the connection that comes with a sample server, once; a later start brings it up to date. */
  offerSample(input: ConnectionInput): Promise<void>;
  /** Starts the MCP server and says where; undefined when its owner has switched it off. */
  startMcp(port: number | undefined): Promise<string | undefined>;
}

/** Starts the runtime in a home that this process owns. */
export type StartRuntime = (options: {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly logger: Logger;
  /** The Node that runs drivers; the one that runs this process by default. */
  readonly node?: string;
}) => Promise<RunningRuntime>;
