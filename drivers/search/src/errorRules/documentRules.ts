import type { ErrorRule } from './errorRule.ts';

/** Writing documents, alone and in imports. */
export const documentRules: readonly ErrorRule[] = [
  {
    when: /^Rejecting write: .*OUT_OF_DISK/s,
    code: 'SERVER_ERROR',
    message: 'The server rejects writes because its disk is almost full.',
    advice: 'Free disk space on the server, or raise its --disk-used-max-percentage. Reading still works.',
    source: 'Seen on 29.0 and 30.0-dev with a full disk, which no recording can show.',
  },
  {
    when: /^Rejecting write: .*OUT_OF_MEMORY/s,
    code: 'SERVER_ERROR',
    message: 'The server rejects writes because its memory is almost full.',
    advice: 'Give the server more memory, delete data, or raise its --memory-used-max-percentage. Reading still works.',
    source: 'Follows from the text for a full disk; the server’s reference names both options.',
  },
  {
    when: /^Could not find a document with id: (.*)/s,
    code: 'NOT_FOUND',
    message: 'The collection has no document with the id “$1”.',
    advice: 'Reload: somebody may have deleted it.',
  },
  {
    when: /^A document with id (.*) already exists/s,
    code: 'CONFLICT',
    message: 'A document with the id “$1” already exists.',
    advice: 'Choose another id, change that document, or send ?action=upsert, which replaces it.',
  },
  {
    when: /must be an int(?:32|64)\b/s,
    code: 'INVALID_INPUT',
    advice: 'Send a whole number that the field’s type can hold.',
  },
  {
    when: /^Field `(.*)` has been declared (?:in the schema|as a default sorting field), but is not found in the document\./s,
    code: 'INVALID_INPUT',
    message: 'The document has no “$1”, and the field isn’t optional.',
    advice: 'Add a value for it.',
  },
  {
    when: /^Field `.*` must be (?:a|an) |^Field `.*` must have \d+ dimensions|^Field `.*` has an incorrect type|^Type of field `.*` is invalid/s,
    code: 'INVALID_INPUT',
    advice: 'Send a value of the type that the field has in the schema.',
  },
  {
    when: /^Document's `id` field should be a string|^The `id` should not be empty/s,
    code: 'INVALID_INPUT',
    advice: 'Send an id that is a text with at least one character, or none: then the server chooses one.',
  },
  {
    when: /^The `id` of the resource does not match/s,
    code: 'INVALID_INPUT',
    message: 'The document has another id than the path, and an id can’t be changed.',
    advice: 'Leave the id away, or insert a document with the new id and delete this one.',
  },
  {
    when: /^Bad JSON: \[json\.exception\.out_of_range/s,
    code: 'INVALID_INPUT',
    message: 'The body has a number that is too large.',
    advice: 'Send a smaller number, or send it as text.',
  },
  {
    when: /^Bad JSON: not a properly formed document/s,
    code: 'INVALID_INPUT',
    message: 'The body isn’t a JSON object.',
    advice: 'Send one object in braces; several documents go to …/documents/import, one a line.',
  },
  {
    when: /^Bad JSON/s,
    code: 'INVALID_INPUT',
    message: 'The body isn’t valid JSON.',
    advice: 'Correct the body; in an import each line is one whole document.',
  },
  {
    when: /^Reference document having `(.*)` not found in the collection `.*`/s,
    code: 'INVALID_INPUT',
    advice: 'Insert the document that this one refers to first.',
  },
  {
    when: /^Parameter `action` must be a/s,
    code: 'INVALID_INPUT',
    message: 'The parameter “action” has a value that the server doesn’t have.',
    advice: 'Send create, update, upsert or emplace.',
  },
  {
    when: /^Parameter `filter_by` must be provided/s,
    code: 'INVALID_INPUT',
    message: 'The request would reach every document, and has no filter.',
    advice: 'Add ?filter_by=…; from 29.0 on, ?truncate=true deletes all documents.',
  },
  {
    when: /^Parameter `batch_size` must be a positive integer/s,
    code: 'INVALID_INPUT',
    message: 'The parameter “batch_size” isn’t a whole number above 0.',
    advice: 'Send digits only, such as 100.',
  },
];
