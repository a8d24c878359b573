import type { ErrorRule } from './errorRule.ts';

/** The rejection of a value in which the server finds no word; its group is the field. */
export const NO_WORD = /^Error with filter field `(.*)`: Filter value cannot be empty/s;

const SYNTAX = 'Correct the filter; its raw part must be in the server’s own syntax, such as price:>10 && tags:=[`new`].';
const WHOLE_NUMBER = 'Send a whole number that the field’s type can hold.';
const NUMBER = 'Enter a number, a comparison such as >10, or a range such as [1..5].';
const PLACE = 'Write latitude, longitude and radius, such as (48.85, 2.35, 5 km), or at least three corners.';

export const filterRules: readonly ErrorRule[] = [
  {
    when: /^Could not find a filter field named `(.*)` in the schema/s,
    code: 'STRUCTURE_CHANGED',
    message: 'The collection has no field “$1” to filter by.',
    advice: 'Reload the structure: a field of an auto-schema collection exists only after a document has brought it.',
  },
  {
    when: /^Cannot filter on non-indexed field `(.*)`/s,
    code: 'UNSUPPORTED',
    message: 'The field “$1” is not indexed, so the server cannot filter by it.',
    advice: 'Filter by another field.',
  },
  {
    when: /^Cannot filter on vector field `(.*)`/s,
    code: 'UNSUPPORTED',
    message: 'The field “$1” is a vector, so the server cannot filter by it.',
    advice: 'Filter by another field, or search near a vector with vector_query.',
  },
  {
    when: /^Error with filter field `(.*)`: Unidentified field data type/s,
    code: 'UNSUPPORTED',
    message: 'The field “$1” is an object, so the server cannot filter by it.',
    advice: 'Filter by a field inside it, such as name.first.',
  },
  {
    when: /^`filter_by` has too many operations\. Maximum allowed: (\d+)/s,
    code: 'INVALID_INPUT',
    message: 'The filter has too many conditions: the server allows $1 operations, and each && and || is one too.',
    advice:
      'Write values of one field as a list, which is one operation, or raise --filter-by-max-ops of the server (27.1 and later).',
  },
  {
    when: NO_WORD,
    code: 'INVALID_INPUT',
    message: 'The server found no word in the value for “$1”.',
    advice:
      'Filter by a value with letters or digits. For Chinese, Japanese, Korean or Thai, the field needs its locale in the schema.',
  },
  {
    when: /^Error with filter field `(.*)`: (?:Numerical field has an invalid comparator|Not a float)/s,
    code: 'INVALID_INPUT',
    message: 'The filter on “$1” holds a value that isn’t a number.',
    advice: NUMBER,
  },
  {
    when: /^Error with filter field `.*`: (?:Not an int(?:32|64)|.*exceeds the range of an int)/s,
    code: 'INVALID_INPUT',
    advice: WHOLE_NUMBER,
  },
  {
    when: /^Values? of filter field `(.*?)`:? must be `true` or `false`/s,
    code: 'INVALID_INPUT',
    message: 'The filter on “$1” holds a value that is neither true nor false.',
    advice: 'Enter true or false.',
  },
  {
    when: /^Value of filter field `(.*)`: must be in the `\(/s,
    code: 'INVALID_INPUT',
    message: 'The filter on the place “$1” is not in the server’s form.',
    advice: PLACE,
  },
  {
    when: /^Could not parse the geopoint filter|^Polygon is invalid|^Unit must be either/s,
    code: 'INVALID_INPUT',
    advice: PLACE,
  },
  {
    when: /^Referenced collection `(.*)`(?: in `.*`)? not found/s,
    code: 'NOT_FOUND',
    message: 'The request joins the collection “$1”, which doesn’t exist.',
    advice: 'Use the name of a collection on this server.',
  },
  {
    when: /^Failed to join on `(.*)`: No reference field found/s,
    code: 'INVALID_INPUT',
    message: 'The collection and “$1” can’t be joined: no field of one refers to the other.',
    advice: 'Create a field with “reference” in one of them.',
  },
  {
    when: /^Failed to join on|^Could not parse the reference filter/s,
    code: 'INVALID_INPUT',
    advice: 'Correct the filter inside $collection(…): it is on the fields of that collection.',
  },
  {
    when: /^Could not parse the filter|^Error with filter field|^Values? of filter field|^Filter query cannot be empty/s,
    code: 'INVALID_INPUT',
    advice: SYNTAX,
  },
];
