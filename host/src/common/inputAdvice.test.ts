import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { HOST_ERRORS, HostError } from './errors.ts';

const USUAL = HOST_ERRORS.INVALID_REQUEST.advice;
const ROOT = new URL('../../..', import.meta.url).pathname;
const THROWN =
  /new (?:HostError|DriverError)\(\s*'INVALID_(?:REQUEST|INPUT)',\s*('(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*")([^;]*?);/gs;

/** Every refusal of an input that is written in the code, with what follows its message. */
const refusals = globSync('{host,drivers/*,sdk}/src/**/*.{ts,tsx}', { cwd: ROOT })
  .filter((file) => !/\.test\.tsx?$|test-helper|\/dist\//.test(file))
  .flatMap((file) =>
    [...readFileSync(`${ROOT}/${file}`, 'utf8').matchAll(THROWN)].map(([, quoted = '', rest = '']) => ({
      file,
      message: quoted.slice(1, -1),
      rest,
    })),
  );
/** Those whose message holds no value and no name, and whose error has neither advice nor a field. */
const nameless = refusals.filter(
  ({ message, rest }) => !/[“"„`]|\s--[a-z]|\$\{/.test(message) && !/\b(?:advice|field)\b/.test(rest),
);

it('are found in the code', () => {
  expect(refusals.length).toBeGreaterThan(150);
  expect(nameless.length).toBeGreaterThan(20);
});

it.each(nameless)('$file: “$message” is not followed by advice about a value that it does not name', ({ message }) => {
  expect(new HostError('INVALID_REQUEST', message).advice).not.toBe(USUAL);
});

it.each([
  ['This query set no longer exists.', 'Refresh the list: it may have ended, or was removed.'],
  [
    'No import of this file into this table was interrupted.',
    'Check the path and the table. A file that has changed since starts from its beginning, without --resume: look first which of its rows are in the table.',
  ],
  ['The file is empty.', 'Correct the file, or choose another one.'],
  ['The file is not valid JSON.', 'Correct the file, or choose another one.'],
  ['This operation is running. Cancel it first.', 'Wait until it has ended, or cancel it.'],
  ['The value of "limit" cannot be used: it is empty.', USUAL],
])('%s is followed by: %s', (message, advice) => {
  expect(new HostError('INVALID_REQUEST', message).advice).toBe(advice);
});

it('keeps the advice of an error, and the usual one where a field is marked', () => {
  expect(new HostError('INVALID_REQUEST', 'It is empty.', { details: { advice: 'Fill it.' } }).advice).toBe('Fill it.');
  expect(new HostError('INVALID_REQUEST', 'It is empty.', { details: { field: 'name' } }).advice).toBe(USUAL);
});
