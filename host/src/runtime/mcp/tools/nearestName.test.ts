import { describe, expect, it } from 'vitest';
import { namesInShort, nearestName } from './nearestName.ts';

describe('nearestName', () => {
  it.each([
    ['prodcts', 'products'],
    ['product', 'products'],
    ['Products', 'products'],
    ['seller_name', 'seller.name'],
    ['createdat', 'created_at'],
  ])('finds for %s the name %s', (wanted, found) => {
    expect(nearestName(wanted, ['articles', 'created_at', 'name', 'products', 'seller.name'])).toBe(found);
  });

  it.each(['xyz', '', '***', 'a text that only happens to have a name in it'])('finds nothing for %j', (wanted) => {
    expect(nearestName(wanted, ['articles', 'created_at', 'name', 'products'])).toBeUndefined();
  });

  it('takes no time for long names and many candidates', () => {
    const candidates = Array.from({ length: 100_000 }, (_, index) => `${'candidate'.repeat(40)}${index}`);
    expect(nearestName('z'.repeat(1_000_000), candidates)).toBeUndefined();
  });
});

describe('namesInShort', () => {
  it('ends with how many there are more', () => {
    expect(namesInShort(['one', 'two', 'three'], 9)).toBe('one, two and 1 more');
    expect(namesInShort(['a name that is longer than all of it'], 9)).toBe('a name that is longer than all of it');
  });
});
