import type { ErrorRule } from './errorRule.ts';

/** Keys, presets, stopwords, synonyms, curation rules, analytics and models. */
export const objectRules: readonly ErrorRule[] = [
  {
    id: 'keyExists',
    when: /^API key generation conflict/s,
    code: 'CONFLICT',
    message: 'The server already has a key with this value.',
    advice: 'Leave “value” away: then the server makes one.',
  },
  {
    id: 'keyMember',
    when: /^Could not find a `(.*)` key\./s,
    code: 'INVALID_INPUT',
    message: 'The new key has no “$1”.',
    advice: 'Send description, actions and collections.',
  },
  {
    id: 'keyFormat',
    when: /^Wrong format for `/s,
    code: 'INVALID_INPUT',
    advice: 'Send actions and collections as lists of texts, and expires_at as seconds since 1970.',
  },
  {
    id: 'noStopwords',
    when: /^Stopword `(.*)` not found/s,
    code: 'NOT_FOUND',
    message: 'There is no stopword set “$1”.',
    advice: 'See GET /stopwords for those that exist.',
  },
  {
    id: 'noOverride',
    when: /^override (.*) not found/s,
    code: 'NOT_FOUND',
    message: 'The collection has no curation rule “$1”.',
    advice: 'See the list of overrides of the collection.',
  },
  {
    id: 'noId',
    when: /^Could not find that `id`/s,
    code: 'NOT_FOUND',
    message: 'Nothing here has this id.',
    advice: 'Look at the list for the ids that exist.',
  },
  {
    id: 'noModel',
    when: /^Model not found/s,
    code: 'NOT_FOUND',
    advice: 'See GET /conversations/models or GET /nl_search_models for those that exist.',
  },
  {
    id: 'noRule',
    when: /^Rule not found|^No analytics rule defined/s,
    code: 'NOT_FOUND',
    advice: 'See GET /analytics/rules for those that exist.',
  },
  {
    id: 'ruleExists',
    when: /^Rule already exists|^There's already another configuration/s,
    code: 'CONFLICT',
    advice: 'Choose another name or destination, or change that rule.',
  },
  {
    id: 'noRuleCollection',
    when: /^Collection (.*) does not exist|^Destination collection does not exist/s,
    code: 'NOT_FOUND',
    advice: 'Create the collection first, or name another one.',
  },
  {
    id: 'badAnalytics',
    when: /^(?:Bad or missing|Invalid type|Must contain a valid list|Request payload contains|(?:Name|Event type|Destination collection) is required|Event type or type|Limit should be|Rule (?:collection|type) cannot|N cannot be|Missing required parameter|key `.*` not found|name is required)/s,
    code: 'INVALID_INPUT',
    advice: 'Correct the analytics rule or event. Their form changed with version 30.0.',
  },
  {
    id: 'badCuration',
    when: /^(?:Missing `rule`|The `rule` definition|Must contain one of|Only one of `replace_query`|Inclusion|Exclusion|The `(?:includes|excludes|tags|metadata|filter_by|remove_matched_tokens|stop_processing)` (?:value )?must be|Curation `id`|Invalid `diversity`|`method` not found)/s,
    code: 'INVALID_INPUT',
    advice: 'Correct the curation rule as the message says.',
  },
  {
    id: 'badSynonyms',
    when: /^(?:Could not find (?:an array|a valid string array) of `synonyms`|Key `root`|Synonym `|Missing or invalid 'items'|Missing `id` field)/s,
    code: 'INVALID_INPUT',
    advice: 'Send an id and a list of texts as “synonyms”; a set has its rules as “items”.',
  },
  {
    id: 'badDictionary',
    when: /^(?:Invalid dictionary format|dictionary lines should contain)/s,
    code: 'INVALID_INPUT',
    advice: 'Send one object a line, such as {"word": "mice", "root": "mouse"}.',
  },
  {
    id: 'badParameter',
    when: /^Parameter `(.*)` (?:is required|must be|should be)/s,
    code: 'INVALID_INPUT',
    advice: 'Add the parameter in the form that the message names.',
  },
  {
    id: 'badRequest',
    when: /^(?:Bad request|Missing required fields)\.?$/s,
    code: 'INVALID_INPUT',
    message: 'The server cannot read the request: a value is missing or has the wrong type.',
    advice: 'Compare the path and the body with the server’s reference.',
  },
];
