import type { Statement } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { chooseStatements } from './chooseStatements.ts';

const text = 'one\n\ntwo\n\n\nthree';
const all: readonly Statement[] = [
  { text: 'one', start: 0, end: 3 },
  { text: 'two', start: 5, end: 8 },
  { text: 'three', start: 11, end: 16 },
];
const split = async (part: string): Promise<readonly Statement[]> => [{ text: part, start: 0, end: part.length }];
const chosen = async (from: number, to = from) =>
  (await chooseStatements(all, text, { from, to }, split)).map((each) => each.text);

describe('chooseStatements', () => {
  it('takes the statement at the cursor, at both of its ends too', async () => {
    expect(await chosen(0)).toEqual(['one']);
    expect(await chosen(3)).toEqual(['one']);
    expect(await chosen(6)).toEqual(['two']);
    expect(await chosen(16)).toEqual(['three']);
  });

  it('takes the one before a cursor between two', async () => {
    expect(await chosen(9)).toEqual(['two']);
    expect(await chosen(10)).toEqual(['two']);
  });

  it('takes what is selected, and no more', async () => {
    expect(await chosen(5, 7)).toEqual(['tw']);
    expect(await chosen(3, 5)).toEqual([]);
  });

  it('gives the place in the whole text, also of a selection', async () => {
    expect(await chooseStatements(all, text, { from: 5, to: 7 }, split)).toEqual([{ text: 'tw', start: 5, end: 7 }]);
  });

  it('takes nothing from nothing', async () => {
    expect(await chooseStatements([], '', { from: 0, to: 0 }, split)).toEqual([]);
  });
});
