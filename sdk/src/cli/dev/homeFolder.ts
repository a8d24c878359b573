import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where the host keeps its home: `TABULARIUM_HOME`, else the platform's place for an application's data (docs/reference/command-line.md). */
export function homeFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform, user = homedir()): string {
  const chosen = env['TABULARIUM_HOME'];
  // The configuration of an AI client passes on what a shell would expand; a folder named ~ would be a second home in every working directory.
  if (chosen !== undefined && chosen !== '') return resolve(chosen.replace(/^~(?=[/\\]|$)/, () => user));
  if (platform === 'darwin') return join(user, 'Library', 'Application Support', 'Tabularium');
  if (platform === 'win32') return join(env['APPDATA'] ?? join(user, 'AppData', 'Roaming'), 'Tabularium');
  const data = env['XDG_DATA_HOME'];
  return join(data?.startsWith('/') === true ? data : join(user, '.local', 'share'), 'tabularium');
}
