/** A part of a text, and whether it is one of the words that were looked for. */
export interface MarkedPart {
  readonly text: string;
  readonly isMarked: boolean;
}

const BEFORE = 50;
const LENGTH = 170;

/** The text around the first of some words. */
export function excerpt(text: string, words: readonly string[]): string {
  const first = marks(text, words)[0]?.start ?? 0;
  // From the beginning of a word on.
  const from = first <= BEFORE ? 0 : text.indexOf(' ', first - BEFORE) + 1;
  const part = text.slice(from, from + LENGTH);
  return `${from > 0 ? '…' : ''}${part}${from + LENGTH < text.length ? '…' : ''}`;
}

/** The parts of a text, with some words marked. @param words - in small letters */
export function markedParts(text: string, words: readonly string[]): readonly MarkedPart[] {
  const parts: MarkedPart[] = [];
  let at = 0;
  for (const { start, end } of marks(text, words)) {
    if (start > at) parts.push({ text: text.slice(at, start), isMarked: false });
    parts.push({ text: text.slice(start, end), isMarked: true });
    at = end;
  }
  if (at < text.length) parts.push({ text: text.slice(at), isMarked: false });
  return parts;
}

/** Words as the index splits them. */
const WORD = /[^\n\r\p{Z}\p{P}]+/gu;

function marks(text: string, words: readonly string[]): { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(WORD)]
    .filter(([word]) => words.includes(word.toLowerCase()))
    .map(({ 0: word, index }) => ({ start: index, end: index + word.length }));
}
