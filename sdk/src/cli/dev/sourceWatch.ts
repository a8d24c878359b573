import { readdirSync, watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';

/** Editors write a file in several steps; what comes within this time is one change. */
const QUIET_MILLISECONDS = 60;

/**
 * Notifies when a source of the driver, or its package.json, was changed. Folder by folder: measured on Node 20, a recursive watch on Linux loses a
 * file that is replaced by another one, which is how many editors save.
 */
export class SourceWatch {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #folder: string;
  readonly #sourceFolder: string;
  /** Of the project's own folder, which is full of other things. */
  readonly #watchedNames = new Set(['package.json']);
  readonly #onChange: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param source - the file that the driver begins with; its folder is watched with all below it */
  constructor(folder: string, source: string, onChange: () => void) {
    this.#folder = folder;
    this.#sourceFolder = dirname(source);
    this.#onChange = onChange;
    this.follow([source]);
  }

  /** Watches all that a build has read, but for installed packages, and what else lies in the folder of the sources. */
  follow(sources: readonly string[]): void {
    const isProject = this.#sourceFolder === this.#folder;
    this.#watch(this.#folder, (name) => isProject || name === null || this.#watchedNames.has(name));
    if (!isProject) for (const folder of foldersBelow(this.#sourceFolder)) this.#watch(folder, () => true);
    for (const file of sources) {
      if (relative(this.#folder, file).split(sep).includes('node_modules')) continue;
      if (dirname(file) === this.#folder) this.#watchedNames.add(basename(file));
      else this.#watch(dirname(file), () => true);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #watch(folder: string, counts: (name: string | null) => boolean): void {
    if (this.#watchers.has(folder)) return;
    let watcher: FSWatcher;
    try {
      watcher = watch(folder, (_event, name) => {
        if (!counts(name)) return;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(this.#onChange, QUIET_MILLISECONDS);
      });
    } catch {
      // Gone again before it could be watched; the next build says what is missing.
      return;
    }
    watcher.on('error', () => {
      this.#watchers.delete(folder);
      watcher.close();
    });
    this.#watchers.set(folder, watcher);
  }
}

function foldersBelow(folder: string): readonly string[] {
  try {
    const folders = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isDirectory());
    return [folder, ...folders.map((entry) => join(entry.parentPath, entry.name))];
  } catch {
    return [folder];
  }
}
