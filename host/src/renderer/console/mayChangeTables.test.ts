import { describe, expect, it } from 'vitest';
import { mayChangeTables } from './mayChangeTables.ts';

const writes = { effect: 'write' } as const;

describe('a statement that ran', () => {
  it.each([
    ['CREATE TABLE a (id int)', true],
    ['-- a new one\ncreate table a (id int)', true],
    ['DROP TABLE a', true],
    ['SELECT * INTO b FROM a', true],
    ['DO $$ BEGIN END $$', true],
    ['COMMIT', true],
    ['INSERT INTO a VALUES (1)', false],
    ['/* all */ DELETE FROM a', false],
    ['ROLLBACK', false],
    ['SET ROLE clerk', false],
  ])('of SQL: %s', (statement, may) => {
    expect(mayChangeTables({ statement, classification: writes }, true)).toBe(may);
  });

  it('of another language may change tables unless it only reads', () => {
    expect(mayChangeTables({ statement: 'insert a', classification: writes }, false)).toBe(true);
    expect(mayChangeTables({ statement: 'get a', classification: { effect: 'read' } }, false)).toBe(false);
    expect(mayChangeTables({ statement: 'call a', classification: { effect: 'read', unknown: true } }, false)).toBe(true);
  });
});
