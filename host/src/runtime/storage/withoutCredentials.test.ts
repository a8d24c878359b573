import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutCredentials } from './withoutCredentials.ts';

describe('withoutCredentials', () => {
  it.each([
    'GET https://ada:MARKED@search.example/x failed',
    'GET https://ada:p@MARKED@search.example/x failed',
    'postgres://ada:p/MARKED@db.example/shop',
    'postgres://ada:p?MARKED#x@db.example/shop',
    'could not connect to ada:p@MARKED@db.example:5432',
    'root:MARKED@tcp(db.example:3306)/shop',
    'root:4MARKED@tcp(db.example:3306)/shop',
    'ada:7-MARKED@db.example:5432',
    'ada:1?MARKED@db.example',
    'postgres://ada:12/MARKED@db.example/shop',
    'postgres://ada:1?MARKED@db.example/shop',
    'redis://:12#MARKED@db.example',
    'postgres://ada@corp:p/MARKED@db.example',
    'ada@corp:MARKED@db.example:5432',
    "postgres://ada:it's-MARKED@db.example",
    'https://app.example/?dsn=ada:12/MARKED@db.example',
    'https%3A%2F%2Fada%3AMARKED%40db.example%2F',
    'https%253A%252F%252Fada%253A12%252FMARKED%2540db.example%252F',
    'https://app.example/?next=https%3A%2F%2FMARKED%40db.example%2F',
    "['x:1','password','ab@c MARKED']",
    'authorization: Bearer MARKED',
    'Authorization: Basic MARKED==',
    'Authorization: ApiKey MARKED',
    'Authorization: ApiKey id MARKED more',
    'Authorization: Digest username="ada", response="MARKED"',
    'proxy-authorization: Negotiate MARKED',
    "[ 'host', 'db.example', 'authorization', 'Custom MARKED' ]",
    '{"apiKey":"MARKED","page":1}',
    '{"password":"a\\"MARKED","page":1}',
    '{"body":"{\\"password\\":\\"a\\\\\\"MARKED\\"}"}',
    "{ password: 'MARKED' }",
    "{ password: 'it\\'s MARKED' }",
    'Server=db.example;Password="a;MARKED";Database=shop',
    'Server=db.example;Password="a"";MARKED";Database=shop',
    "host=db.example password='a MARKED' dbname=shop",
    'PGPASSWORD=MARKED psql',
    'PGPASSWORD=a,MARKED psql',
    'tool --password MARKED --verbose',
    'http://127.0.0.1:4000/?key=MARKED&view=start',
    'https://login.example/authorize?client_id=a&state=MARKED',
    'https://storage.example/x?X-Amz-Signature=MARKED&sig=MARKED',
    'go to https%3A%2F%2Fdb.example%2F%3Fkey%3DMARKED%26view%3Dstart',
    'x-typesense-api-key: MARKED',
    'cookie: MARKED',
    'cookie: theme=dark; session=MARKED; other=MARKED',
    'set-cookie: theme=dark; session=MARKED; HttpOnly',
    'my secret = MARKED',
    '<user><password>MARKED</password></user>',
    'sent eyJhbGciOiJub25lIn0.eyJzdWIiOiJNQVJLRUQifQMARKED.MARKED',
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
    'GET http://127.0.0.1:4873/npm/@tabularium/search: 404',
    'GET http://[::1]:4873/npm/@tabularium/search: 404',
    'https://registry.example/@acme/driver',
    'npm:@tabularium/search',
    'GET http://127.0.0.1:4873/npm/@tabularium/search:1.0.0',
    'GET 127.0.0.1:4873/npm/@tabularium/search',
    'at start (file:///C:/tool/node_modules/@tabularium/sdk/index.js:10:5)',
    'at start (file:///tool/node_modules/@tabularium/sdk/index.js:10:5)',
    'https://app.example/?next=https%3A%2F%2Fdb.example%2F&mail=ada%40mail.example',
    '2026-11-28T12:30:01.000Z error host: @tabularium/search failed',
  ])('leaves %j as it is', (text) => {
    expect(withoutCredentials(text)).toBe(text);
  });

  it('leaves what is beside a credential', () => {
    expect(withoutCredentials('{"apiKey":"x","page":1}')).toBe('{"apiKey":"•••","page":1}');
    expect(withoutCredentials('GET https://ada:x@db.example/shop?key=x&page=1 failed')).toBe(
      'GET https://•••@db.example/shop?key=•••&page=1 failed',
    );
    expect(withoutCredentials('authorization: ApiKey x\nhost: db.example')).toBe('authorization: •••\nhost: db.example');
    expect(withoutCredentials('password="" user=ada')).toBe('password="" user=ada');
  });
});

