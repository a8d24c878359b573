import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { HOST_ERRORS, HostError } from './errors.ts';

const page = readFileSync(new URL('../../../docs/reference/errors-host.md', import.meta.url), 'utf8');
const documented = new Map(
  [...page.matchAll(/^\| `([A-Z_]+)`\s*\| (.*?)\s*\| (.*?)\s*\|$/gm)].map(([, code, sentence, advice]) => [
    code,
    { sentence, advice },
  ]),
);

describe('the error table of the host', () => {
  it('is documented code by code, and nothing else is', () => {
    expect(Object.fromEntries(documented)).toEqual(HOST_ERRORS);
  });

  it('speaks in whole sentences', () => {
    for (const kind of Object.values(HOST_ERRORS)) {
      expect(kind.sentence).toMatch(/^[A-Z].*\.$/);
      expect(kind.advice).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('uses the sentence and the advice of the table unless others are given', () => {
    expect(new HostError('TOKEN_UNKNOWN')).toMatchObject({
      message: HOST_ERRORS.TOKEN_UNKNOWN.sentence,
      advice: HOST_ERRORS.TOKEN_UNKNOWN.advice,
    });
    expect(new HostError('TOKEN_UNKNOWN', 'Gone.', { details: { advice: 'Make one.' } })).toMatchObject({
      message: 'Gone.',
      advice: 'Make one.',
    });
  });
});
