import type { Options } from 'minisearch';

/** A place that a search can find: a section of a page. */
export interface SearchedSection {
  /** Its place in the list of all. */
  readonly id: number;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

/** How the index is made by the build and read by the page: both take these. */
export const SEARCH_OPTIONS: Options<SearchedSection> = {
  fields: ['title', 'heading', 'text'],
  storeFields: [],
};

/** The file of the search, beside the index: `[page, anchor, heading, text]` for each section, by its id. */
export interface SearchFile {
  /** `[path, title]` of each page. */
  readonly pages: readonly (readonly [string, string])[];
  readonly sections: readonly (readonly [page: number, anchor: string, heading: string, text: string])[];
  readonly index: unknown;
}
