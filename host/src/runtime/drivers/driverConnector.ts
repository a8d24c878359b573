import { readFile } from 'node:fs/promises';
import type { Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues, TestStep } from '../../common/connection.ts';
import type { OriginProbe } from '../data/originProbe.ts';
import type { SealedSecrets } from '../credentials/sealedSecrets.ts';
import type { DriverConnector } from '../data/sessions.ts';
import type { HttpGrant } from './broker/httpGrant.ts';
import { httpGrantFor } from './broker/httpGrant.ts';
import { probeOrigin } from './broker/probeOrigin.ts';
import type { InstalledDriver } from './packages/installedDriver.ts';
import type { RemoteSession } from './processes/driverProcesses.ts';
import { DriverProcesses } from './processes/driverProcesses.ts';
import type { Inject } from '../container/inject.ts';

/** Opens sessions in driver processes with what the connection's form grants: one HTTP origin, and the files that were chosen. */
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
    const http = await grantOf(driver, settings, secrets, node);
    return this.#processes.connect({
      driver,
      settings,
      files: driverFiles(driver.manifest, settings),
      signal,
      ...(http === undefined ? {} : { http }),
    });
  }

  async *probe(
    driver: InstalledDriver,
    settings: SettingsValues,
    secrets: SealedSecrets,
    signal: AbortSignal,
    node?: number,
  ): AsyncGenerator<TestStep> {
    const http = await grantOf(driver, settings, secrets, node);
    if (http !== undefined) yield* probeOrigin(http, signal);
  }
}

async function grantOf(
  driver: InstalledDriver,
  settings: SettingsValues,
  secrets: SealedSecrets,
  node: number | undefined,
): Promise<HttpGrant | undefined> {
  if (driver.manifest.permissions.http === undefined) return undefined;
  const grant = await httpGrantFor(driver, settings, secrets, (path) => readFile(path, 'utf8'));
  return node === undefined ? grant : grant.nodes[node];
}

function driverFiles(manifest: Manifest, settings: SettingsValues): Record<string, string> {
  const files: Record<string, string> = {};
  for (const { field } of manifest.permissions.files) {
    const path = settings[field];
    if (typeof path === 'string' && path !== '') files[field] = path;
  }
  return files;
}
