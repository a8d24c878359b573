import { generateKeyPairSync } from 'node:crypto';
import { createLocalJWKSet, exportJWK, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { testRequest, textOf } from '../broker.test-helper.ts';
import { HttpBroker } from '../httpBroker.ts';
import { testSender } from '../sealed.test-helper.ts';
import { secretReach } from '../serverDestination.ts';
import { brokerFor, manifestWith, serve } from './credentials.test-helper.ts';
import type { Credentials } from './credentials.test-helper.ts';

const PASSWORD = 'open sesame!';

describe('a credential of a user name and a password', () => {
  it.each([
    ['Aladdin', 'open sesame', 'QWxhZGRpbjpvcGVuIHNlc2FtZQ=='],
    ['test', '123£', 'dGVzdDoxMjPCow=='],
  ])('is as the examples of RFC 7617: %s', async (user, password, encoded) => {
    const { port, requests } = await serve();
    const broker = await brokerFor([{ scheme: 'basic', user: 'user', field: 'key' }], { port, user }, { key: password });
    await textOf((await broker.request(testRequest())).body);
    expect(requests[0]?.headers.authorization).toBe(`Basic ${encoded}`);
  });

  it('is written by the host alone', async () => {
    const { port, requests } = await serve();
    const broker = await brokerFor([{ scheme: 'basic', user: 'user', field: 'key' }], { port, user: 'me' }, { key: PASSWORD });
    await expect(broker.request(testRequest({ headers: { Authorization: 'Basic other' } }))).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    expect(requests).toEqual([]);
  });

  it('cannot be taken apart otherwise: a colon in the name and line breaks are refused, with the field', async () => {
    const credentials: Credentials = [{ scheme: 'basic', user: 'user', field: 'key' }];
    for (const [user, key, field] of [
      ['a:b', 'x', 'user'],
      ['a\nb', 'x', 'user'],
      ['a', 'x\r\ny: z', 'key'],
    ] as const) {
      await expect(brokerFor(credentials, { port: 1, user }, { key })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { field },
      });
    }
  });

  it('does not come back in a header: not the password, nor what was made of it', async () => {
    const { port } = await serve((request, response) => {
      response.setHeader('x-echo', request.headers.authorization ?? '');
      response.setHeader('x-password', PASSWORD);
      response.setHeader('x-plain', 'fine');
      response.end('ok');
    });
    const broker = await brokerFor([{ scheme: 'basic', user: 'user', field: 'key' }], { port, user: 'me' }, { key: PASSWORD });
    const { headers } = await broker.request(testRequest());
    expect(headers).toMatchObject({ 'x-plain': 'fine' });
    expect(headers).not.toHaveProperty('x-echo');
    expect(headers).not.toHaveProperty('x-password');
  });
});

describe('a credential in the query', () => {
  const credentials: Credentials = [{ scheme: 'query', parameter: 'api_key', field: 'key' }];

  it('is added after what the driver asks, encoded', async () => {
    const { port, requests } = await serve();
    const broker = await brokerFor(credentials, { port }, { key: 'a&b=c#ü' });
    await textOf((await broker.request(testRequest({ path: '/x' }))).body);
    await textOf((await broker.request(testRequest({ path: '/x?q=1' }))).body);
    expect(requests.map(({ url }) => url)).toEqual(['/x?api_key=a%26b%3Dc%23%C3%BC', '/x?q=1&api_key=a%26b%3Dc%23%C3%BC']);
  });

  it.each(['/x?api_key=mine', '/x?a=1&api_key', '/x?api%5Fkey=mine', '/x?a;api_key=mine', '/x?api%255Fkey=1', '/x?+api_key=1'])(
    'is never beside one of the driver: %s',
    async (path) => {
      const { port, requests } = await serve();
      const broker = await brokerFor(credentials, { port }, { key: 'k' });
      await expect(broker.request(testRequest({ path }))).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
      expect(requests).toEqual([]);
    },
  );
});

