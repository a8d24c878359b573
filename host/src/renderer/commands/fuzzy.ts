const WORD_START = 8;
const IN_A_ROW = 4;
const WHOLE = 20;
const FIRST = 6;
const GAP = 0.2;

const isWordStart = (text: string, place: number): boolean =>
  place === 0 || /[\s_.:/\-(“"]/.test(text.charAt(place - 1)) || /\p{Ll}\p{Lu}/u.test(text.slice(place - 1, place + 1));

/** How well the letters of a word are found in a text, in their order; undefined when they are not. */
function rankWord(word: string, text: string, folded: string): number | undefined {
  const at = folded.indexOf(word);
  // The same word at the beginning of a later word is the better find.
  for (let place = at; place !== -1; place = folded.indexOf(word, place + 1)) {
    if (isWordStart(text, place)) return WHOLE + word.length * IN_A_ROW + (place === 0 ? FIRST : 0) - place * GAP;
  }
  if (at !== -1) return WHOLE / 2 + word.length * IN_A_ROW - at * GAP;
  let rank = 0;
  let from = 0;
  let previous = -2;
  for (const letter of word) {
    const place = folded.indexOf(letter, from);
    if (place === -1) return undefined;
    if (place === previous + 1) rank += IN_A_ROW;
    if (isWordStart(text, place)) rank += WORD_START;
    rank -= (place - from) * GAP;
    previous = place;
    from = place + letter.length;
  }
  // Letters strewn over a text don't match.
  return rank >= word.length * IN_A_ROW ? rank : undefined;
}

/**
 * How well a text answers to what was typed: every word of it has to be found, whole or by letters in their order. Higher is better; undefined
 * when it does not. Nothing typed finds everything equally.
 */
export function rank(typed: string, text: string): number | undefined {
  const folded = text.toLocaleLowerCase();
  let sum = 0;
  for (const word of typed.toLocaleLowerCase().split(/\s+/)) {
    if (word === '') continue;
    const found = rankWord(word, text, folded);
    if (found === undefined) return undefined;
    sum += found;
  }
  return sum - text.length * 0.01;
}

/** Those that answer to what was typed, the best first; in their order where nothing was typed. */
export function search<T>(typed: string, items: readonly T[], textOf: (item: T) => string): readonly T[] {
  if (typed.trim() === '') return items;
  return items
    .flatMap((item) => {
      const found = rank(typed, textOf(item));
      return found === undefined ? [] : [{ item, found }];
    })
    .sort((a, b) => b.found - a.found)
    .map(({ item }) => item);
}
