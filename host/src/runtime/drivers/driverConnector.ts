import { readFile } from 'node:fs/promises';
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
import type { Inject } from '../container/inject.ts';

/** Opens sessions in driver processes with what the connection's form grants: one server, by HTTP or sockets, and the files that were chosen. */
export class GrantingConnector implements DriverConnector, OriginProbe {
  static readonly inject: Inject<typeof GrantingConnector> = [DriverProcesses];

  readonly #processes: DriverProcesses;

  constructor(processes: DriverProcesses) {
    this.#processes = processes;
  }

  async connect(request: {
    driver: InstalledDriver;
    settings: SettingsValues;
    secrets: SealedSecrets;
    signal: AbortSignal;
    node?: number;
  }): Promise<RemoteSession> {
    const { driver, settings, secrets, signal, node } = request;
    const [http, socket] = await Promise.all([grantOf(driver, settings, secrets, node), socketGrantOf(driver, settings)]);
    return this.#processes.connect({
      driver,
      settings,
      files: driverFiles(driver.manifest, settings),
      signal,
      secrets: driverSecretsFor(driver, settings, secrets),
      ...(http === undefined ? {} : { http }),
      ...(socket === undefined ? {} : { socket }),
    });
  }

  async *probe(
    driver: InstalledDriver,
    settings: SettingsValues,
    secrets: SealedSecrets,
    signal: AbortSignal,
    node?: number,
  ): AsyncGenerator<TestStep> {
    const server = (await grantOf(driver, settings, secrets, node)) ?? (await socketGrantOf(driver, settings));
    if (server !== undefined) yield* probeOrigin(server, signal);
  }
}

const readText = (path: string): Promise<string> => readFile(path, 'utf8');

async function grantOf(
  driver: InstalledDriver,
  settings: SettingsValues,
  secrets: SealedSecrets,
  node: number | undefined,
): Promise<HttpGrant | undefined> {
  if (driver.manifest.permissions.http === undefined) return undefined;
  const grant = await httpGrantFor(driver, settings, secrets, readText);
  return node === undefined ? grant : grant.nodes[node];
}

async function socketGrantOf(driver: InstalledDriver, settings: SettingsValues): Promise<SocketGrant | undefined> {
  if (driver.manifest.permissions.socket === undefined) return undefined;
  return socketGrantFor(driver, settings, readText);
}

function driverFiles(manifest: Manifest, settings: SettingsValues): Record<string, string> {
  const files: Record<string, string> = {};
  for (const { field } of manifest.permissions.files) {
    const path = settings[field];
    if (typeof path === 'string' && path !== '') files[field] = path;
  }
  return files;
}