const [BEGIN, END] = ['M4RKB', '3NDM4'];
const NAMES = [
  'password',
  'Password',
  'PGPASSWORD',
  'clientSecret',
  'access_token',
  'api-key',
  'apiKey',
  'x-api-key',
  'passphrase',
];
const QUERY_NAMES = ['key', 'code', 'state', 'sig', 'access_token', 'apiKey', 'X-Amz-Signature'];
const SCHEMES = ['Bearer', 'Basic', 'ApiKey', 'Token', 'Custom-Scheme', 'Splunk', ''];
const one = (names: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...names);
/** A secret with these characters between two marks. */
const secretOf = (characters: string): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...'aZ09', ...characters), { minLength: 0, maxLength: 12 })
    .map((middle) => `${BEGIN}${middle.join('')}${END}`);
const PRINTABLE = ' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~ü€';
const without = (characters: string): string => [...PRINTABLE].filter((each) => !characters.includes(each)).join('');
const quoted = (text: string, mark: string, escape: (mark: string) => string): string =>
  `${mark}${text.replaceAll('\\', '\\\\').replaceAll(mark, escape(mark))}${mark}`;

const ADDRESS_SCHEMES = ['postgres://', 'https://', 'redis+tls://', 'mongodb+srv://'];
const USERS = ['', 'ada', 'Ada.Lovelace', 'ada@corp', 'ada@corp.example', 'corp\\ada', 'ada+x', '4da', '10', 'ädä', 'a%40b'];
/** A secret may begin like a port, and like what comes after one. */
const STARTS = [
  '',
  '4',
  '12',
  '5432',
  '65535',
  '12/',
  '443?',
  '80#',
  '3306@',
  '7-',
  '1:',
  ':',
  '/',
  '?',
  '#',
  '@',
  '[',
  '%',
  '%40',
];
const HOSTS = ['db.example:5432/shop', 'db', '[::1]:8108', 'tcp(db.example:3306)/shop', '127.0.0.1:80/?a=b', 'bücher.example/x'];
const encoded = (text: string, times: number): string =>
  times === 0 ? text : encoded(encodeURIComponent(text).replaceAll("'", '%27'), times - 1);

