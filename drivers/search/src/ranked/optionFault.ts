import { DriverError, isDriverError } from '@tabularium/sdk';
import type { SearchRequest } from '@tabularium/sdk';

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
  if (words === '') return error;
  const chosen = Object.keys(options).filter((id) => options[id] !== '');
  // A name within another one, such as prefix in min_len_prefix, is not named.
  const said = new Set(words.match(/\w+/g));
  const field = chosen.find((id) => said.has(id)) ?? chosen.find((id) => WORDS[id]?.test(words) === true);
  if (field === undefined) return error;
  return new DriverError(error.code, error.message, { cause: error, details: { ...error.details, field } });
}
