import { join } from 'node:path';
import type { DriverProcessesOptions } from './driverStarter.ts';
import { token } from '../../container/inject.ts';

/** The Node that runs driver processes: its path. */
export const DRIVER_NODE = token<string>('DRIVER_NODE');

/**
 * Where a host has the programs of driver processes, and what it keeps of them.
 *
 * @param folder - the host's package
 * @param home - the data directory
 */
export function driverPaths(
  folder: string,
  home: { readonly folder: string; readonly cache: string },
): Pick<DriverProcessesOptions, 'runner' | 'launcher' | 'pidFile'> & { readonly protectedFolder: string } {
  return {
    runner: join(folder, 'dist', 'driver-process.cjs'),
    launcher: join(folder, 'dist', 'driver-launcher.cjs'),
    pidFile: join(home.cache, 'driver-processes.json'),
    protectedFolder: home.folder,
  };
}
