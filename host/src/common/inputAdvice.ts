import type { DriverErrorDetails } from '@tabularium/sdk';

/** A message that names what is wrong: in quotation marks, or as an argument or option of a command. */
const NAMES_SOMETHING = /[“"„`]|\s--[a-z]/;

/** Advice for refusals that name no value, by their sentences. */
const BY_SENTENCE: readonly (readonly [RegExp, string])[] = [
  [
    /^No import of this file/,
    'Check the path and the table. A file that has changed since starts from its beginning, without --resume: look first which of its rows are in the table.',
  ],
  [
    /no longer|not on the list any more|was deleted|was changed again|was interrupted\.|nothing to (?:undo|redo)|needs no |does not run/,
    'Refresh the list: it may have ended, or was removed.',
  ],
  [
    /is running|runs already|still runs|not ended|being resumed|reads the rejected|Decide first/,
    'Wait until it has ended, or cancel it.',
  ],
  [/^The file |^A file |^This file|^The first line|^Line \d/, 'Correct the file, or choose another one.'],
  [/^There is no statement/, 'Enter a statement.'],
  [
    /by POST|not JSON|(?:command|request) is too large|^The body/,
    'Use the window, the commands or a client library of this version of Tabularium.',
  ],
  [/in the past/, 'Choose a later time.'],
  [/can’t be undone|made no file|rejected no rows/, 'Do it by hand, if it is still needed.'],
  [/^Nothing was changed/, 'Begin again, if it is still needed.'],
  [/^No table can be proposed|has no file that Tabularium can write/, 'Set it up by hand: the documentation says how.'],
];

const OTHERWISE = 'Correct what the message says, then try again.';

/**
 * The advice for an input that was refused. “Fix the value named in the message” is right where the message names one; otherwise it depends on the sentence.
 *
 * @param usual - of the table of errors
 */
export function inputAdvice(message: string, { advice, field }: DriverErrorDetails, usual: string): string {
  if (advice !== undefined) return advice;
  if (field !== undefined || NAMES_SOMETHING.test(message)) return usual;
  return BY_SENTENCE.find(([sentence]) => sentence.test(message))?.[1] ?? OTHERWISE;
}
