import { wholeStart } from '@tabularium/sdk';

/**
 * The beginning of a text, without the rest. A slice keeps the whole text in memory for as long as the slice is there, also where that text is megabytes
 * outside of the heap.
 */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : copyOf(text.slice(0, most));
}

/** As {@link cutText}, of whole characters, and with an ellipsis in the place of the rest. */
export function shortenedText(text: string, most: number): string {
  return text.length <= most ? text : copyOf(`${wholeStart(text, most - 1)}…`);
}

function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
