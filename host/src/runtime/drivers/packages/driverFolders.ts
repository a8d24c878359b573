import { join } from 'node:path';
import { token } from '../../container/inject.ts';

export const DRIVER_FOLDERS = token<DriverFolders>('DRIVER_FOLDERS');

/** Where drivers live in a home. */
export interface DriverFolders {
  readonly drivers: string;
  /** Packages that are being installed; swept at start. On the same file system as `drivers`, so that a rename is atomic. */
  readonly staging: string;
  /** Copies of developers' folders; swept at start, and made again when they are needed. */
  readonly developer: string;
  /** Signed catalogues that are being verified; swept at start. */
  readonly catalogues: string;
  /** Registry documents. */
  readonly documents: string;
  /** The verified state of the registries' signed catalogues. Not a cache: losing it lets a registry go back unseen. */
  readonly trust: string;
  /** `drivers/<id>/<version>` */
  version(id: string, version: string): string;
}

export function driverFolders(homeFolder: string): DriverFolders {
  const drivers = join(homeFolder, 'drivers');
  return {
    drivers,
    staging: join(drivers, '.staging'),
    developer: join(drivers, '.developer'),
    catalogues: join(homeFolder, 'cache', 'catalogues'),
    documents: join(homeFolder, 'cache', 'registry'),
    trust: join(homeFolder, 'trust'),
    version: (id, version) => join(drivers, id, version),
  };
}
