import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The places in a packaged application that the host has to know. `npm run package` lays them out. */
export interface PackagedApplication {
  /** The bundled Node. */
  readonly node: string;
  /** The bridge, an executable of its own. */
  readonly bridge: string;
}

/**
 * The packaged application that a host lies in (`resources/app/host`); undefined for a host in a repository, or installed by npm.
 *
 * @param hostFolder - the folder of the host package
 */
export function packagedApplication(
  hostFolder: string,
  platform: NodeJS.Platform = process.platform,
): PackagedApplication | undefined {
  const resources = join(hostFolder, '..', '..');
  const suffix = platform === 'win32' ? '.exe' : '';
  const node = join(resources, 'node', `node${suffix}`);
  if (!existsSync(node)) return undefined;
  const programs = platform === 'darwin' ? join(resources, '..', 'MacOS') : join(resources, '..');
  return { node, bridge: join(programs, `tabularium-mcp${suffix}`) };
}
