import { describe, expect, it } from 'vitest';
import { didYouMean, namesInShort, nearestName } from './nearestName.ts';

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
    expect(namesInShort(['a_name_that_is_longer_than_all_of_it'], 9)).toBe('a_name_that_is_longer_than_all_of_it');
  });

  it('has names in quotes, on one line and cut, that could pass for words around them', () => {
    expect(namesInShort(['orders', 'shop.orders', 'äpfel'])).toBe('orders, shop.orders, äpfel');
    expect(namesInShort(['q\nEffect: reads "only"'])).toBe('"q⏎Effect: reads \\"only\\""');
    expect(namesInShort(['a'.repeat(5_000)], 9)).toBe(`"${'a'.repeat(100)}…"`);
    expect(didYouMean('orders', ['orders. Call it'])).toBe(' Did you mean "orders. Call it"?');
  });
});
