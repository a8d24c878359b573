import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Names of browsers with an app mode: a window of its own, without tabs and an address bar. The first that is there is taken. */
const LINUX = [
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
  'chromium',
  'chromium-browser',
] as const;
const MAC = [
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'Chromium.app/Contents/MacOS/Chromium',
] as const;
const WINDOWS = [
  ['Google', 'Chrome', 'Application', 'chrome.exe'],
  ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
  ['Chromium', 'Application', 'chrome.exe'],
] as const;

/** The program of a Chrome, Edge or Chromium of this computer. Undefined where there is none. */
export function findAppBrowser(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  return candidates(env, platform).find(isProgram);
}

function candidates(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): readonly string[] {
  switch (platform) {
    case 'darwin':
      return MAC.flatMap((name) =>
        ['/Applications', join(env['HOME'] ?? '', 'Applications')].map((folder) => join(folder, name)),
      );
    case 'win32':
      return WINDOWS.flatMap((parts) =>
        ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].flatMap((name) => {
          const folder = env[name];
          return folder === undefined ? [] : [join(folder, ...parts)];
        }),
      );
    default: {
      const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
      // A browser from a snap can't read the page that leads to the window: it sees no hidden folders of its user.
      return LINUX.flatMap((name) => folders.filter((folder) => folder !== '/snap/bin').map((folder) => join(folder, name)));
    }
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
