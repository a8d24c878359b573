import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Where a link or an image of a page leads. */
export type LinkTarget =
  /** Another page, or a picture or a file that the site carries: the address relative to the page. */
  | { readonly is: 'inside'; readonly href: string }
  | { readonly is: 'web'; readonly href: string }
  /** A file of the repository that the site doesn't carry, such as a source. */
  | { readonly is: 'repository'; readonly file: string };

/** The files that the site carries beside its pages, by the ends of their names. */
const CARRIED = new Set(['.png', '.svg', '.csv']);

/** Finds the targets of links. It notes which files beside the pages are used, so that no other is copied. */
export class LinkResolver {
  readonly #root: string;
  /** Paths in the site, by the file or the folder in the repository. */
  readonly #pages: ReadonlyMap<string, string>;
  /** Links that lead nowhere, as sentences. They stay text: a half-written page must not keep the application from starting. */
  readonly faults: string[] = [];
  /** By the file in the repository: its path in the site. */
  readonly carried = new Map<string, string>();

  constructor(root: string, pages: ReadonlyMap<string, string>) {
    this.#root = root;
    this.#pages = pages;
  }

  /** A target that does not exist is one of the repository, and a fault. */
  resolve(from: { readonly file: string; readonly path: string }, target: string): LinkTarget {
    if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return { is: 'web', href: target };
    const [written = '', anchor] = target.split('#');
    const hash = anchor === undefined ? '' : `#${anchor}`;
    if (written === '') return { is: 'inside', href: hash };
    const file = posix.join(posix.dirname(from.file), decodeURIComponent(written)).replace(/\/$/, '');
    const path = this.#pages.get(file) ?? this.#carry(file);
    if (path !== undefined) return { is: 'inside', href: `${relativeAddress(from.path, path)}${hash}` };
    if (!existsSync(join(this.#root, file))) this.faults.push(`${from.file} links ${target}, which does not exist.`);
    return { is: 'repository', file };
  }

  #carry(file: string): string | undefined {
    if (!file.startsWith('docs/') || !CARRIED.has(posix.extname(file)) || !existsSync(join(this.#root, file))) return undefined;
    const path = file.slice('docs/'.length);
    this.carried.set(file, path);
    return path;
  }
}

/** The address of one path of the site as a page at another one writes it. */
export function relativeAddress(from: string, to: string): string {
  const address = posix.relative(posix.dirname(from), to);
  return address === '' ? posix.basename(to) : address;
}
