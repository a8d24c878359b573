import type { Cell, UnreadCell } from '@tabularium/sdk';

/** Of a long value this much is shown in place of it. */
const SHOWN_CHARACTERS = 200;

/** The placeholder for a value of more bytes than a page may hold of it; undefined where the value fits. */
export function placeholderFor(text: string, over: number): UnreadCell | undefined {
  // No character has more than three bytes in UTF-8 for each of its code units.
  if (text.length * 3 <= over) return undefined;
  const bytes = Buffer.byteLength(text);
  return bytes <= over ? undefined : ['unread', { bytes, start: startOf(text) }];
}

/** The same for a cell. Numbers, booleans and marks are never long. */
export function cellPlaceholder(cell: Cell, over: number): UnreadCell | undefined {
  const text = Array.isArray(cell) ? (cell as readonly string[])[1] : cell;
  return typeof text === 'string' ? placeholderFor(text, over) : undefined;
}

function startOf(text: string): string {
  const start = text.slice(0, SHOWN_CHARACTERS);
  // Half of a surrogate pair isn't text.
  return /[\uD800-\uDBFF]$/.test(start) ? start.slice(0, -1) : start;
}
