/** How text becomes tokens: letters and digits stay, lower-cased and without accents; a few characters separate; the rest vanish. */
export interface Tokenizing {
  readonly symbols: string;
  readonly separators: string;
  /** With a locale every letter counts; without one only those that have a Latin, Greek or Cyrillic form. */
  readonly locale?: string;
}

const MARKS = /\p{M}+/gu;
const LETTER_OR_DIGIT = /[A-Za-z0-9]/;
const MAX_ASCII = 0x7f;

const TRANSLITERATED_SCRIPTS = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+$/u;
const CURRENCIES: Readonly<Record<string, string>> = { '€': 'eur', '₨': 'rs', '₡': 'c' };

/** The letters that remain of a character beyond ASCII; empty for one that has no letters that the server keeps. */
const toAscii = (char: string, locale = ''): string => {
  const known = CURRENCIES[char];
  if (known !== undefined) return known;
  const plain = char.normalize('NFKD').replace(MARKS, '').replaceAll('⁄', '');
  for (const part of plain) {
    if ((part.codePointAt(0) ?? 0) > MAX_ASCII) return locale !== '' || TRANSLITERATED_SCRIPTS.test(plain) ? char : '';
  }
  return plain.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
};

const PLAIN_WORDS = /^[a-z0-9]+(?: [a-z0-9]+)*$/;

export const tokenize = (text: string, { locale, separators, symbols }: Tokenizing): string[] => {
  const lower = text.toLowerCase();
  if (PLAIN_WORDS.test(lower)) return lower.split(' ');
  const tokens: string[] = [];
  let token = '';
  for (const char of text) {
    if ((char.codePointAt(0) ?? 0) > MAX_ASCII) {
      token += toAscii(char, locale);
    } else if (LETTER_OR_DIGIT.test(char) || symbols.includes(char)) {
      token += char.toLowerCase();
    } else if ((char === ' ' || char === '\n' || separators.includes(char)) && token !== '') {
      tokens.push(token);
      token = '';
    }
  }
  if (token !== '') tokens.push(token);
  return tokens;
};

const MAX_SORT_LENGTH = 2000;
const ASCII_ONLY = /^[\x00-\x7f]*$/;
const DROPPED_IN_SORT = /[^a-z0-9 ]/g;

/** Behind everything else. */
const NOTHING_TO_SORT = '\uffff';

/** The sort key of a sortable string; a string without one sorts behind all others. */
export const sortText = (text: string): string => sortableText(text) || NOTHING_TO_SORT;

const sortableText = (text: string): string => {
  if (ASCII_ONLY.test(text)) return text.toLowerCase().replace(DROPPED_IN_SORT, '').slice(0, MAX_SORT_LENGTH);
  let result = '';
  for (const char of text) {
    if ((char.codePointAt(0) ?? 0) > MAX_ASCII) result += toAscii(char);
    else if (LETTER_OR_DIGIT.test(char) || char === ' ') result += char.toLowerCase();
  }
  return result.slice(0, MAX_SORT_LENGTH);
};

const SUFFIXES = ['ing', 'ed', 'es', 's'];
const MIN_STEM = 3;

/** A light English stemmer: it takes the common endings off, and a doubled consonant they leave. */
export const stem = (token: string): string => {
  const suffix = SUFFIXES.find((ending) => token.endsWith(ending) && token.length - ending.length >= MIN_STEM);
  if (suffix === undefined || token.endsWith('ss')) return token;
  const root = token.slice(0, -suffix.length);
  return /([bdfgmnprt])\1$/.test(root) ? root.slice(0, -1) : root;
};
