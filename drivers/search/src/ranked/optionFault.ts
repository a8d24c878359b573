import { DriverError, isDriverError } from '@tabularium/sdk';
import type { SearchRequest } from '@tabularium/sdk';
import { faultTexts } from '../faultTexts.ts';

/** Words of the server's refusals by the option that they are about, where they don't name it. */
const WORDS: Readonly<Record<string, RegExp>> = {
  sort_by: /\bsort|eval expression|_text_match/i,
  vector_query: /\bvector|embedding/i,
  group_by: /\bgroup/i,
  preset: /\bpreset/i,
  stopwords: /\bstopword/i,
};

/** An error of a search that names the chosen option that it is about, where that can be seen from the server's words. */
export function withOption(error: unknown, options: SearchRequest['options']): unknown {
  if (!isDriverError(error) || error.code === 'CANCELLED' || error.details.field !== undefined) return error;
  const words = error.details.serverMessage ?? '';
  if (error.code === 'TIMEOUT' && typeof options[TIME_LIMIT] === 'number') return tooShort(error, options[TIME_LIMIT]);
  if (words === '') return error;
  const chosen = Object.keys(options).filter((id) => options[id] !== '');
  // A name within another one, such as prefix in min_len_prefix, is not named.
  const said = new Set(words.match(/\w+/g));
  const field = chosen.find((id) => said.has(id)) ?? chosen.find((id) => WORDS[id]?.test(words) === true);
  if (field === undefined) return error;
  return new DriverError(error.code, error.message, { cause: error, details: { ...error.details, field } });
}

/** The option that ends a search after so many milliseconds. */
const TIME_LIMIT = 'search_cutoff_ms';

/** The server answers 408 where the option's time is over before it has found anything (seen on 29.0), as it does where it is too busy. */
function tooShort(error: DriverError, milliseconds: number): DriverError {
  const values = { milliseconds };
  return new DriverError(
    'TIMEOUT',
    `The server stopped the search after ${milliseconds} ms, as “Stop after milliseconds” says, and had found nothing yet.`,
    {
      cause: error,
      details: {
        ...error.details,
        field: TIME_LIMIT,
        advice: 'Give “Stop after milliseconds” a larger number.',
        texts: faultTexts('fault.cutOffEarly', values, 'fault.cutOffEarly.advice'),
      },
    },
  );
}
