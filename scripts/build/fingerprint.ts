import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

const skippedFolders = new Set(['node_modules', 'dist', '.tsbuild', '.local']);

function isSource(name: string): boolean {
  return !/\.(test|test-helper)\.tsx?$/.test(name) && !name.endsWith('.md');
}

function* filesBelow(path: string): Generator<string> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (stats.isFile()) {
    yield path;
    return;
  }
  for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory() ? !skippedFolders.has(entry.name) : isSource(entry.name)) yield* filesBelow(join(path, entry.name));
  }
}

/**
 * One hash over the content of every input file. Content and not modification time: switching a branch back and forth, or a fresh
 * clone beside a kept .tsbuild, then rebuilds nothing. All sources of the repository hash in about 20 ms.
 */
export class Fingerprinter {
  readonly #root: string;
  readonly #hashes = new Map<string, string>();

  constructor(root: string) {
    this.#root = root;
  }

  of(inputs: readonly string[]): string {
    const hash = createHash('sha256');
    for (const input of inputs) {
      for (const file of filesBelow(join(this.#root, input))) {
        hash.update(`${relative(this.#root, file).replaceAll('\\', '/')}\0${this.#contentHash(file)}\n`);
      }
    }
    return hash.digest('hex');
  }

  #contentHash(file: string): string {
    let known = this.#hashes.get(file);
    if (known === undefined) {
      known = createHash('sha256').update(readFileSync(file)).digest('hex');
      this.#hashes.set(file, known);
    }
    return known;
  }
}

export function allExist(root: string, paths: readonly string[]): boolean {
  return paths.every((path) => existsSync(join(root, path)));
}
