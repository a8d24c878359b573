import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS } from './page/searchOptions.ts';
import type { SearchFile, SearchedSection } from './page/searchOptions.ts';
import type { SitePage } from './sitePage.ts';

/** A section is shown by what is around the words that were found; a longer one is searched as a whole and shown from its beginning. */
const SHOWN_CHARACTERS = 2_000;

/** The file that the search of the site reads: every section of every page, and the index of their words. */
export function searchFile(pages: readonly SitePage[]): SearchFile {
  const searched: SearchedSection[] = [];
  const sections: SearchFile['sections'][number][] = [];
  pages.forEach((page, at) => {
    for (const { heading, text } of page.sections) {
      if (heading === undefined && text === '' && !page.isList) continue;
      searched.push({ id: sections.length, title: page.title, heading: heading?.text ?? '', text });
      sections.push([at, heading?.anchor ?? '', heading?.text ?? '', text.slice(0, SHOWN_CHARACTERS)]);
    }
  });
  const index = new MiniSearch(SEARCH_OPTIONS);
  index.addAll(searched);
  return { pages: pages.map(({ path, title }) => [path, title] as const), sections, index: index.toJSON() };
}
