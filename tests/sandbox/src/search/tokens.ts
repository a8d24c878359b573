/** How text becomes tokens: letters and digits stay, lower-cased and without accents; a few characters separate; the rest vanish. */
export interface Tokenizing {
  readonly symbols: string;
  readonly separators: string;
}

const MARKS = /\p{M}+/gu;
const LETTER_OR_DIGIT = /[A-Za-z0-9]/;
const MAX_ASCII = 0x7f;

const toAscii = (char: string): string => {
  const plain = char.normalize('NFKD').replace(MARKS, '');
  for (const part of plain) if ((part.codePointAt(0) ?? 0) > MAX_ASCII) return char;
  return plain.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
};

const PLAIN_WORDS = /^[a-z0-9]+(?: [a-z0-9]+)*$/;

export const tokenize = (text: string, { symbols, separators }: Tokenizing): string[] => {
  const lower = text.toLowerCase();
  if (PLAIN_WORDS.test(lower)) return lower.split(' ');
  const tokens: string[] = [];
  let token = '';
  for (const char of text) {
    if ((char.codePointAt(0) ?? 0) > MAX_ASCII) {
      token += toAscii(char);
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

/** What a sortable string is ordered by. */
export const sortText = (text: string): string => {
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
