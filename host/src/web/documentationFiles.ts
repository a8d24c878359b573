import { StaticFiles } from './staticFiles.ts';

/** The answer to one request for the documentation, of whichever transport. */
export interface DocumentationAnswer {
  readonly status: 200 | 308 | 404;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

/** Where the page of a missing address finds the site: the build of the documentation writes it. */
const SITE_PLACE = '__SITE__/';
const FIRST = 'index.html';
const MISSING = '404.html';

/** The built documentation of this version: static pages, found by their names. */
export class DocumentationFiles {
  readonly #files: StaticFiles;

  constructor(folder: string) {
    this.#files = new StaticFiles(folder);
  }

  /** Whether it was built. */
  async exists(): Promise<boolean> {
    await this.#files.refresh();
    return this.#files.find(FIRST) !== undefined;
  }

  /**
   * @param name - relative to the site, as in the URL
   * @param site - the path of the site, with a slash at its end
   */
  async answer(name: string, site: string): Promise<DocumentationAnswer> {
    const isFolder = name === '' || name.endsWith('/');
    const path = isFolder ? `${name}${FIRST}` : name;
    // A build may have replaced the pages since the request before.
    if (this.#files.find(path) === undefined || path.endsWith('.html')) await this.#files.refresh();
    const file = path === MISSING ? undefined : this.#files.find(path);
    if (file !== undefined) return { status: 200, headers: { 'content-type': file.type }, body: await file.read() };
    if (!isFolder && this.#files.find(`${name}/${FIRST}`) !== undefined) {
      return { status: 308, headers: { 'content-type': 'text/plain; charset=utf-8', location: `${site}${name}/` }, body: '' };
    }
    const missing = this.#files.find(MISSING);
    if (missing === undefined) return notBuilt();
    const page = (await missing.read()).toString('utf8').replaceAll(SITE_PLACE, site);
    return { status: 404, headers: { 'content-type': missing.type }, body: page };
  }
}

/** A checkout may be without it, and an installation may have lost it. */
export const DOCUMENTATION_NOT_BUILT = {
  message: 'The documentation is missing.',
  advice: 'Install Tabularium again; in a repository, run "npm run docs".',
} as const;

function notBuilt(): DocumentationAnswer {
  const { message, advice } = DOCUMENTATION_NOT_BUILT;
  return { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${message} ${advice}\n` };
}
