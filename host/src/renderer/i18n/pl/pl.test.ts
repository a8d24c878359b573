import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { formatDate, formatMilliseconds, formatRowCount } from '../format.ts';
import { speakWords, strings } from '../index.ts';
import { plainNumber } from '../plainNumber.ts';
import { pl } from './index.ts';

vi.mock('../language.ts', () => ({ language: 'pl', locale: 'pl-PL', loadedChoice: 'pl' }));

speakWords(pl);

describe('a language with several plurals', () => {
  it('takes the noun that goes with each number', () => {
    expect([1, 2, 5, 12, 22, 25, 1.5].map((count) => strings.selection.cells(count))).toEqual([
      '1 komórka',
      '2 komórki',
      '5 komórek',
      '12 komórek',
      '22 komórki',
      '25 komórek',
      '1,5 komórki',
    ]);
    expect([1, 3, 7].map((count) => strings.editing.save(count))).toEqual([
      'Zapisz 1 zmianę',
      'Zapisz 3 zmiany',
      'Zapisz 7 zmian',
    ]);
  });

  it('writes numbers and dates as it does', () => {
    expect(formatRowCount({ rows: 1_234_567, exact: true })).toBe('1\u00a0234\u00a0567');
    expect(formatMilliseconds(1_250)).toBe('1,3 s');
    expect(formatDate('2026-11-20T12:00:00Z')).toContain('20 lis 2026');
    expect(plainNumber('1\u00a0234,5')).toBe('1234.5');
  });

  it('falls back to English, text by text', () => {
    expect([strings.console.title, strings.console.copyAnswer]).toEqual(['Konsola', 'Copy answer']);
    // An English sentence has two forms; a number that is neither takes the one for many.
    expect(strings.dashboard.title).toBe('Dashboard');
    expect(strings.grid.dimensions(3)).toBe('3 dimensions');
  });

  it('has no file and no text that English lacks', () => {
    const files = (language: string): string[] =>
      readdirSync(join(import.meta.dirname, '..', language)).filter((file) => file.endsWith('.ts') && !file.includes('.test'));
    expect(files('pl').filter((file) => !files('en').includes(file))).toEqual([]);
  });
});
