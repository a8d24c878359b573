import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { refusal } from './refusal.ts';

const toPath = fileURLToPath;
const read = readFileSync;

/** Where a driver's modules are. */
export interface DriverPlace {
  /** A real path. */
  readonly folder: string;
  /** The address of the folder, with a slash at its end. */
  readonly root: string;
  /** The content of a file below the root. @throws Error where there is none */
  readonly source: (url: string) => Uint8Array;
}

/** The driver's folder, which the process may read. */
export function readablePlace(folder: string): DriverPlace {
  return { folder, root: rootOf(folder), source: (url) => read(toPath(url)) };
}

/**
 * A place that is known only when a driver is delivered, once. Before that it has no file.
 *
 * Its files are those that were delivered, and no others: the process reads none.
 */
export class DeliveredPlace implements DriverPlace {
  #folder = '/';
  #root = 'file:///';
  #files: Readonly<Record<string, Uint8Array>> | undefined;

  get folder(): string {
    return this.#folder;
  }

  get root(): string {
    return this.#root;
  }

  /** @param files - by absolute path, in an object without a prototype. @throws Error when there is a driver already */
  deliver(folder: string, files: Readonly<Record<string, Uint8Array>>): void {
    if (this.#files !== undefined) throw new Error('A process takes one driver.');
    this.#folder = folder;
    this.#root = rootOf(folder);
    this.#files = files;
  }

  readonly source = (url: string): Uint8Array => {
    const content = this.#files?.[toPath(url)];
    if (content === undefined)
      throw refusal(`The driver imports ${url}, which its package does not contain.`, 'MODULE_NOT_FOUND');
    return content;
  };
}

function rootOf(folder: string): string {
  return `${pathToFileURL(folder).href}/`;
}
