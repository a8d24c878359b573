import type { Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues, TestStep } from '../../common/connection.ts';
import type { OriginProbe } from '../data/originProbe.ts';
import type { SealedSecrets } from '../credentials/sealedSecrets.ts';
import type { DriverConnector } from '../data/sessions.ts';
import type { HttpGrant } from './broker/httpGrant.ts';
import { driverSecretsFor } from './broker/driverSecrets.ts';
import { httpGrantFor } from './broker/httpGrant.ts';
import { probeOrigin } from './broker/probeOrigin.ts';
import { socketGrantFor } from './broker/socketGrant.ts';
import type { SocketGrant } from './broker/socketGrant.ts';
import type { InstalledDriver } from './packages/installedDriver.ts';
import type { RemoteSession } from './processes/driverProcesses.ts';
import { DriverProcesses } from './processes/driverProcesses.ts';
import { probeTunnel } from './probeTunnel.ts';
import type { Tunnel } from './broker/tunnel.ts';
import { Tunnels } from './tunnels/tunnels.ts';
import { readRegularText } from '../storage/regularFile.ts';
import type { Inject } from '../container/inject.ts';

/** Opens sessions in driver processes with what the connection's form grants: one server, by HTTP or sockets, and the files that were chosen. */
export class GrantingConnector implements DriverConnector, OriginProbe {
  static readonly inject: Inject<typeof GrantingConnector> = [DriverProcesses, Tunnels];

  readonly #processes: DriverProcesses;
  readonly #tunnels: Tunnels;

  constructor(processes: DriverProcesses, tunnels: Tunnels) {
    this.#processes = processes;
    this.#tunnels = tunnels;
  }

  async connect(request: {
    driver: InstalledDriver;
    settings: SettingsValues;
    secrets: SealedSecrets;
    signal: AbortSignal;
    node?: number;
  }): Promise<RemoteSession> {
    const { driver, settings, secrets, signal, node } = request;
    const tunnel = await this.#tunnels.for(driver, settings, secrets);
    const [http, socket] = await Promise.all([
      grantOf(driver, settings, secrets, tunnel, node),
      socketGrantOf(driver, settings, tunnel),
    ]);
    const given = driverSecretsFor(driver, settings, secrets);
    tunnel?.hold();
    try {
      // Before the driver: a question about the SSH server's key is the host's to ask, and no driver could pass it on.
      await tunnel?.ready(signal);
      return await this.#processes.connect({
        driver,
        settings,
        files: driverFiles(driver.manifest, settings),
        signal,
        secrets: given,
        ...(http === undefined ? {} : { http }),
        ...(socket === undefined ? {} : { socket }),
      });
    } finally {
      // The session holds it from now on.
      tunnel?.release();
    }
  }

  async *probe(
    driver: InstalledDriver,
    settings: SettingsValues,
    secrets: SealedSecrets,
    signal: AbortSignal,
    part?: number | string,
  ): AsyncGenerator<TestStep> {
    const tunnel = await this.#tunnels.for(driver, settings, secrets);
    const server = (await grantOf(driver, settings, secrets, tunnel, part)) ?? (await socketGrantOf(driver, settings, tunnel));
    if (server === undefined) return;
    tunnel?.hold();
    try {
      if (tunnel !== undefined && !(yield* probeTunnel(tunnel, signal))) return;
      yield* probeOrigin(server, signal);
    } finally {
      tunnel?.release();
    }
  }
}

async function grantOf(
  driver: InstalledDriver,
  settings: SettingsValues,
  secrets: SealedSecrets,
  tunnel: Tunnel | undefined,
  part: number | string | undefined,
): Promise<HttpGrant | undefined> {
  if (driver.manifest.permissions.http === undefined) return undefined;
  const grant = await httpGrantFor(driver, settings, secrets, readRegularText, tunnel);
  if (typeof part === 'string') return grant.further.find(({ id }) => id === part)?.grant;
  return part === undefined ? grant : grant.nodes[part];
}

async function socketGrantOf(
  driver: InstalledDriver,
  settings: SettingsValues,
  tunnel: Tunnel | undefined,
): Promise<SocketGrant | undefined> {
  if (driver.manifest.permissions.socket === undefined) return undefined;
  return socketGrantFor(driver, settings, readRegularText, tunnel);
}

function driverFiles(manifest: Manifest, settings: SettingsValues): Record<string, string> {
  const files: Record<string, string> = {};
  for (const { field } of manifest.permissions.files) {
    const path = settings[field];
    if (typeof path === 'string' && path !== '') files[field] = path;
  }
  return files;
}
