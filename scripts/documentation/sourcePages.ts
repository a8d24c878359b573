import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A file of Markdown that becomes a page. Both paths have forward slashes. */
export interface SourcePage {
  /** Relative to the repository. */
  readonly file: string;
  /** Relative to the site. */
  readonly path: string;
  readonly markdown: string;
}

/** Pages at the root of the repository, which the documentation links. Others there are for tools. */
const ROOT_PAGES = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'REVIEW.md', 'SECURITY.md'];
const ROOT_FOLDER = 'project';

/** A folder is opened by its read-me, so that a page of the name that servers open is called otherwise. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['README', 'index'],
  ['index', 'main'],
]);

/** Where a page of the repository is in the site: `docs/guide/window/README.md` is `guide/window/index.html`. */
function sitePath(file: string): string {
  if (!file.startsWith('docs/')) return `${ROOT_FOLDER}/${file.slice(0, -'.md'.length).toLowerCase()}.html`;
  const below = file.slice('docs/'.length);
  const name = posix.basename(below, '.md');
  return posix.join(posix.dirname(below), `${NAMES.get(name) ?? name}.html`);
}

/** The files of all pages, relative to the repository: those at the root, then the others in the order of their paths. */
export function sourceFiles(root: string): readonly string[] {
  const files = globSync('docs/**/*.md', { cwd: root, exclude: ['**/node_modules/**'] }).map((file) =>
    file.replaceAll('\\', '/'),
  );
  return [...ROOT_PAGES, ...files.sort()];
}

/** All pages of the documentation. */
export function sourcePages(root: string): readonly SourcePage[] {
  return sourceFiles(root).map((file) => ({
    file,
    path: sitePath(file),
    markdown: readFileSync(join(root, file), 'utf8'),
  }));
}
