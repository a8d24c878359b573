import { describe, expect, it } from 'vitest';
import { dateFormOf, dateValue, fieldDate } from './dateValue.ts';

const NOW = Date.parse('2026-11-22T12:00:00.500Z');

describe('a moment in a condition', () => {
  it.each([
    ['now', '1795348800'],
    ['now-1h', '1795345200'],
    ['now - 30 m', '1795347000'],
    ['NOW-7D', '1794744000'],
    ['now-2w', '1794139200'],
    ['2026-11-22', '1795305600'],
    ['2026-11-22 10:30', '1795343400'],
    ['2026-11-22T10:30:15Z', '1795343415'],
    ['1795343400', '1795343400'],
    ['-5', '-5'],
    ['yesterday', 'yesterday'],
    ['2026-02-30', '2026-02-30'],
    ['2026-13-01', '2026-13-01'],
  ])('%s is %s in seconds', (text, sent) => {
    expect(dateValue(text, 'seconds', NOW)).toBe(sent);
  });

  it('keeps fractions where the unit has them', () => {
    expect(dateValue('2026-11-22 10:30:15.25', 'milliseconds', NOW)).toBe('1795343415250');
    expect(dateValue('2026-11-22 10:30:15.25', 'microseconds', NOW)).toBe('1795343415250000');
    expect(dateValue('2026-11-22 10:30:15.25', 'seconds', NOW)).toBe('1795343415');
  });

  it('is text where the column holds text, which only a relative one changes', () => {
    expect(dateValue('now-1d', 'timestamp', NOW)).toBe('2026-11-21T12:00:00Z');
    expect(dateValue('now-1d', 'date', NOW)).toBe('2026-11-21');
    expect(dateValue('2026-11-22 10:30', 'timestamp', NOW)).toBe('2026-11-22 10:30');
  });

  it('fills the browser’s field', () => {
    expect(fieldDate('2026-11-22 10:30')).toBe('2026-11-22T10:30:00');
    expect(fieldDate('now-1h')).toBe('');
    expect(fieldDate('')).toBe('');
  });

  it('is one of columns of dates, and of integers with a unit', () => {
    const column = { name: 'at', type: 'x', nullable: true, editable: { allowed: true }, sortable: { allowed: true } } as const;
    expect(dateFormOf({ ...column, kind: 'integer' }, 'seconds')).toBe('seconds');
    expect(dateFormOf({ ...column, kind: 'integer' }, undefined)).toBeUndefined();
    expect(dateFormOf({ ...column, kind: 'text' }, 'seconds')).toBeUndefined();
    expect(dateFormOf({ ...column, kind: 'timestamp' }, undefined)).toBe('timestamp');
  });
});
