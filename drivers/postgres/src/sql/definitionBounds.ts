/** Bytes of the stored queries of views, policies, rules and defaults that one question reads. The server says how long each is without unpacking it. */
export const MOST_STORED = 16 * 1024 * 1024;
/** Bytes of trees and bodies in one answer. */
const MOST_ANSWERED = 4 * 1024 * 1024;
/** In place of what a statement calls by more than that. */
export const TOO_MUCH_TEXT = 'more text of definitions than can be looked at';

/** Whether the trees of a query are more than one question reads. Somebody can make a view of a gigabyte. @param trees - its name */
export const sizeOf = (trees: string): string =>
  `definitions (are_large) AS MATERIALIZED (SELECT COALESCE(pg_catalog.sum(pg_catalog.octet_length(d.tree)) > ${MOST_STORED}, false) FROM ${trees} d)`;

/** The condition that trees are read. */
export const ARE_READ = 'NOT (SELECT d.are_large FROM definitions d)';

/** A row about calls, where they aren't. */
export const NOT_READ = `
  SELECT '${TOO_MUCH_TEXT}', NULL::pg_catalog.text, NULL::pg_catalog.text, NULL::pg_catalog.text FROM definitions d WHERE d.are_large`;

/** Whether the bodies of a function are few enough to be followed. @param sources - their list */
export const isShort = (sources: string): string => `pg_catalog.octet_length(${sources}) <= ${MOST_ANSWERED}`;

/** An answer about calls, or one row in its place where it would be too long to be sent. @param found - the query */
export const answered = (found: string): string => `
SELECT CASE WHEN a.is_short THEN a.what ELSE '${TOO_MUCH_TEXT}' END, CASE WHEN a.is_short THEN a.tree END, CASE WHEN a.is_short THEN a.called END, CASE WHEN a.is_short THEN a.sources END
FROM (
  SELECT f.*, pg_catalog.row_number() OVER () AS place,
    pg_catalog.sum(COALESCE(pg_catalog.octet_length(f.tree), 0) + COALESCE(pg_catalog.octet_length(f.sources), 0)) OVER () <= ${MOST_ANSWERED} AS is_short
  FROM (${found}) f
) a WHERE a.is_short OR a.place = 1`;
