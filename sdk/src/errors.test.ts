import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { DRIVER_ERRORS, DriverError, isDriverError } from './errors.ts';
import type { DriverErrorCode, DriverErrorDetails, DriverErrorKind } from './errors.ts';

describe('the table of driver errors', () => {
  it.each(Object.entries(DRIVER_ERRORS))(
    '%s says what happened and what to do, each in sentences',
    (code, { sentence, advice }) => {
      expect(code).toMatch(/^[A-Z]+(?:_[A-Z]+)*$/);
      for (const text of [sentence, advice]) expect(text).toMatch(/^[A-Z].*\.$/);
    },
  );

  it('is what the documentation lists, word for word', () => {
    const reference = readFileSync(new URL('../../docs/reference/errors-driver.md', import.meta.url), 'utf8');
    const rows = [...reference.matchAll(/^\| `([A-Z_]+)` *\| (.*?) *\| (.*?) *\| (yes|no) *\|$/gm)];
    const documented = rows.map(([, code, sentence, advice, again]) => ({ code, sentence, advice, retryable: again === 'yes' }));
    expect(documented).toEqual(Object.entries(DRIVER_ERRORS).map(([code, kind]) => ({ code, ...kind })));
  });
});

describe('a driver error', () => {
  it('says the table’s words unless it has better ones', () => {
    const plain = new DriverError('TIMEOUT');
    expect(plain).toMatchObject({
      name: 'DriverError',
      message: DRIVER_ERRORS.TIMEOUT.sentence,
      advice: DRIVER_ERRORS.TIMEOUT.advice,
      retryable: true,
      details: {},
    });
    const cause = new Error('why');
    const better = new DriverError('NOT_FOUND', 'There is no x.', { cause, details: { advice: 'Look for y.', field: 'x' } });
    expect(better).toMatchObject({ message: 'There is no x.', advice: 'Look for y.', retryable: false, cause });
    expect(plain).not.toHaveProperty('cause');
  });

  it('is known again when another copy of the SDK made it', () => {
    const foreign = Object.assign(new Error('x'), { name: 'DriverError', code: 'NOT_FOUND', details: {} });
    expect(isDriverError(foreign)).toBe(true);
    expect(isDriverError(new DriverError('CANCELLED'))).toBe(true);
    expect(isDriverError(Object.assign(new Error('x'), { name: 'DriverError', code: 'MADE_UP' }))).toBe(false);
    expect(isDriverError(Object.assign(new Error('x'), { name: 'DriverError', code: 'toString' }))).toBe(false);
    expect(isDriverError(new Error('x'))).toBe(false);
    expect(isDriverError('NOT_FOUND')).toBe(false);
  });
});

it('has these types', () => {
  expectTypeOf<DriverErrorCode>().toEqualTypeOf<keyof typeof DRIVER_ERRORS>();
  expectTypeOf(DRIVER_ERRORS).toExtend<Record<DriverErrorCode, DriverErrorKind>>();
  expectTypeOf<DriverError['code']>().toEqualTypeOf<DriverErrorCode>();
  expectTypeOf<DriverError['details']>().toEqualTypeOf<DriverErrorDetails>();
  expectTypeOf(isDriverError).guards.toEqualTypeOf<DriverError>();
  // @ts-expect-error a code that is not in the table
  void (() => new DriverError('MADE_UP'));
});
