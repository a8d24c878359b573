import { encodeBatch } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { parsePageAnswer } from './decodedPage.ts';

const head = { rowCount: 1, atEnd: true, droppedSorts: [], milliseconds: 12.5 };
const batch = { columns: [{ name: 'a', kind: 'text' as const }], rows: [['line one\nline two']] };

function bytes(first: string, rest: Uint8Array): Uint8Array {
  const line = new TextEncoder().encode(`${first}\n`);
  const all = new Uint8Array(line.length + rest.length);
  all.set(line);
  all.set(rest, line.length);
  return all;
}

describe('parsePageAnswer', () => {
  it('splits at the first line feed', () => {
    expect(parsePageAnswer(bytes(JSON.stringify(head), encodeBatch(batch)))).toEqual({ head, batch });
  });

  it.each([
    ['no line feed', new TextEncoder().encode(JSON.stringify(head))],
    ["a head that isn't valid JSON", bytes('<html>', encodeBatch(batch))],
    ['a head without its members', bytes('{"rowCount":1}', encodeBatch(batch))],
    ['a batch that is cut off', bytes(JSON.stringify(head), encodeBatch(batch).subarray(0, 20))],
    ['nothing at all', new Uint8Array()],
  ])('refuses %s', (_what, answer) => {
    expect(() => parsePageAnswer(answer)).toThrow(SyntaxError);
  });
});
