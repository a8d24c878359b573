import { visibleText } from '@tabularium/sdk';

// Names that a person takes for another one. Unicode's list of confusables has 6,000 entries; here are the letters and digits that common fonts draw
// like Latin ones, which is what the names of publishers, drivers and columns are written with.

const LATIN_LOOK_ALIKES: readonly (readonly [latin: string, others: string])[] = [
  ['a', 'аɑαａ'],
  ['b', 'ЬЪƄᏏ'],
  ['c', 'сϲⅽᴄ'],
  ['d', 'ԁⅾɗ'],
  ['e', 'еҽ℮єε'],
  ['f', 'ϝſք'],
  ['g', 'ɡցԍ'],
  ['h', 'һհᏂн'],
  ['i', 'іıιɩӏⅰӀ1l|!ǀ'],
  ['j', 'јϳ'],
  ['k', 'кκĸқ'],
  ['m', 'мⅿ'],
  ['n', 'пոռη'],
  ['o', 'оοօσ0ⲟᴏ๐〇'],
  ['p', 'рρϱ'],
  ['q', 'ԛգ'],
  ['r', 'гᴦꭇ'],
  ['s', 'ѕꜱ5$'],
  ['t', 'тτƚ'],
  ['u', 'υսцᴜ'],
  ['v', 'νѵⅴ'],
  ['w', 'ԝωш'],
  ['x', 'хχⅹ×'],
  ['y', 'уγүყ'],
  ['z', 'ᴢʐ'],
];

const LATIN = new Map(LATIN_LOOK_ALIKES.flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)));

/** Two letters next to each other that look like one. */
const PAIRS: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
];

/**
 * The look of a name: two names with the same skeleton are taken for each other. Letter case, accents, compatible forms (fullwidth, ligatures),
 * look-alike letters of other alphabets, spaces, punctuation and hidden characters do not count.
 *
 * @param name - of at most 500 UTF-16 code units; what is beyond does not count
 */
export function skeletonOf(name: string): string {
  const letters = [...name.slice(0, 500).normalize('NFKC').toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '')];
  const latin = letters
    .map((letter) => LATIN.get(letter) ?? letter)
    .join('')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
  return PAIRS.reduce((text, [pair, one]) => text.replaceAll(pair, one), latin);
}

/** Whether a person may take one name for the other. A name is like itself. */
export function looksLike(name: string, other: string): boolean {
  return skeletonOf(name) === skeletonOf(other);
}

const SCRIPTS: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Georgian}/u,
  /\p{Script=Coptic}/u,
];

/** Whether one word is written with letters of several alphabets that look alike. */
export function mixesAlphabets(word: string): boolean {
  return SCRIPTS.filter((script) => script.test(word)).length > 1;
}

/**
 * The words of a text that mix alphabets, each with its foreign letters named, such as `nаme (U+0430)`; at most ten.
 *
 * @param text - of any length; the first 65,536 UTF-16 code units count
 */
export function lookAlikeWords(text: string): readonly string[] {
  const found = new Set<string>();
  for (const [word] of text.slice(0, 65_536).matchAll(/[\p{L}\p{M}\p{N}_]+/gu)) {
    if (found.size === 10) break;
    if (!mixesAlphabets(word)) continue;
    const foreign = [...new Set([...word].filter((letter) => /(?!\p{Script=Latin})\p{L}/u.test(letter)))];
    const codes = foreign
      .slice(0, 5)
      .map((letter) => `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
    found.add(`${visibleText(word, 'name', 60)} (${codes.join(' ')})`);
  }
  return [...found];
}
