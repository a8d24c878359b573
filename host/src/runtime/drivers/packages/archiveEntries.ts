import { faultOfFiles } from '@tabularium/sdk/package';
import type { FileLimits } from '@tabularium/sdk/package';
import type { ReadEntry } from 'tar';

/** npm's own archives have one folder above everything. */
const ROOT = 'package/';

/** Accepts the entries of an archive one by one, and none after the first that no package may have. */
export class ArchiveEntries {
  readonly #sizes = new Map<string, number>();
  readonly #limits: FileLimits;
  fault: string | undefined;

  constructor(limits: FileLimits) {
    this.#limits = limits;
  }

  /** The path of a file in the package; undefined for what is passed over: a folder, or anything after a fault. */
  accept(entry: ReadEntry): string | undefined {
    if (this.fault !== undefined || entry.type === 'Directory') return undefined;
    const path = entry.path.startsWith(ROOT) ? entry.path.slice(ROOT.length) : undefined;
    if (path === undefined) this.fault = `The archive has ${JSON.stringify(entry.path)}, which lies outside ${ROOT}.`;
    else if (entry.type !== 'File' && entry.type !== 'OldFile') {
      this.fault = `${JSON.stringify(path)} is a ${entry.type}; a package has files only.`;
    } else if (this.#sizes.has(path)) this.fault = `The archive has ${JSON.stringify(path)} twice.`;
    else {
      this.#sizes.set(path, entry.size);
      this.fault = faultOfFiles(this.#sizes, this.#limits);
    }
    return this.fault === undefined ? path : undefined;
  }
}