/** How a credential is written. */
const FORMS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'a header with a scheme': fc
    .tuple(one(SCHEMES), secretOf(without('')))
    .map(([scheme, secret]) => `Authorization: ${scheme} ${secret}`),
  'a list of cookies': secretOf(without('"')).map((secret) => `cookie: theme=dark; id=${secret}; last=${END}`),
  JSON: fc
    .tuple(one(NAMES), secretOf(PRINTABLE))
    .map(([name, secret]) => JSON.stringify({ user: 'ada', [name]: secret, page: 1 })),
  'an inspected object': fc
    .tuple(one(NAMES), secretOf(without('"`')))
    .map(([name, secret]) => inspect({ user: 'ada', [name]: secret })),
  'a list of headers': fc
    .tuple(one(['authorization', 'x-api-key', 'cookie']), secretOf(without('"\'`\\')))
    .map(([name, secret]) => inspect(['host', 'db', name, secret])),
  'a quoted value of libpq': secretOf(PRINTABLE).map(
    (secret) => `host=db password=${quoted(secret, "'", (mark) => `\\${mark}`)} dbname=shop`,
  ),
  'a quoted value of ADO': fc
    .tuple(fc.constantFrom('"', "'"), secretOf(without('\\')))
    .map(([mark, secret]) => `Server=db;Password=${mark}${secret.replaceAll(mark, mark + mark)}${mark};Database=shop`),
  'an assignment': fc.tuple(one(NAMES), secretOf(without(' &;"\'%'))).map(([name, secret]) => `${name}=${secret} next`),
  'an option of a command': fc
    .tuple(one(['password', 'api-key', 'token', 'client-secret']), fc.constantFrom('=', ' '), secretOf(without(' &;"\'%')))
    .map(([name, sign, secret]) => `tool --${name}${sign}${secret} --verbose`),
  'the password of an address': fc
    .tuple(one(ADDRESS_SCHEMES), one(USERS), one(STARTS), secretOf(without(' "<>')), one(HOSTS))
    .map(([scheme, user, start, secret, host]) => `${scheme}${user}:${start}${secret}@${host}`),
  'the encoded password of an address': fc
    .tuple(one(STARTS), secretOf(PRINTABLE), one(HOSTS))
    .map(([start, secret, host]) => `https://ada:${encodeURIComponent(start + secret).replaceAll("'", '%27')}@${host}`),
  'the password of an encoded address': fc
    .tuple(one(ADDRESS_SCHEMES), one(USERS), one(STARTS), secretOf(without(' "<>')), one(HOSTS), fc.integer({ min: 1, max: 3 }))
    .map(([scheme, user, start, secret, host, times]) =>
      encoded(`${scheme}${user}:${encodeURIComponent(start + secret)}@${host}`, times),
    ),
  'a password before a host': fc
    .tuple(one(USERS), one(STARTS), secretOf(without(' "<>')), one(HOSTS))
    .filter(([user, start, secret]) => user !== '' && !`${start}${secret}`.startsWith('//'))
    .map(([user, start, secret, host]) => `connect ${user}:${start}${secret}@${host}`),
  'a query': fc
    .tuple(one(QUERY_NAMES), fc.constantFrom('?', '?a=b&'), secretOf(PRINTABLE))
    .map(
      ([name, before, secret]) =>
        `https://db.example/x${before}${name}=${encodeURIComponent(secret).replaceAll("'", '%27')}&page=1`,
    ),
  XML: secretOf(without('<>&')).map((secret) => `<client-secret type="text">${secret}</client-secret>`),
};

/** Where it is written. */
const PLACES: Readonly<Record<string, (text: string) => string>> = {
  alone: (text) => text,
  'in a sentence': (text) => `The request failed: ${text}`,
  'in lines': (text) => `first line\n${text}\nlast line`,
  'in a string of JSON': (text) => JSON.stringify({ message: `failed with ${text}`, status: 401 }),
  'in JSON within JSON': (text) => JSON.stringify({ body: JSON.stringify({ message: text, status: 401 }) }),
  'after another credential': (text) => `token=abcdef ${text}`,
  'in an inspected error': (text) => inspect({ cause: { message: text } }, { depth: 5 }),
  'with its end cut off': (text) => text.slice(0, text.indexOf(BEGIN) + BEGIN.length),
};
/** Without their end they say nothing of what they are. */
const NEED_AN_END = [
  'the password of an address',
  'the encoded password of an address',
  'the password of an encoded address',
  'a password before a host',
];

describe('a credential is hidden, whatever its characters are', () => {
  for (const [form, texts] of Object.entries(FORMS))
    it.each(Object.keys(PLACES).filter((place) => place !== 'with its end cut off' || !NEED_AN_END.includes(form)))(
      `${form}, %s`,
      (place) => {
        fc.assert(
          fc.property(texts, (text) => {
            const hidden = withoutCredentials(PLACES[place]?.(text) ?? '');
            expect(hidden).not.toContain(BEGIN);
            expect(hidden).not.toContain(END);
          }),
          { numRuns: 150 },
        );
      },
    );
});

// A square of the length would end no test.
it.each([
  'password',
  'a:',
  'a:b@',
  '@a:',
  'x://@',
  '://@',
  'localhost:8/@',
  '%40',
  '%253A%2F%2f%2540',
  '://',
  'x://a:',
  "password='",
  'password="\\',
  '\\"',
  "cookie=''",
  '--token ',
  '<token ',
  'eyJaaaaaaaa.',
  '-----BEGIN ',
  'bearer ',
  ' ',
  'a',
  '=',
  '%3d',
  'Aa_-',
  'key":"',
  "'',",
  '@',
  'password=',
  'token="\'',
])('reads a long text of %j in linear time', (part) => {
  const LENGTH = 1_000_000;
  expect(withoutCredentials(part.repeat(LENGTH / part.length)).length).toBeGreaterThan(0);
});
