import { describe, expect, it } from 'vitest';
import { parseManifest } from './manifest.ts';

const KEYS = ['key', 'other', 'token'];
const FILES = { authority: 'host', certificate: 'host', clientKey: 'host', document: 'driver' } as const;

function problemsOf(permissions: object): string {
  const result = parseManifest({
    manifestVersion: 1,
    id: 'x',
    sdk: '^1.1',
    title: 'X',
    tagline: 'An X.',
    category: 'other',
    icon: 'M0 0h24v24z',
    terms: { table: { one: 'T', other: 'Ts' }, row: { one: 'R', other: 'Rs' }, column: { one: 'C', other: 'Cs' } },
    connection: {
      fields: [
        { id: 'host', label: 'Host', type: 'text' },
        { id: 'port', label: 'Port', type: 'number' },
        { id: 'mode', label: 'Mode', type: 'select', options: ['off', 'on'].map((value) => ({ value, label: value })) },
        { id: 'how', label: 'Sign in', type: 'select', options: ['a', 'b'].map((value) => ({ value, label: value })) },
        ...KEYS.map((id) => ({ id, label: id, type: 'secret' })),
        ...Object.entries(FILES).map(([id, readBy]) => ({ id, label: id, type: 'file', readBy })),
      ],
    },
    permissions,
    reading: { maxSorts: 0 },
  });
  return result.ok ? '' : result.problems.join('\n');
}

const place = {
  host: { field: 'host', whenEmpty: 'localhost' },
  port: { field: 'port', whenEmpty: 80 },
  scheme: { field: 'mode', plainValues: ['off'] },
};

function withCredentials(credentials: readonly object[], furtherCredentials: readonly object[] = []): object {
  const further = { id: 'cloud', label: 'Cloud', reason: 'It costs.', origin: 'https://api.example.com' };
  return { http: { origin: place, credentials, furtherOrigins: [{ ...further, credentials: furtherCredentials }] } };
}

const header = { scheme: 'header', headers: ['x-key'], field: 'key' };
const bearer = { scheme: 'bearer', field: 'key' };
const query = { scheme: 'query', parameter: 'key', field: 'key' };
const basic = { scheme: 'basic', user: 'host', field: 'key' };
const jwt = { scheme: 'jwt', algorithm: 'RS256', claims: {}, field: 'key' };
const sigv4 = { scheme: 'sigv4', accessKey: 'host', region: { value: 'r' }, service: 's3', field: 'key' };
const tokenUrl = { value: 'https://login.example/token' };
const client = { scheme: 'oauth2', grant: 'clientCredentials', clientId: 'host', tokenUrl, field: 'key' };
const signIn = {
  ...{ scheme: 'oauth2', grant: 'signIn', clientId: { value: 'tabularium' }, tokenUrl, field: 'key' },
  authorizationUrl: { value: 'https://login.example/authorize' },
};
const elsewhere = { ...signIn, tokenUrl: { value: 'https://other.example/token' } };
const when = (value: string): object => ({ when: { field: 'how', values: [value] } });

describe('the secret of a field', () => {
  it.each<[string, object]>([
    ['a refresh token', signIn],
    ['a client secret', client],
    ["a sign-in's client secret", { ...signIn, field: 'other', clientSecret: 'key' }],
    ['a key that signs tokens', jwt],
    ['a key that signs requests', sigv4],
  ])('is refused where it is %s and is sent as it is, too', (_what, hidden) => {
    for (const sent of [header, bearer, query, basic, { ...sigv4, field: 'token', sessionToken: 'key' }]) {
      for (const pair of [
        [hidden, sent],
        [sent, hidden],
        [
          { ...hidden, ...when('a') },
          { ...sent, ...when('b') },
        ],
      ])
        expect(problemsOf(withCredentials(pair))).toContain('permissions.http.credentials.1: ');
    }
    // A sign-in has to be the first origin's own.
    expect(problemsOf(withCredentials([hidden], [header]))).toContain('furtherOrigins.0.credentials.0: ');
    expect(problemsOf(withCredentials([hidden]))).toBe('');
  });

  it('is refused where it is two of what no server gets', () => {
    for (const pair of [[signIn, jwt], [signIn, client], [client, sigv4], [{ ...signIn, clientSecret: 'key' }]])
      expect(problemsOf(withCredentials(pair)), JSON.stringify(pair)).toContain('Give each a field of its own.');
  });

  it('of a sign-in is refused at two providers at once, and allowed where a form has one of them', () => {
    expect(problemsOf(withCredentials([signIn, elsewhere]))).toContain('different providers');
    expect(
      problemsOf(
        withCredentials([
          { ...signIn, ...when('a') },
          { ...elsewhere, ...when('b') },
        ]),
      ),
    ).toBe('');
  });

  it('may go to several servers in the same way, and a sign-in to a further origin', () => {
    expect(problemsOf(withCredentials([header, bearer, query], [bearer]))).toBe('');
    expect(problemsOf(withCredentials([{ ...signIn, clientSecret: 'other' }], [{ ...signIn, clientSecret: 'other' }]))).toBe('');
    expect(
      problemsOf(
        withCredentials([
          { ...client, ...when('a') },
          { ...signIn, field: 'other', clientSecret: 'key' },
        ]),
      ),
    ).toBe('');
  });
});

describe('a file of the form', () => {
  const files = (field: string): object => ({ files: [{ field, access: 'read', reason: 'It is read.' }] });
  const tls = (part: string, field: string): object => ({ mode: { field: 'mode' }, [part]: field });

  it('that the host reads is refused among the files of the driver', () => {
    expect(problemsOf(files('document'))).toBe('');
    for (const field of ['authority', 'certificate', 'clientKey'])
      expect(problemsOf(files(field))).toContain('permissions.files.0.field: ');
  });

  it.each(['certificateAuthorityFile', 'clientCertificateFile', 'clientKeyFile'])(
    'that the driver reads is refused as %s',
    (part) => {
      const mapped = { id: 'near', label: 'Near', reason: 'It is near.', origin: { ...place, host: { field: 'host' } } };
      const ways = (field: string): readonly (readonly [string, object])[] => [
        ['http', { http: { origin: place, tls: tls(part, field) } }],
        ['socket', { socket: { endpoint: place, tls: tls(part, field) } }],
        ['http.furtherOrigins.0', { http: { origin: place, furtherOrigins: [{ ...mapped, tls: tls(part, field) }] } }],
      ];
      for (const [where, permissions] of ways('document'))
        expect(problemsOf(permissions)).toContain(`permissions.${where}.tls.${part}: `);
      for (const [, permissions] of ways('clientKey')) expect(problemsOf(permissions)).toBe('');
    },
  );
});
