import { readFile, readdir } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** One file of the window, as it is served. */
export interface StaticFile {
  readonly type: string;
  /** Its name has a hash of its content, so that it never changes. */
  readonly immutable: boolean;
  read(): Promise<Buffer>;
}

/** Lists of files before the last one whose parts are still served: an update may come while windows are open, and another one after it. */
const MOST_EARLIER = 2;

/**
 * The files of the built window. A request is looked up among the files that are there and is never made into a path, so no request can
 * leave the folder. Links are left out.
 *
 * Parts whose names have a hash are read at once and stay: a window that is open loads them later, when an update may have put others in their place.
 */
export class StaticFiles {
  readonly #folder: string;
  #files: ReadonlyMap<string, StaticFile> = new Map();
  #earlier: readonly ReadonlyMap<string, StaticFile>[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Lists the files again, because a build changes their names. */
  async refresh(): Promise<void> {
    const paths = await filesBelow(this.#folder);
    const before = this.#files;
    this.#files = new Map(
      paths.map((path) => {
        const name = relative(this.#folder, path).split(sep).join('/');
        const known = before.get(name);
        return [name, known?.immutable === true ? known : describe(path, name)] as const;
      }),
    );
    const gone = new Map([...before].filter(([name, { immutable }]) => immutable && !this.#files.has(name)));
    if (gone.size > 0) this.#earlier = [gone, ...this.#earlier].slice(0, MOST_EARLIER);
  }

  /** @param name - relative, as in the URL, such as `assets/index-Bx1c.js` */
  find(name: string): StaticFile | undefined {
    return this.#files.get(name) ?? this.#earlier.find((files) => files.has(name))?.get(name);
  }
}

/** Folder by folder: Node's own recursive list goes into folders that are links. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(path);
      return entry.isFile() ? [path] : [];
    }),
  );
  return found.flat();
}

function describe(path: string, name: string): StaticFile {
  const type = TYPES[extname(name)] ?? 'application/octet-stream';
  if (!isHashed(name)) return { type, immutable: false, read: () => readFile(path) };
  const content = readFile(path);
  content.catch(() => undefined);
  return { type, immutable: true, read: () => content };
}

/** Vite adds a content hash to the name, such as `assets/index-Bx1cDe3f.js`. */
function isHashed(name: string): boolean {
  const tail = /(?<![\w-])[\w-]+$/.exec(name.slice(0, name.length - extname(name).length))?.[0] ?? '';
  const dash = tail.indexOf('-');
  return name.startsWith('assets/') && extname(name) !== '' && dash !== -1 && tail.length - dash > 8;
}
