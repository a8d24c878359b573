import { DriverError } from '@tabularium/sdk';
import { faultTexts } from '../faultTexts.ts';

/** A longer line is too large to be shown as a document. */
export const MAX_LINE_CHARACTERS = 16 * 1_048_576;

/** The lines of a streamed text, framed on LF, without blank ones. Never more than one line and one chunk is held. */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const pieces = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = pieces.pop() ?? '';
    for (const line of pieces) if (line.trim() !== '') yield line;
    if (rest.length > MAX_LINE_CHARACTERS) {
      throw new DriverError('TOO_LARGE', `A line of the answer is longer than ${MAX_LINE_CHARACTERS} characters.`, {
        details: {
          advice: 'Leave out large fields with exclude_fields.',
          texts: faultTexts('fault.longLine', { most: MAX_LINE_CHARACTERS }, 'fault.excludeFields'),
        },
      });
    }
  }
  rest += decoder.decode();
  if (rest.trim() !== '') yield rest;
}
