import type { SecretQuestion } from '../../common/secretQuestion.ts';
import type { Filter, RowCount, TableDescription, TableRef, TableSummary } from '@tabularium/sdk';
import type { ApplicationInfo, OpenProgress, Preferences } from '../../common/api.ts';
import type { ConnectionInput, SavedConnection, TestStep } from '../../common/connection.ts';
import type { ImportConnections, ImportOutcome, ImportPreview } from '../../common/connectionFile.ts';
import type { DevelopedDriver } from '../../common/development.ts';
import type { Catalogue, DowngradeConsent, InstalledDriverInfo, InstallProgress } from '../../common/drivers.ts';
import type { PageRequest } from '@tabularium/sdk';
import type { WorkspaceServices } from '../../common/workspaceState.ts';
import type { ConnectClients } from '../../common/connectClients.ts';
import type { Integrations } from '../mcp/integrations.ts';
import type { BackupService } from '../storage/backupService.ts';
import type { DriverManagementServices } from '../drivers/install/driverServices.ts';
import type { WorkServices } from './workServices.ts';
import type { PageAnswer } from '../data/pageAnswer.ts';

/** What the typed router needs of the runtime. Every call stops when its signal is aborted. */
export interface ApiServices extends WorkServices {
  applicationInfo(): Promise<ApplicationInfo>;
  /** What windows remember. */
  readonly workspace: Pick<WorkspaceServices, keyof WorkspaceServices>;
  readonly preferences: { get(): Preferences; set(preferences: Preferences): Preferences };
  readonly backups: Pick<BackupService, 'view' | 'create' | 'restoreAtNextStart' | 'cancelRestore'>;
  readonly connections: {
    list(): readonly SavedConnection[];
    create(input: ConnectionInput): Promise<SavedConnection>;
    update(connectionId: string, input: ConnectionInput, code?: string): Promise<SavedConnection>;
    /** What has to be confirmed before its secrets are used; undefined: nothing. */
    secretQuestion(connectionId: string): Promise<SecretQuestion | undefined>;
    /** A person has answered that question with yes. */
    confirmSecrets(connectionId: string, code: string): Promise<void>;
    remove(connectionId: string): Promise<void>;
    duplicate(connectionId: string, name: string, withSecrets: boolean): Promise<SavedConnection>;
    /** Into a group, or into none. */
    group(connectionIds: readonly string[], group: string | undefined): readonly SavedConnection[];
    /** The text of a file with these connections, or with all of them. */
    export(connectionIds: readonly string[] | undefined): string;
    previewImport(text: string): Promise<ImportPreview>;
    import(choices: ImportConnections): Promise<readonly ImportOutcome[]>;
    /** One step after another; a step is told when it begins and again when it ends. */
    test(input: ConnectionInput, savedAs: string | undefined, signal: AbortSignal, code?: string): AsyncIterable<TestStep>;
    /** Installs the driver where it is missing, connects, and ends with `open`. */
    open(connectionId: string, secrets: Readonly<Record<string, string>>, signal: AbortSignal): AsyncIterable<OpenProgress>;
    close(connectionId: string): Promise<void>;
  };
  readonly drivers: {
    catalogue(signal: AbortSignal): Promise<Catalogue>;
    refresh(signal: AbortSignal): Promise<Catalogue>;
    installed(): readonly InstalledDriverInfo[];
    install(
      driver: string,
      wanted: { readonly version?: string | undefined; readonly allowDowngrade?: DowngradeConsent | undefined },
      signal: AbortSignal,
    ): AsyncIterable<InstallProgress>;
  };
  readonly driverManagement: DriverManagementServices;
  /** What authors of drivers develop beside the open window. */
  readonly driverDevelopment: { watch(signal: AbortSignal): AsyncIterable<readonly DevelopedDriver[]> };
  /** The server for programs outside: its state, tokens, approvals, log and clients. */
  readonly integrations: Pick<Integrations, keyof Integrations>;
  /** How programs outside are told of it. */
  readonly connectClients: ConnectClients;
  readonly tables: {
    list(connectionId: string, signal: AbortSignal): Promise<readonly TableSummary[]>;
    describe(connectionId: string, table: TableRef, reload: boolean, signal: AbortSignal): Promise<TableDescription>;
    count(connectionId: string, table: TableRef, filter: Filter, signal: AbortSignal): Promise<RowCount>;
    readPage(connectionId: string, request: PageRequest, signal: AbortSignal): Promise<PageAnswer>;
  };
}
