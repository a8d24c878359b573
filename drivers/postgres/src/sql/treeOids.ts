/** The first oid of what SQL makes, the views and domains of the server's own included. All before it is part of the server's program. */
export const MADE_BY_SQL = '12000::pg_catalog.oid';

/** The functions and operators that a stored tree calls. */
export const CALLED = ':(?:funcid|opfuncid|aggfnoid|winfnoid|hashfuncid) ([0-9]+)';

/** A field with a number and its name, or a list of oids, up to the last that SQL may have made. Constants are bytes in brackets. A pattern that looks for any number takes a hundred times as long in a large view. */
const NUMBERS = '(?::([A-Za-z0-9_]+) |[(]o )([0-9 ]*[0-9]{5,10})';

/** Fields that have places in a text, lengths and type modifiers, which may be as large. */
const NO_OIDS = '(?:location|len|typmod|_start|_end)$';

/**
 * A query of all that a stored tree may name: functions, operators, types, relations, operator families. Each release has fields of its own for them, so every number counts that may be the oid of
 * something that SQL made.
 */
export const oidsIn = (tree: string): string => `
  SELECT DISTINCT k.number::pg_catalog.oid
  FROM pg_catalog.regexp_matches(${tree}, '${NUMBERS}', 'g') AS m (found), pg_catalog.unnest(pg_catalog.string_to_array(m.found[2], ' ')::pg_catalog.int8[]) AS k (number)
  WHERE k.number BETWEEN 12000 AND 4294967295 AND (m.found[1] IS NULL OR m.found[1] !~ '${NO_OIDS}')`;
