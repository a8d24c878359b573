import { spawn } from 'node:child_process';

/** The address that starts the application and its MCP server. */
export const START_URL = 'tabularium://integrations/start-mcp';

/** The program of each platform that opens an address, in the background where it can. The address is ours alone: nothing is put into it. */
function openerOf(platform: NodeJS.Platform): readonly [string, ...string[]] {
  switch (platform) {
    case 'darwin':
      return ['open', '-g', START_URL];
    case 'win32':
      return ['rundll32.exe', 'url.dll,FileProtocolHandler', START_URL];
    default:
      return ['xdg-open', START_URL];
  }
}

/**
 * Asks the platform to start the application. Returns at once: some openers end only with what they have opened.
 *
 * @param onProblem - called with a sentence when that cannot work
 */
export function openApplication(platform: NodeJS.Platform, onProblem: (cause: string) => void): void {
  const [program, ...args] = openerOf(platform);
  // A session of its own: the application is not to end with the client that started this bridge.
  const child = spawn(program, args, { stdio: 'ignore', detached: true, windowsHide: true });
  child.once('error', () => onProblem(`It cannot be started from here: there is no ${program}.`));
  child.once('exit', (code) => {
    if (code !== 0 && code !== null) onProblem(`${program} could not open ${START_URL}.`);
  });
  child.unref();
}
