import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { LONGEST_ERROR_TEXT, redact } from './redact.ts';

describe('redact', () => {
  it.each([
    ['connect to https://admin:s3cret@db.internal:8108/x failed', 's3cret', 'db.internal'],
    ['header x-some-api-key: abc123def was refused', 'abc123def', 'abc123def'],
    ['{"password":"hunter2","user":"ada"}', 'hunter2', 'hunter2'],
    ['apiKey=k-1234567&x=1', 'k-1234567', 'k-1234567'],
    ['sent Authorization: Bearer eyJhbGciOi.x.y', 'eyJhbGciOi', '.x.y'],
    ['token tbm_AAAABBBBCCCC was used', 'tbm_AAAA', 'BBBB'],
    ['nothing answers at 10.1.2.3:8108', '10.1.2.3', '8108'],
    ['nothing answers at [fe80::1]:8108', 'fe80', '8108'],
    [`cannot read ${homedir()}/keys`, homedir(), homedir()],
    ['cluster.example.net is not known', 'cluster.example.net', 'example'],
  ])('hides what is secret in %j', (text, ...secrets) => {
    const result = redact(text, [homedir(), 'cluster.example.net']);
    for (const secret of secrets) expect(result).not.toContain(secret);
    expect(result).toContain('[hidden]');
  });

  it.each([
    'Could not find a field named `price` in the schema.',
    'Sort price:desc was dropped at 12:30; version 29.0 of 3 tables.',
    'There is no table "key". Call list_tables to list the tables.',
  ])('leaves %j as it is', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('cuts what is too long', () => {
    const result = redact('x'.repeat(5_000));
    expect(result).toHaveLength(LONGEST_ERROR_TEXT);
    expect(result.endsWith('…')).toBe(true);
  });
});
