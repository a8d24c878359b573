import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** Relative imports by file, read once for each run of the linter. */
const known = new Map<string, readonly string[]>();

function importsOf(root: string, file: string): readonly string[] {
  const key = join(root, file);
  const before = known.get(key);
  if (before !== undefined) return before;
  const found =
    /\.tsx?$/.test(file) && existsSync(key) ? ts.preProcessFile(readFileSync(key, 'utf8'), true, true).importedFiles : [];
  const imports = found
    .filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => join(dirname(file), fileName).replaceAll('\\', '/'));
  known.set(key, imports);
  return imports;
}

/**
 * The shortest way from one file to another along relative imports, both ends included.
 *
 * @param root - the repository; the paths are relative to it, with forward slashes
 * @returns undefined where there is none
 */
export function importPath(root: string, from: string, to: string): readonly string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  for (const file of cameFrom.keys()) {
    if (file === to) {
      const path: string[] = [];
      for (let at: string | undefined = file; at !== undefined; at = cameFrom.get(at)) path.unshift(at);
      return path;
    }
    for (const next of importsOf(root, file)) if (!cameFrom.has(next)) cameFrom.set(next, file);
  }
  return undefined;
}
