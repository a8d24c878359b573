import { posix } from 'node:path';
import type { SitePage } from './sitePage.ts';

/** A page in the navigation, with the pages of its folder where it is the folder's first. */
export interface NavigationEntry {
  readonly page: SitePage;
  readonly below: readonly SitePage[];
}

export interface NavigationGroup {
  readonly title: string;
  readonly entries: readonly NavigationEntry[];
}

/** The page that the site begins with. */
export const START_PATH = 'index.html';

/** The group of the pages that the start page does not link. */
const REST = 'More';

/**
 * The navigation of the site, as its start page orders it: a group for each of its sections. The first section lists tasks, whose pages are in the
 * others too. A page that begins a folder has the folder's other pages below it. What is left makes a group at the end, so every page has a place.
 */
export function navigation(pages: readonly SitePage[]): readonly NavigationGroup[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const placed = new Set([START_PATH]);
  const [, , ...sections] = byPath.get(START_PATH)?.sections ?? [];
  const linked = sections.map(({ heading, links }) => ({
    title: heading?.text ?? '',
    linked: links.flatMap((path) => {
      const page = byPath.get(path);
      if (page === undefined || placed.has(path)) return [];
      placed.add(path);
      return [page];
    }),
  }));
  const below = (first: SitePage): SitePage[] => {
    if (posix.basename(first.path) !== 'index.html') return [];
    const found = pages.filter(({ path, isList }) => !isList && !placed.has(path) && isIn(path, first.path));
    for (const { path } of found) placed.add(path);
    return inOrderOf(first, found);
  };
  const groups = linked.map(({ title, linked: entries }) => ({
    title,
    entries: entries.map((page) => ({ page, below: below(page) })),
  }));
  const rest = pages.filter(({ path, isList }) => !isList && !placed.has(path)).map((page) => ({ page, below: [] }));
  return [...groups, { title: REST, entries: rest }].filter(({ entries }) => entries.length > 0);
}

function isIn(path: string, first: string): boolean {
  return path !== first && path.startsWith(`${posix.dirname(first)}/`);
}

/** The pages in the order in which another one links them; those that it doesn't link come last. */
function inOrderOf({ sections }: SitePage, pages: readonly SitePage[]): SitePage[] {
  const links = sections.flatMap((section) => section.links);
  const place = ({ path }: SitePage): number => (links.includes(path) ? links.indexOf(path) : links.length);
  return pages.toSorted((a, b) => place(a) - place(b));
}

/** All pages in the order of the navigation: the one before and the one after a page are its neighbours. */
export function readingOrder(groups: readonly NavigationGroup[]): readonly SitePage[] {
  return groups.flatMap(({ entries }) => entries.flatMap(({ page, below }) => [page, ...below]));
}
