import { homedir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';

/** The support directory of the application. The same as `resolveHome` of the host, which a test holds it to: a bridge imports nothing. */
export function supportFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  userFolder = homedir() === '' ? userInfo().homedir : homedir(),
): string {
  const chosen = env['TABULARIUM_HOME'];
  // The configuration of an AI client passes on what a shell would expand; a folder named ~ would be a second home in every working directory.
  if (chosen !== undefined && chosen !== '') return resolve(chosen.replace(/^~(?=[/\\]|$)/, () => userFolder));
  switch (platform) {
    case 'darwin':
      return join(userFolder, 'Library', 'Application Support', 'Tabularium');
    case 'win32':
      return join(env['APPDATA'] ?? join(userFolder, 'AppData', 'Roaming'), 'Tabularium');
    default: {
      const data = env['XDG_DATA_HOME'];
      return join(data?.startsWith('/') === true ? data : join(userFolder, '.local', 'share'), 'tabularium');
    }
  }
}
