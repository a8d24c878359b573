import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The Electron program, where its binary is. The package is installed without it (its binary is fetched on demand), so that most checkouts have
 * none; nothing is fetched here. `ELECTRON_OVERRIDE_DIST_PATH` names a folder that has one, as for the package itself.
 */
export function electronProgram(root: string, environment: NodeJS.ProcessEnv): string | undefined {
  const folder = join(root, 'node_modules/electron');
  const pathFile = join(folder, 'path.txt');
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8').trim() : 'electron';
  const program = join(environment['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(folder, 'dist'), name);
  return existsSync(program) ? program : undefined;
}
