import { expect, it } from 'vitest';
import { controlsTransaction } from './controlsTransaction.ts';

it.each([
  'BEGIN',
  'begin;',
  'BEGIN ISOLATION LEVEL SERIALIZABLE',
  'START TRANSACTION READ ONLY',
  'COMMIT AND CHAIN',
  'END',
  'ROLLBACK TO before_prices',
  'ABORT',
  'SAVEPOINT before_prices',
  'RELEASE before_prices',
  'set  transaction READ ONLY',
  '-- the whole import\n/* of\nMay */ BEGIN',
  '\\connect sales\nCOMMIT',
])('finds the control of a transaction in %j', (statement) => {
  expect(controlsTransaction(statement)).toBe(true);
});

it.each([
  'SELECT 1',
  'UPDATE begin SET id = 1',
  'SET search_path TO shop',
  'ENDPOINTS',
  '-- BEGIN\nSELECT 1',
  '/* COMMIT */ DELETE FROM t',
  '',
])('finds none in %j', (statement) => {
  expect(controlsTransaction(statement)).toBe(false);
});
