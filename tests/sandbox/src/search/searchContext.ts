import type { CurationRule } from '../curation/rule.ts';
import type { Synonym } from '../synonyms/synonym.ts';

/** The data of a collection besides its documents that searches work on. */
export interface SearchContext {
  /** In the order of their ids. */
  readonly rules: readonly CurationRule[];
  readonly synonyms: readonly Synonym[];
  /** The sets there are, by name. */
  readonly stopwords?: ReadonlyMap<string, unknown>;
  /** A search without `q` searches for nothing in particular instead of being refused. */
  readonly assumesQuery?: boolean;
}

export const NO_CONTEXT: SearchContext = { rules: [], synonyms: [] };
