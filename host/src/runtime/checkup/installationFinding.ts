import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Script } from 'node:vm';
import type { CheckupFact } from './checked.ts';
import { damagedFiles } from './damagedFiles.ts';

/** The parts of the package that are read while it runs, relative to it. */
export const INSTALLED_FOLDERS = ['dist/chunks', 'dist/renderer', 'dist/documentation'] as const;
export const INSTALLED_FILES = [
  'bin/launch.mjs',
  'bin/tabularium.mjs',
  'bin/tabularium-mcp.mjs',
  'catalogue/first-party.json',
  'catalogue/publishers.json',
  'dist/main.js',
  'dist/bridge.cjs',
  'dist/driver-process.cjs',
  'dist/driver-launcher.cjs',
  'dist/electron/main.js',
  'dist/electron/preload.cjs',
] as const;

/** An update that was interrupted, or a clean-up that went too far, shows here before the part is needed. @param folder - of the package */
export async function installationFinding(folder: string, signal: AbortSignal): Promise<CheckupFact> {
  const damaged: string[] = [];
  for (const name of INSTALLED_FILES) if (!(await isUsable(join(folder, name)))) damaged.push(name);
  for (const name of INSTALLED_FOLDERS) {
    const isThere = await stat(join(folder, name)).then(
      (entry) => entry.isDirectory(),
      () => false,
    );
    const files = isThere ? await damagedFiles(join(folder, name), signal) : undefined;
    damaged.push(...(files?.map((file) => `${name}/${file}`) ?? [name]));
  }
  if (damaged.length === 0) return { finding: `Every part of Tabularium in ${folder} is as it was built.` };
  const MOST = 5;
  const shown = damaged.slice(0, MOST).join(', ');
  const more = damaged.length > MOST ? ` and ${damaged.length - MOST} more` : '';
  return {
    finding: `Parts of Tabularium in ${folder} are missing or were changed: ${shown}${more}.`,
    advice: 'Install Tabularium again. Your data directory stays as it is.',
  };
}

/** Files that no list has: there, and of the form that their reader needs. */
async function isUsable(file: string): Promise<boolean> {
  try {
    const text = await readFile(file, 'utf8');
    if (extname(file) === '.json') JSON.parse(text);
    // Compiled, and not run.
    if (extname(file) === '.cjs') new Script(text);
    return text.trim() !== '';
  } catch {
    return false;
  }
}
