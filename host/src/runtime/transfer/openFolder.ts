import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';

/** The program of the desktop that shows a file in its folder, with its words. */
export function folderOpener(
  file: string,
  platform: NodeJS.Platform,
): { readonly command: string; readonly args: readonly string[] } {
  switch (platform) {
    case 'darwin':
      return { command: 'open', args: ['-R', file] };
    case 'win32':
      return { command: 'explorer.exe', args: [`/select,${file}`] };
    default:
      return { command: 'xdg-open', args: [dirname(file)] };
  }
}

/** Shows a file in its folder. Doesn't wait for the program to end. @throws Error when the program doesn't exist */
export async function openFolder(file: string): Promise<void> {
  const { command, args } = folderOpener(file, process.platform);
  const child = spawn(command, args, { detached: true, stdio: 'ignore' });
  // Either event comes at once; the program itself may run for hours.
  await once(child, 'spawn');
  child.unref();
}
