import { posix } from 'node:path';
import { relativeAddress } from './linkResolver.ts';
import { escapeHtml } from './markdownRules.ts';
import type { SitePage } from './sitePage.ts';

/** A folder without a page of its own about its content: it gets a list of its pages. */
export interface FolderList {
  /** Relative to the site. */
  readonly path: string;
  /** Relative to the repository. */
  readonly folder: string;
  readonly title: string;
}

const TITLES: ReadonlyMap<string, string> = new Map([
  ['guide', 'Guides'],
  ['reference', 'Reference'],
  ['decisions', 'Decisions'],
  ['security', 'Security'],
  ['examples', 'Examples'],
  ['project', 'The project'],
]);

/** The folders that need a list, of the paths of all pages. */
export function folderLists(paths: readonly string[]): readonly FolderList[] {
  const folders = new Set(paths.flatMap(foldersAbove));
  return [...folders]
    .filter((folder) => !paths.includes(`${folder}/index.html`))
    .sort()
    .map((folder) => ({
      path: `${folder}/index.html`,
      folder: `docs/${folder}`,
      title: TITLES.get(folder) ?? posix.basename(folder),
    }));
}

/** The list as a page: the pages in the folder, and the first ones of the folders in it. */
export function listPage({ path, title }: FolderList, pages: readonly SitePage[]): SitePage {
  const folder = posix.dirname(path);
  const listed = pages.filter((page) => {
    const parent = posix.dirname(page.path);
    return parent === folder || (posix.basename(page.path) === 'index.html' && posix.dirname(parent) === folder);
  });
  const items = listed.map((page) => `<li><a href="${relativeAddress(path, page.path)}">${escapeHtml(page.title)}</a></li>`);
  return {
    path,
    title,
    isList: true,
    html: `<h1 id="list">${escapeHtml(title)}</h1>\n<ul>\n${items.join('\n')}\n</ul>\n`,
    headings: [],
    sections: [{ heading: undefined, text: '', links: listed.map((page) => page.path) }],
  };
}

function foldersAbove(path: string): string[] {
  const parent = posix.dirname(path);
  return parent === '.' ? [] : [...foldersAbove(parent), parent];
}
