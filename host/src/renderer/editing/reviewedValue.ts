import type { Cell, ColumnKind } from '@tabularium/sdk';
import { MAX_SHOWN, shownText, wholeText } from '../grid/model/cellText.ts';

/** Bytes of a value that a review shows; it says how many there are. */
const MOST_BYTES = 32;
/** Characters of base64 that hold them. */
const BASE64_OF_BYTES = Math.ceil(MOST_BYTES / 3) * 4;

/** A value as a review shows it: two values that differ never look alike only because blanks can't be seen. */
export interface ReviewedValue {
  /** Blanks before and behind the text, a dot for each. */
  readonly before: string;
  readonly text: string;
  readonly behind: string;
}

export function reviewedValue(cell: Cell, kind: ColumnKind): ReviewedValue {
  const { text, tone } = wholeText(cell, kind);
  if (tone === 'bytes') return { before: '', text: `${hexadecimal(text)} · ${shownText(cell, kind).text}`, behind: '' };
  const isLong = text.length > MAX_SHOWN;
  // A pair cut in half would draw a replacement character.
  const shown = isLong ? text.slice(0, MAX_SHOWN).replace(/[\uD800-\uDBFF]$/, '') : text;
  const line = shown
    .replaceAll(/\r\n|[\n\r]/g, '⏎')
    .replaceAll('\t', '⇥')
    .replaceAll('\u00a0', '⍽');
  const before = /^ */.exec(line)?.[0].length ?? 0;
  const end = isLong ? line.length : Math.max(before, line.trimEnd().length);
  const dots = (count: number): string => '·'.repeat(count);
  return { before: dots(before), text: `${line.slice(before, end)}${isLong ? '…' : ''}`, behind: dots(line.length - end) };
}

/** Whether two values look the same though they differ: beyond what is shown, or in characters that look alike. */
export function looksSame(one: Cell, other: Cell, kind: ColumnKind): boolean {
  const [was, is] = [one, other].map((cell) => reviewedValue(cell, kind));
  const tones = [one, other].map((cell) => wholeText(cell, kind).tone);
  return (
    JSON.stringify(one) !== JSON.stringify(other) &&
    tones[0] === tones[1] &&
    JSON.stringify(was).normalize('NFC') === JSON.stringify(is).normalize('NFC')
  );
}

function hexadecimal(base64: string): string {
  const some = atob(base64.slice(0, BASE64_OF_BYTES));
  const pairs = [...some.slice(0, MOST_BYTES)].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0'));
  return `\\x${pairs.join('')}${some.length > MOST_BYTES || base64.length > BASE64_OF_BYTES ? '…' : ''}`;
}
