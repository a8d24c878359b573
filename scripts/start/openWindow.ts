import { spawn } from 'node:child_process';

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens an address in the person's browser. A computer without a browser is fine: the address is printed anyway. */
export async function openInBrowser(url: string): Promise<boolean> {
  const [command = 'xdg-open', ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.once('error', () => resolve(false));
  child.once('spawn', () => resolve(true));
  child.unref();
  return promise;
}
