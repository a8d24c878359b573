/** Collections of one search at most: each is searched one after the other, and each is one of the searches that a request may have. */
export const MOST_COLLECTIONS = 10;

/** Versions whose searches of several collections rank the hits together. */
export const SINCE_UNION = { since: 28 };

/**
 * Versions that leave hits out of a search of several collections unless they are asked not to: 30.0-dev takes documents of two collections for one where
 * their ids are equal, and not for all of them (seen: 118 of 120 hits).
 */
export const SINCE_REMOVED_DUPLICATES = { since: 30 };
