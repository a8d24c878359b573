import MiniSearch from 'minisearch';
import type { SearchOptions } from 'minisearch';
import { SEARCH_OPTIONS } from './searchOptions.ts';
import type { SearchFile, SearchedSection } from './searchOptions.ts';

/** A section that was found. */
export interface Hit {
  /** Relative to the site. */
  readonly address: string;
  readonly title: string;
  /** Empty: the page before its first heading. */
  readonly heading: string;
  readonly text: string;
  /** The words of the section that were looked for, in small letters. */
  readonly words: readonly string[];
}

const MOST_HITS = 12;
const LEAST_FUZZY_LETTERS = 5;
const FUZZY_SHARE = 0.2;
const BOOST = { title: 4, heading: 3 };
/** Guides come before decisions: most people look for how something is done. */
const WEIGHTS: readonly (readonly [folder: string, weight: number])[] = [
  ['guide/', 1.6],
  ['reference/sdk/', 0.7],
  ['reference/', 1],
  ['decisions/', 0.5],
  ['project/changelog', 0.4],
];

/** The search over titles, headings and text of all pages. */
export class SiteSearch {
  readonly #file: SearchFile;
  readonly #index: MiniSearch<SearchedSection>;

  constructor(file: SearchFile) {
    this.#file = file;
    this.#index = MiniSearch.loadJS<SearchedSection>(file.index as Parameters<typeof MiniSearch.loadJS>[0], SEARCH_OPTIONS);
  }

  /** The best sections with all words of a text, of which the last may be unfinished. Where there is none, the words may be misspelt. */
  find(text: string): readonly Hit[] {
    const options: SearchOptions = {
      combineWith: 'AND',
      prefix: (_word, at, words) => at === words.length - 1,
      boost: BOOST,
      boostDocument: (id) => this.#weight(Number(id)),
    };
    const exact = this.#index.search(text, options);
    const fuzzy = (word: string): number | false => (word.length < LEAST_FUZZY_LETTERS ? false : FUZZY_SHARE);
    const found = exact.length > 0 ? exact : this.#index.search(text, { ...options, prefix: true, fuzzy });
    return found.slice(0, MOST_HITS).flatMap(({ id, terms }) => this.#hit(Number(id), terms));
  }

  #hit(id: number, words: readonly string[]): Hit[] {
    const section = this.#file.sections[id];
    const page = this.#file.pages[section?.[0] ?? -1];
    if (section === undefined || page === undefined) return [];
    const [, anchor, heading, text] = section;
    const [path, title] = page;
    return [{ address: anchor === '' ? path : `${path}#${anchor}`, title, heading, text, words }];
  }

  #weight(id: number): number {
    const path = this.#file.pages[this.#file.sections[id]?.[0] ?? -1]?.[0] ?? '';
    return WEIGHTS.find(([folder]) => path.startsWith(folder))?.[1] ?? 1;
  }
}