describe('a form with several ways to sign in', () => {
  const credentials: Credentials = [
    { scheme: 'basic', user: 'user', field: 'key', when: { field: 'way', values: ['password'] } },
    { scheme: 'bearer', field: 'token', when: { field: 'way', values: ['token'] } },
  ];

  it('uses the one that is chosen', async () => {
    const { port, requests } = await serve();
    const secrets = { key: PASSWORD, token: 'tok-en' };
    for (const way of ['password', 'token', 'none']) {
      const broker = await brokerFor(credentials, { port, user: 'me', way }, secrets);
      await textOf((await broker.request(testRequest())).body);
      await expect(broker.request(testRequest({ headers: { authorization: 'x' } }))).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
      });
    }
    const basic = `Basic ${Buffer.from(`me:${PASSWORD}`).toString('base64')}`;
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([basic, 'Bearer tok-en', undefined]);
  });

  it('needs the secret of the chosen one, and no other', async () => {
    await expect(brokerFor(credentials, { port: 1, user: 'me', way: 'token' }, { key: PASSWORD })).rejects.toMatchObject({
      code: 'CREDENTIALS_MISSING',
      details: { field: 'token' },
    });
    await expect(brokerFor(credentials, { port: 1, user: 'me' }, { key: PASSWORD })).resolves.toBeInstanceOf(HttpBroker);
  });

  it('binds a secret to the way that it is sent', () => {
    const manifest = manifestWith(credentials);
    const sentAs = (way: string, field: string) => secretReach(testSender(manifest), { port: 1, way }, field)?.sentAs;
    expect(sentAs('password', 'key')).toEqual(['authorization: Basic ']);
    expect(sentAs('token', 'key')).toEqual([]);
    expect(sentAs('token', 'token')).toEqual(['authorization: Bearer ']);
  });
});

describe('a signed token (JWT)', () => {
  const credentials = (algorithm: 'RS256' | 'ES256'): Credentials => [
    {
      scheme: 'jwt',
      field: 'key',
      algorithm,
      keyId: { value: 'k1' },
      claims: { iss: { field: 'user' }, aud: { value: 'https://db' } },
    },
  ];
  const pems = {
    RS256: generateKeyPairSync('rsa', { modulusLength: 2_048 }),
    ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  };
  const pem = (algorithm: 'RS256' | 'ES256') => String(pems[algorithm].privateKey.export({ type: 'pkcs8', format: 'pem' }));

  it.each(['RS256', 'ES256'] as const)('is what a server verifies by the public key: %s', async (algorithm) => {
    const { port, requests } = await serve();
    const broker = await brokerFor(credentials(algorithm), { port, user: 'me@db' }, { key: pem(algorithm) });
    for (let time = 0; time < 2; time += 1) await textOf((await broker.request(testRequest())).body);
    const [first = '', second] = requests.map(({ headers }) => headers.authorization);
    expect(second).toBe(first);
    const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(pems[algorithm].publicKey)), kid: 'k1', alg: algorithm }] });
    const { payload, protectedHeader } = await jwtVerify(first.replace('Bearer ', ''), keys, { audience: 'https://db' });
    expect(protectedHeader).toEqual({ alg: algorithm, typ: 'JWT', kid: 'k1' });
    expect(payload).toMatchObject({ iss: 'me@db', aud: 'https://db' });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600);
  });

  it('takes a key that a field of one line has left without line breaks', async () => {
    const { port } = await serve();
    const one = pem('ES256');
    for (const key of [one.replaceAll('\n', ''), one.replaceAll('\n', ' '), one.replaceAll('\n', String.raw`\n`)]) {
      await expect(brokerFor(credentials('ES256'), { port, user: 'me' }, { key })).resolves.toBeInstanceOf(HttpBroker);
    }
  });

  it('refuses any other text, with the field and without the key', async () => {
    for (const key of ['no key', pem('RS256'), '-----BEGIN PRIVATE KEY-----AAAA-----END PRIVATE KEY-----']) {
      const refused = await brokerFor(credentials('ES256'), { port: 1, user: 'me' }, { key }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'key' } });
      expect(String(refused)).not.toContain(key.slice(30, 60) || key);
    }
  });
});

describe('a manifest', () => {
  it('names fields that are there and of the right type, and hides none that decides where a secret goes', () => {
    const problems = (credentials: Credentials): string[] => {
      try {
        manifestWith(credentials);
        return [];
      } catch (error) {
        return (error as { readonly issues: readonly { readonly path: unknown[]; readonly message: string }[] }).issues.map(
          ({ path, message }) => `${path.join('.')}: ${message}`,
        );
      }
    };
    const at = 'permissions.http.credentials.0';
    expect(problems([{ scheme: 'basic', user: 'key', field: 'key' }])).toEqual([
      `${at}.user: The form field "key" must be of type text.`,
    ]);
    expect(problems([{ scheme: 'bearer', field: 'user' }])).toEqual([`${at}: The form field "user" must be of type secret.`]);
    expect(problems([{ scheme: 'bearer', field: 'key', when: { field: 'user', values: ['a'] } }])).toEqual([
      `${at}.when: The form field "user" must be of type select or toggle.`,
    ]);
    expect(problems([{ scheme: 'jwt', field: 'key', algorithm: 'ES256', claims: { iss: { field: 'gone' } } }])).toEqual([
      `${at}.claims.iss: There is no form field "gone".`,
    ]);
    expect(problems([{ scheme: 'sorcery', field: 'key' } as never])).toHaveLength(1);
  });
});
