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

/**
 * The files of the built window. A request is looked up among the files that are there and is never made into a path, so no request can
 * leave the folder. Links are left out.
 */
export class StaticFiles {
  readonly #folder: string;
  #files: ReadonlyMap<string, StaticFile> = new Map();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Lists the files again, because a build changes their names. */
  async refresh(): Promise<void> {
    const paths = await filesBelow(this.#folder);
    this.#files = new Map(
      paths.map((path) => {
        const name = relative(this.#folder, path).split(sep).join('/');
        return [name, describe(path, name)] as const;
      }),
    );
  }

  /** @param name - relative, as in the URL, such as `assets/index-Bx1c.js` */
  find(name: string): StaticFile | undefined {
    return this.#files.get(name);
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
  return {
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    immutable: isHashed(name),
    read: () => readFile(path),
  };
}

/** Vite adds a content hash to the name, such as `assets/index-Bx1cDe3f.js`. */
function isHashed(name: string): boolean {
  const tail = /(?<![\w-])[\w-]+$/.exec(name.slice(0, name.length - extname(name).length))?.[0] ?? '';
  const dash = tail.indexOf('-');
  return name.startsWith('assets/') && extname(name) !== '' && dash !== -1 && tail.length - dash > 8;
}
