import { describe, expect, it } from 'vitest';
import { TextMarker } from './textMarker.ts';

const shown = ({ parts }: { readonly parts: readonly { readonly text: string; readonly isMatch: boolean }[] }): string =>
  parts.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join('');
const marker = (text: string, more: Partial<ConstructorParameters<typeof TextMarker>[0]> = {}) =>
  new TextMarker({ text, match: 'contains', matchCase: false, ...more });

describe('the marks in a cell', () => {
  it('marks every place, in either letter case unless it matters', () => {
    expect(shown(marker('ann').mark('Ann and ANN, Hannah'))).toBe('[Ann] and [ANN], H[ann]ah');
    expect(shown(marker('ann', { matchCase: true }).mark('Ann and ann'))).toBe('Ann and [ann]');
    expect(marker('x').mark('none').isMatch).toBe(false);
  });

  it('takes every character for itself', () => {
    expect(shown(marker('a.*%_\\').mark('a.*%_\\ axx'))).toBe('[a.*%_\\] axx');
  });

  it('marks the right place behind letters that become two in small letters', () => {
    expect(shown(marker('ann').mark('İİİ ann'))).toBe('İİİ [ann]');
    expect(shown(marker('ß').mark('ẞ and ß'))).toContain('[ß]');
  });

  it('shows the surroundings of the first match of a long text, with whole characters', () => {
    const { parts } = marker('ann').mark(`${'😀'.repeat(500)}ann${'😀'.repeat(500)}`);
    const text = shown({ parts });
    expect(text).toMatch(/^…(?:😀)+\[ann\](?:😀)+…$/u);
    expect(text.length).toBeLessThan(260);
    const cutInMatch = marker('a'.repeat(1_000)).mark('a'.repeat(2_000));
    expect(shown(cutInMatch).length).toBeLessThan(260);
  });

  it('marks whole values and equal numbers', () => {
    expect(shown(marker('Ann', { match: 'exact' }).mark('ann'))).toBe('[ann]');
    expect(marker('ann', { match: 'exact' }).mark('ann b').isMatch).toBe(false);
    expect(['42', '42.0', '4.2e1', '42.00'].map((text) => marker('42').markNumber(text).isMatch)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['420', '4.2', '-42', ''].map((text) => marker('42').markNumber(text).isMatch)).toEqual([false, false, false, false]);
    expect(marker('12345678901234567891').markNumber('12345678901234567892').isMatch).toBe(false);
  });

  it('marks single words where the database compares words', () => {
    expect(shown(marker('ann@example.org').markWords('Mail of Ann at example, Org'))).toBe('Mail of [Ann] at [example], [Org]');
  });

  it('bounds what it looks at, whatever the cells hold', () => {
    const began = performance.now();
    const hostile = marker(`${'a'.repeat(999)}b`);
    for (let cell = 0; cell < 60; cell += 1) hostile.mark('a'.repeat(1_000_000));
    for (let cell = 0; cell < 60; cell += 1) marker('İa').mark('İ'.repeat(1_000));
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(hostile.mark(`${'a'.repeat(999)}b`).isMatch).toBe(false);
  });
});
