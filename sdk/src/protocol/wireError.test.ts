import { expect, it } from 'vitest';
import { DriverError } from '../errors.ts';
import { errorDetailsSchema } from './schemas.ts';
import { toWireError } from './wireError.ts';

it('an error crosses with its translations, because a window of another language would show the English message', () => {
  const texts = {
    message: { id: 'file.missing', values: { path: 'a.sqlite', count: 2 } },
    advice: { id: 'file.missing.advice' },
  };
  const { details } = toWireError(
    new DriverError('NOT_FOUND', 'The file a.sqlite does not exist.', { details: { texts, field: 'file' } }),
  );
  expect(details).toEqual({ field: 'file', texts });
});

it('wrong translations are left out, and the error crosses with its English message', () => {
  const texts = { message: { id: 'no id', values: {} } };
  const { message, details } = toWireError(new DriverError('NOT_FOUND', 'It is gone.', { details: { texts } }));
  expect(message).toBe('It is gone.');
  expect(details).toEqual({});
});

it('an offset crosses as a whole number, and is left out otherwise, because the host would reject the whole error', () => {
  const crossed = (offset: unknown): unknown =>
    toWireError(new DriverError('INVALID_INPUT', 'It is wrong.', { details: { field: 'a', offset: offset as number } })).details;
  for (const offset of [0, 7, Number.MAX_SAFE_INTEGER]) {
    const details = crossed(offset);
    expect(details).toEqual({ field: 'a', offset });
    expect(errorDetailsSchema.parse(details)).toEqual(details);
  }
  for (const offset of [-1, 1.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1, '7', null]) {
    expect(crossed(offset)).toEqual({ field: 'a' });
    expect(errorDetailsSchema.safeParse({ offset }).success).toBe(false);
  }
});
