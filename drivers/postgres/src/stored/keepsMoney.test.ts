import { expect, it } from 'vitest';
import { keepsMoney } from './keepsNumber.ts';

it.each([
  ['12.34', '$1.00', true],
  ['12.345', '$1.00', false],
  ['12.340', '$1.00', true],
  ['1,234', '$1.00', true],
  ['1.234,56', '1,00 €', true],
  ['1.234,567', '1,00 €', false],
  ['kr 1,5', 'kr 1,00', true],
  ['1.2345', 'KD1.000', false],
  ['1.234', 'KD1.000', true],
  ['15', '¥1', true],
  ['1.5', '¥1', false],
])('%s as money of which one unit is written %s loses no decimals: %s', (text, sample, isStored) => {
  expect(keepsMoney(text, sample)).toBe(isStored);
});
