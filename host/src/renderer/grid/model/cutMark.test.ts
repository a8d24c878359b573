import { describe, expect, it } from 'vitest';
import { cutMark } from './cutMark.ts';

// Without a canvas a character is 7.5 pixels wide; the padding takes 21.
const room = (characters: number): number => 21 + characters * 7.5;

describe('a cell that is too narrow for its text', () => {
  it.each([
    '12345678',
    '-9007199254740993',
    '1e21',
    '1.5e-7',
    '2026-03-01',
    '2026-03-01 08:30:00Z',
    '2026-03-01T08:30:00.123Z',
    '08:30:00',
    '48.137, 11.575',
    '+49 89 1234567',
    '(089) 123-4567',
    '192.168.178.201',
    '4,006,381,333,931',
  ])('shows a mark in place of the beginning of %s', (text) => {
    expect(cutMark(text, room(3))).toBe('###');
    expect(cutMark(text, room(text.length - 1))).toBe('#'.repeat(text.length - 1));
    expect(cutMark(text, room(text.length))).toBeUndefined();
  });

  it.each(['Lamp 1', 'prod-00012345', '550e8400-e29b-41d4-a716-446655440000', '3 lamps', '', '["1","2"]', 'true'])(
    'shows the beginning of %s',
    (text) => {
      expect(cutMark(text, room(3))).toBeUndefined();
    },
  );

  it('cuts the decimals of a number after the first', () => {
    expect(cutMark('12.345678', room(4))).toBe('####');
    expect(cutMark('12.345678', room(5))).toBeUndefined();
  });
});
