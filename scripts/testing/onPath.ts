import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The file of a program on the PATH; undefined where there is none. */
export function onPath(program: string): string | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, program);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}
