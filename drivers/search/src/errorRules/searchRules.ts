import type { ErrorRule } from './errorRule.ts';

/** The rejection of more hits than one search may have; its group is the limit. */
export const TOO_MANY_HITS = /^Only up ?to (\d+) hits can be fetched/s;

/** The rejection of more searches than one request may have. It names no limit. */
export const TOO_MANY_SEARCHES = /^Number of multi searches exceeds/s;

const SORT = 'Write field:asc or field:desc, for a place place(48.85, 2.35):asc, at most three of them.';
const UNION = 'Let all searches of a union sort by as many fields, of the same types and in the same order.';
const VECTOR = 'Write it as field:([0.1, 0.2], k: 10), with as many numbers as the field’s num_dim.';

export const searchRules: readonly ErrorRule[] = [
  {
    when: /^Could not find a field named `(.*)` in the schema for sorting/s,
    code: 'STRUCTURE_CHANGED',
    message: 'The collection cannot be sorted by “$1”.',
    advice: 'Sort by another field, or create the field with “sort”, then reload the structure.',
  },
  {
    when: /^Only up ?to (\d+) sort fields are allowed/s,
    code: 'INVALID_INPUT',
    message: 'The server sorts by at most $1 fields.',
    advice: 'Remove the least important fields from sort_by.',
  },
  {
    when: /^sort_by vector_distance is only supported|^group_by parameters should not be empty when using sort_by/s,
    code: 'INVALID_INPUT',
    advice: 'Sort by another field, or add the parameter that the message names.',
  },
  {
    when: /^Parameter `sort_by` is malformed|^Order for field|^Bad syntax for sorting field|^Sort field's parameter|^sort_by: |eval expression|_text_match|^Only positive integer seed/s,
    code: 'INVALID_INPUT',
    advice: SORT,
  },
  {
    when: /^Could not find a facet field named `(.*)` in the schema/s,
    code: 'STRUCTURE_CHANGED',
    message: 'The collection has no facet “$1”.',
    advice: 'Create the field with “facet”, or count the values of another field.',
  },
  {
    when: /^Group by field `(.*)` should be a facet field/s,
    code: 'INVALID_INPUT',
    message: 'The server groups by facets only, and “$1” isn’t one.',
    advice: 'Create the field with “facet”, or group by another field.',
  },
  {
    when: /^Value of `group_limit` must be between 1 and (\d+)/s,
    code: 'INVALID_INPUT',
    message: 'A group has 1 to $1 documents on this server.',
    advice: 'Send a group_limit in that range, or raise --max-group-limit of the server (29.0 and later).',
  },
  {
    when: /^Facet query |^Invalid facet index type|^Value of `facet_sample_percent`/s,
    code: 'INVALID_INPUT',
    advice: 'Correct the facet parameters: facet_query is field:text with a field of facet_by.',
  },
  {
    when: TOO_MANY_HITS,
    code: 'INVALID_INPUT',
    message: 'The server gives at most $1 documents for one search.',
    advice: 'Page with “offset” and “limit”, or put several searches into one POST /multi_search.',
  },
  {
    when: /^Parameter `(.*)` must be an unsigned integer/s,
    code: 'INVALID_INPUT',
    message: 'The parameter “$1” isn’t a whole number from 0 to 4294967295.',
    advice: 'Send digits only.',
  },
  {
    when: /^Query string exceeds max allowed length of (\d+)/s,
    code: 'INVALID_INPUT',
    message: 'The query of the search is longer than $1 characters.',
    advice: 'Send the search as POST /multi_search, which has no limit of length.',
  },
  {
    when: /^No search fields specified for the query/s,
    code: 'INVALID_INPUT',
    message: 'The search has a text and no fields to look in.',
    advice: 'Add query_by with one or more text fields, or search for * to get all documents.',
  },
  {
    when: /^Parameter `q` is required/s,
    code: 'INVALID_INPUT',
    message: 'The search has no “q”.',
    advice: 'Add q with the text to look for, or * for all documents.',
  },
  {
    when: /^Field `(.*)` should be a string or a string array/s,
    code: 'INVALID_INPUT',
    message: 'The server looks for words in texts only, and “$1” isn’t one.',
    advice: 'Name text fields in query_by, and filter by the others.',
  },
  {
    when: /^Field `(.*)` is marked as a non-indexed field/s,
    code: 'UNSUPPORTED',
    message: 'The field “$1” is not indexed, so the server cannot search it.',
    advice: 'Name another field in query_by.',
  },
  {
    when: /^Vector field `(.*)` is not an auto-embedding field/s,
    code: 'INVALID_INPUT',
    message: 'The field “$1” is a vector without a model, so a text cannot be looked for in it.',
    advice: 'Search near a vector with vector_query.',
  },
  {
    when: /^Number of .* does not match number of `query_by` fields/s,
    code: 'INVALID_INPUT',
    advice: 'Send one value, or one for each field of query_by, in the same order.',
  },
  {
    when: /^Could not find `(.*)` in the infix index/s,
    code: 'INVALID_INPUT',
    message: 'The field “$1” has no index for text inside words.',
    advice: 'Create the field with “infix”, or search without the parameter infix.',
  },
  {
    when: /^Invalid format for drop tokens mode/s,
    code: 'INVALID_INPUT',
    advice: 'Send left_to_right, right_to_left or both_sides:3.',
  },
  {
    when: /^Pinned hits/s,
    code: 'INVALID_INPUT',
    advice: 'Write pinned_hits as id:position with positions from 1 on, such as 12:1,34:2.',
  },
  {
    when: /^Could not find the stopword set named `(.*)`/s,
    code: 'NOT_FOUND',
    message: 'There is no stopword set “$1”.',
    advice: 'See GET /stopwords for those that exist.',
  },
  {
    when: /^Conversation is enabled but|^Voice query is not enabled|^Personalization is not allowed/s,
    code: 'INVALID_INPUT',
    advice: 'Add what the message names, or search without the parameter.',
  },
  {
    when: /^Invalid reference `.*` in include_fields/s,
    code: 'INVALID_INPUT',
    advice: 'Write $collection(field, field) with both brackets.',
  },
  {
    when: TOO_MANY_SEARCHES,
    code: 'INVALID_INPUT',
    message: 'The request has more searches than the server allows in one.',
    advice:
      'Send at most 50, or set another limit with ?limit_multi_searches=…. Where the API key sets the limit, request fewer rows or use another key.',
  },
  {
    when: /^Missing `searches` array|^The value of `searches` must be|^Embedded params parsing error/s,
    code: 'INVALID_INPUT',
    message: 'The request has no list of searches, or an empty one.',
    advice: 'Send {"searches": […]} with at least one object.',
  },
  {
    when: /^One or more search parameters are malformed/s,
    code: 'INVALID_INPUT',
    message: 'A parameter of a search is a list, an object or null.',
    advice: 'Send each parameter as text, number, true or false; a list as text with commas.',
  },
  {
    when: /^Expected (?:size|type|order) of .*sort_by/s,
    code: 'INVALID_INPUT',
    advice: UNION,
  },
  {
    when: /^Invalid group_by searches count/s,
    code: 'INVALID_INPUT',
    message: 'Some searches of the union have group_by, and others don’t.',
    advice: 'Let all of them group, or none.',
  },
  {
    when: /^`(.*)` collection not found/s,
    code: 'NOT_FOUND',
    message: 'There is no collection “$1”.',
    advice: 'Use the name of a collection on this server.',
  },
  {
    when: /^Query field `(.*)` must have .* dimensions/s,
    code: 'INVALID_INPUT',
    advice: VECTOR,
  },
  {
    when: /^Malformed vector query string|^When a vector query value is empty|^`queries` parameter is only supported/s,
    code: 'INVALID_INPUT',
    advice: VECTOR,
  },
  {
    when: /^Field `(.*)` does not have a vector query index/s,
    code: 'INVALID_INPUT',
    message: 'The collection has no vector field “$1”.',
    advice: 'Use a field of the type float[] with num_dim.',
  },
  {
    when: /^Document id referenced in vector query is not found/s,
    code: 'NOT_FOUND',
    message: 'The document that the vector query names doesn’t exist.',
    advice: 'Use the id of a document that has a vector, or write the vector itself.',
  },
  {
    when: /^Synonym index not found/s,
    code: 'NOT_FOUND',
    message: 'The synonym set doesn’t exist. A collection that still names it rejects every search.',
    advice: 'Create the set again with PUT /synonym_sets/…, or take it off the collection’s synonym_sets.',
  },
  {
    when: /^Curation index not found/s,
    code: 'NOT_FOUND',
    message: 'The curation set doesn’t exist.',
    advice: 'See GET /curation_sets for those that exist.',
  },
  {
    when: /^Could not find a field named `(.*)` in the schema/s,
    code: 'STRUCTURE_CHANGED',
    message: 'The collection has no field “$1”.',
    advice: 'Reload the structure and use a field that it lists.',
  },
];
