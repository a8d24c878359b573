/** Collections of one search at most: each is searched one after the other, and each is one of the searches that a request may have. */
export const MOST_COLLECTIONS = 10;

/** Versions whose searches of several collections rank the hits together. */
export const SINCE_UNION = { since: 28 };
