/** Operators, types and functions that the words of SQL call by another name than the catalogue, so that the text does not show them. */

const EQUALS = ['='];
const ORDER = ['<', '<=', '>', '>='];

/** Operators that a statement calls by a word. As the server's grammar has it; each is looked up along the search path. */
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  LIKE: ['~~', '!~~'],
  ILIKE: ['~~*', '!~~*'],
  SIMILAR: ['~', '!~'],
  IN: ['=', '<>'],
  BETWEEN: ORDER,
  NULLIF: EQUALS,
  CASE: EQUALS,
  DISTINCT: EQUALS,
  USING: EQUALS,
  NATURAL: EQUALS,
};

/** Functions that the server's grammar calls for a word. It takes them from the schema of the server, where an administrator may have added some for other types. */
const FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  AT: ['timezone'],
  COLLATION: ['pg_collation_for'],
  ESCAPE: ['like_escape', 'similar_to_escape'],
  EXTRACT: ['date_part'],
  NORMALIZED: ['is_normalized'],
  OVERLAPS: ['overlaps'],
  SIMILAR: ['similar_to_escape'],
  TRIM: ['btrim', 'ltrim', 'rtrim'],
};

const CHARACTERS = ['bpchar', 'varchar'];

/** Types that SQL calls by another name than the catalogue. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  INT: ['int4'],
  INTEGER: ['int4'],
  SMALLINT: ['int2'],
  BIGINT: ['int8'],
  REAL: ['float4'],
  FLOAT: ['float4', 'float8'],
  DOUBLE: ['float8'],
  DEC: ['numeric'],
  DECIMAL: ['numeric'],
  BOOLEAN: ['bool'],
  CHAR: [...CHARACTERS, 'char'],
  CHARACTER: CHARACTERS,
  NCHAR: CHARACTERS,
  NATIONAL: CHARACTERS,
  BIT: ['varbit'],
  TIME: ['timetz'],
  TIMESTAMP: ['timestamptz'],
};

function namesFor(map: Readonly<Record<string, readonly string[]>>, word: string): readonly string[] {
  return (Object.hasOwn(map, word) ? map[word] : undefined) ?? [];
}

/** @param word - a keyword in capitals */
export function impliedOperators(word: string): readonly string[] {
  return namesFor(OPERATORS, word);
}

/** @param word - a keyword in capitals */
export function impliedTypes(word: string): readonly string[] {
  return namesFor(TYPES, word);
}

/** @param word - a keyword in capitals */
export function impliedFunctions(word: string): readonly string[] {
  return namesFor(FUNCTIONS, word);
}
