import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packagedApplication } from '../../program/packagedApplication.ts';

/**
 * The absolute path of the one executable for a client's settings.
 *
 * A packaged application has one of its own. npm installs a script: Windows starts no script, so that there it is the command which npm has
 * put beside it, locally or globally; where npm has put none, clients are best given the packaged application.
 *
 * @param hostFolder - the folder of the host package
 */
export function bridgeProgram(hostFolder: string, platform: NodeJS.Platform = process.platform): string {
  const packaged = packagedApplication(hostFolder, platform);
  if (packaged !== undefined) return packaged.bridge;
  const script = join(hostFolder, 'bin', 'tabularium-mcp.mjs');
  if (platform !== 'win32') return script;
  const modules = join(hostFolder, '..', '..');
  const commands = [join(modules, '.bin', 'tabularium-mcp.cmd'), join(modules, '..', 'tabularium-mcp.cmd')];
  return commands.find((command) => existsSync(command)) ?? script;
}
