import { describe, expect, it } from 'vitest';
import { rank, search } from './fuzzy.ts';

const found = (typed: string, ...texts: string[]): readonly string[] => search(typed, texts, (text) => text);

describe('search', () => {
  it('finds whole words before parts of words before letters', () => {
    expect(found('tab', 'Stable order', 'The Amber Box', 'Next tab', 'Tab bar')).toEqual([
      'Tab bar',
      'Next tab',
      'Stable order',
      'The Amber Box',
    ]);
  });

  it('finds every word of what was typed, in any order and case', () => {
    expect(found('wind NEW', 'Open in a new window', 'New connection…')).toEqual(['Open in a new window']);
  });

  it('finds initials', () => {
    expect(found('nc', 'Console', 'New connection…', 'Run the request')[0]).toBe('New connection…');
    expect(found('oi', 'order_items', 'coordinates')[0]).toBe('order_items');
  });

  it('does not find letters strewn over a text, nor what is not there', () => {
    expect(rank('rts', 'Open products of the shop')).toBeUndefined();
    expect(rank('xyz', 'Open products')).toBeUndefined();
  });

  it('leaves everything in its order where nothing was typed', () => {
    expect(found('  ', 'b', 'a')).toEqual(['b', 'a']);
  });
});
