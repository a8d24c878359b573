import type { HostCheck } from '../../common/checkup.ts';
import { ConnectionSecrets } from '../connections/connectionSecrets.ts';
import { ConnectionStore } from '../connections/connectionStore.ts';
import { from } from '../container/inject.ts';
import type { Inject } from '../container/inject.ts';
import { DriverManagement } from '../drivers/install/driverManagement.ts';
import { RegistryManagement } from '../drivers/registry/registryManagement.ts';
import { McpIntegrations } from '../mcp/integrations.ts';
import { ENVIRONMENT } from '../program/environment.ts';
import { HOST_PACKAGE } from '../program/hostPackage.ts';
import { HOME } from '../storage/home.ts';
import { PreferencesStore } from '../workspace/preferencesStore.ts';
import { readLog } from './readLog.ts';
import { withoutRegistryPaths } from './withoutRegistryPaths.ts';
import { supportText } from './supportText.ts';
import type { ReportSection } from './supportText.ts';
import { userFolder } from '../storage/userFolder.ts';

export interface SupportReportParts {
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logs: string;
  readonly secrets: Pick<ConnectionSecrets, 'redact'>;
  readonly connections: Pick<ConnectionStore, 'list'>;
  readonly drivers: Pick<DriverManagement, 'overview'>;
  readonly registries: Pick<RegistryManagement, 'registries' | 'network'>;
  readonly integrations: Pick<McpIntegrations, 'settings' | 'state' | 'tokens'>;
  readonly preferences: Pick<PreferencesStore, 'get'>;
}

/**
 * One text for people who are asked for help: versions, checks, settings and the log. It has no row, statement, secret, nor the name, address or any other value
 * of a connection's form.
 */
export class SupportReport {
  static readonly inject: Inject<typeof SupportReport> = {
    version: from([HOST_PACKAGE], ({ version }) => version),
    env: ENVIRONMENT,
    logs: from([HOME], ({ logs }) => logs),
    secrets: ConnectionSecrets,
    connections: ConnectionStore,
    drivers: DriverManagement,
    registries: RegistryManagement,
    integrations: McpIntegrations,
    preferences: PreferencesStore,
  };

  readonly #parts: SupportReportParts;

  constructor(parts: SupportReportParts) {
    this.#parts = parts;
  }

  async text(checks: readonly HostCheck[], signal: AbortSignal): Promise<string> {
    const { version, env, logs, secrets } = this.#parts;
    const withoutPaths = withoutRegistryPaths((await this.#parts.registries.registries()).map(({ url }) => url));
    return supportText({
      version,
      env,
      userFolder: userFolder(env),
      checks,
      sections: [await this.#drivers(), this.#connections(), await this.#settings()],
      log: await readLog(logs, signal),
      redact: (text) => withoutPaths(secrets.redact(text)),
    });
  }

  async #drivers(): Promise<ReportSection> {
    const { drivers } = await this.#parts.drivers.overview();
    const lines = drivers.flatMap(({ id, packageName, versions, fault }) =>
      versions.map(
        ({ version, current, publisher }) =>
          `${id}: ${packageName} ${version}${current ? ', in use' : ''}, signed by ${publisher.name} (${publisher.origin})${current && fault !== undefined ? `: ${fault}` : ''}`,
      ),
    );
    return { title: 'Drivers', lines: lines.length === 0 ? ['None is installed.'] : lines };
  }

  #connections(): ReportSection {
    const lines = this.#parts.connections.list().map(({ driver, settings, secrets, access }, index) => {
      const references = Object.entries(secrets).map(([field, { kind }]) => `${field} (${kind})`);
      return `${index + 1}: driver ${driver}; fields ${Object.keys(settings).join(', ') || 'none'}; secrets ${references.join(', ') || 'none'}; external clients ${access.externalClients}, AI ${access.aiPolicy}`;
    });
    return { title: 'Connections, without their names and values', lines: lines.length === 0 ? ['None is saved.'] : lines };
  }

  async #settings(): Promise<ReportSection> {
    const { preferences, integrations, registries } = this.#parts;
    const { exportFolders, allowedOrigins, ...settings } = integrations.settings();
    const { offline, proxy, certificateAuthorityFile } = registries.network();
    const tokens = integrations.tokens();
    return {
      title: 'Settings',
      lines: [
        `Window: ${JSON.stringify(preferences.get())}`,
        `Integrations: ${JSON.stringify({ ...settings, exportFolders: exportFolders.length, allowedOrigins: allowedOrigins.length })}`,
        `MCP server: ${integrations.state().running ? 'runs' : 'does not run'}; tokens: ${tokens.length}`,
        `Registries: ${(await registries.registries()).map(({ url, from: origin, catalogue }) => `${url} (${origin}, ${catalogue.state})`).join(', ') || 'none'}`,
        `Network: ${offline ? 'offline' : 'online'}; proxy ${proxy === '' ? 'from the environment' : 'set'}; certificate authorities ${certificateAuthorityFile === '' ? 'the usual ones' : 'a file beside the usual ones'}`,
      ],
    };
  }
}
