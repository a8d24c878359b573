import { describe, expect, it } from 'vitest';
import { withoutCredentials } from './withoutCredentials.ts';

describe('withoutCredentials', () => {
  it.each([
    'GET https://ada:MARKED@search.example/x failed',
    'authorization: Bearer MARKED',
    'Authorization: Basic MARKED==',
    '{"apiKey":"MARKED","page":1}',
    "{ password: 'MARKED' }",
    'PGPASSWORD=MARKED psql',
    'http://127.0.0.1:4000/?key=MARKED&view=start',
    'x-typesense-api-key: MARKED',
    'cookie: MARKED',
    'my secret = MARKED',
    '-----BEGIN PRIVATE KEY-----\nMARKED\n-----END PRIVATE KEY-----',
    '-----BEGIN RSA PRIVATE KEY-----\nMARKED',
  ])('hides the credential of %j', (text) => {
    expect(withoutCredentials(text)).not.toContain('MARKED');
    expect(withoutCredentials(text)).toContain('•••');
  });

  it.each([
    'The server took 3 s: connect ECONNREFUSED 127.0.0.1:8108',
    'search 1.4.0, signed by Tabularium',
    '12:30:01 basic type',
  ])('leaves %j as it is', (text) => {
    expect(withoutCredentials(text)).toBe(text);
  });
});
