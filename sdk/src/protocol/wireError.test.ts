import { expect, it } from 'vitest';
import { DriverError } from '../errors.ts';
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
