import { describe, expect, it } from 'vitest';
import { root } from '../paths.ts';
import { committedTexts, workplaceMentions } from './workplaceMentions.ts';

describe('mentions of where and for which task a line was written', () => {
  it.each([
    ['See /work/shared/design.md.', /a folder of one machine/],
    ['// As issue 13 asks.', /the number of a task/],
    ['Fixed in PR #4711', /the number of a task/],
    ['said in the closing note', /a note between sessions/],
    ['A subagent wrote it.', /who was at work/],
  ])('are found in “%s”', (line, fault) => {
    expect(workplaceMentions('a.ts', `one\n${line}\n`)).toEqual([expect.stringMatching(fault)]);
    expect(workplaceMentions('a.ts', `one\n${line}\n`)[0]).toMatch(/^a\.ts:2: /);
  });

  it.each([
    'This session only',
    'https://example.org/work/item',
    'docs/work/one.md',
    'Issues are welcome: 3 of them',
    '/home/ada/shop.db',
  ])('are not found in “%s”', (line) => {
    expect(workplaceMentions('a.ts', line)).toEqual([]);
  });

  it('are in no committed file', () => {
    const texts = committedTexts();
    expect(texts.length).toBeGreaterThan(1_000);
    expect(texts.flatMap(([path, text]) => workplaceMentions(path, text))).toEqual([]);
    expect(texts.filter(([, text]) => text.includes(`${root}/`)).map(([path]) => path)).toEqual([]);
  });
});
