import { createHash, createHmac, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createLocalJWKSet, exportJWK, jwtVerify } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { manifestSchema } from '@tabularium/sdk/manifest';
import type { Manifest, ManifestInput } from '@tabularium/sdk/manifest';
import type { SettingsValues } from '../../../../common/connection.ts';
import { testManifest } from '../../processes/processes.test-helper.ts';
import { testBody, testRequest, textOf } from '../broker.test-helper.ts';
import { HttpBroker } from '../httpBroker.ts';
import { approvedGrant, testSender } from '../sealed.test-helper.ts';
import { secretReach } from '../serverDestination.ts';
import { sigV4Credential } from './sigV4Credential.ts';
import { tokenAddress } from './tokenAddress.ts';

type Credentials = NonNullable<NonNullable<ManifestInput['permissions']>['http']>['credentials'];

const text = (id: string, more: object = {}) => ({ id, label: id, type: 'text' as const, ...more });
const secret = (id: string) => ({ id, label: id, type: 'secret' as const });

function manifestWith(credentials: Credentials): Manifest {
  return manifestSchema.parse({
    ...testManifest({}),
    connection: {
      fields: [
        text('host'),
        { id: 'port', label: 'port', type: 'number' },
        {
          id: 'mode',
          label: 'mode',
          type: 'select',
          default: 'plain',
          options: ['plain', 'tls'].map((value) => ({ value, label: value })),
        },
        {
          id: 'way',
          label: 'way',
          type: 'select',
          default: 'password',
          options: ['password', 'token', 'none'].map((value) => ({ value, label: value })),
        },
        text('user'),
        text('url'),
        text('region'),
        secret('key'),
        secret('token'),
      ],
    },
    permissions: {
      http: {
        origin: {
          host: { field: 'host', whenEmpty: '127.0.0.1' },
          port: { field: 'port', whenEmpty: 1 },
          scheme: { field: 'mode', plainValues: ['plain'] },
        },
        credentials,
      },
    },
  });
}

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

type Respond = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A server that keeps what it was asked. */
async function serve(respond: Respond = (_request, response) => response.end('ok')) {
  const requests: {
    readonly method: string;
    readonly url: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: string;
  }[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      respond(request, response, body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, requests };
}

const noFiles = () => Promise.reject(new Error('no files'));

async function brokerFor(
  credentials: Credentials,
  settings: SettingsValues,
  secrets: Record<string, string>,
): Promise<HttpBroker> {
  const broker = new HttpBroker(await approvedGrant(manifestWith(credentials), settings, secrets, noFiles));
  cleanups.push(() => broker.close());
  return broker;
}

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

describe('Signature Version 4', () => {
  // The published test suite of Amazon Web Services.
  const suite = {
    accessKey: 'AKIDEXAMPLE',
    secretKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    sessionToken: '',
    region: 'us-east-1',
    service: 'service',
  };
  const origin = { scheme: 'https', host: 'example.amazonaws.com', port: 443, pathPrefix: '' } as const;

  it.each([
    ['get-vanilla', 'GET', '/', '', '', 'host;x-amz-date', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    ['post-vanilla', 'POST', '/', '', '', 'host;x-amz-date', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
    [
      'get-vanilla-query-order-key-case',
      'GET',
      '/?Param2=value2&Param1=value1',
      '',
      '',
      'host;x-amz-date',
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
    [
      'post-x-www-form-urlencoded',
      'POST',
      '/',
      'application/x-www-form-urlencoded',
      'Param1=value1',
      'content-type;host;x-amz-date',
      'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
    ],
  ])('is that of the published vector %s', (_name, method, path, type, body, signedHeaders, signature) => {
    const request = {
      method,
      origin,
      path,
      headers: new Map(type === '' ? [] : [['content-type', type]]),
      body: body === '' ? ('none' as const) : Buffer.from(body),
    };
    void sigV4Credential(suite, () => new Date('2015-08-30T12:36:00Z')).apply(request, new AbortController().signal);
    expect(request.headers.get('authorization')).toBe(
      `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${signedHeaders}, Signature=${signature}`,
    );
    expect(request.headers.get('x-amz-date')).toBe('20150830T123600Z');
    expect(request.path).toBe(path);
  });

  const credentials: Credentials = [
    { scheme: 'sigv4', accessKey: 'user', field: 'key', sessionToken: 'token', region: { field: 'region' }, service: 'es' },
  ];

  it('is what a server computes from the request as it arrives', async () => {
    const { port, requests } = await serve();
    const broker = await brokerFor(
      credentials,
      { port, user: 'AKID', region: 'eu-1' },
      { key: 'the-secret-key', token: 'session-1' },
    );
    const bytes = Buffer.from('{"query":"ü"}');
    const body = testBody(bytes);
    await textOf(
      (
        await broker.request(
          testRequest({
            method: 'POST',
            path: '/i/_search?z=1&a=%20b',
            body,
            bodyBytes: bytes.length,
            headers: { 'Content-Type': 'application/json' },
          }),
        )
      ).body,
    );
    const [arrived] = requests;
    expect(arrived?.headers['x-amz-security-token']).toBe('session-1');
    if (arrived === undefined) throw new Error('Nothing arrived.');
    expect(arrived.headers.authorization).toBe(signatureOf(arrived, 'AKID', 'the-secret-key', 'eu-1', 'es'));
  });

  it('is not made for a body that cannot be read before, but for the service that takes one unsigned', async () => {
    const { port, requests } = await serve();
    const secrets = { key: 'the-secret-key' };
    const large = testBody(Buffer.alloc(1_500_000));
    const request = testRequest({ method: 'PUT', body: large, bodyBytes: 1_500_000 });
    const settings = { port, user: 'AKID', region: 'eu-1' };
    await expect((await brokerFor(credentials, settings, secrets)).request(request)).rejects.toMatchObject({
      code: 'UNSUPPORTED',
    });
    const s3: Credentials = [{ scheme: 'sigv4', accessKey: 'user', field: 'key', region: { value: 'eu-1' }, service: 's3' }];
    await textOf((await (await brokerFor(s3, settings, secrets)).request(request)).body);
    expect(requests.map(({ headers }) => headers['x-amz-content-sha256'])).toEqual(['UNSIGNED-PAYLOAD']);
  });

  it('names the part that is missing', async () => {
    await expect(brokerFor(credentials, { port: 1, region: 'eu-1' }, { key: 'k' })).rejects.toMatchObject({
      code: 'CREDENTIALS_MISSING',
      details: { field: 'user' },
    });
  });
});

/** The header as a server computes it from what it received; written from the specification, not from the client. */
function signatureOf(
  request: { readonly method: string; readonly url: string; readonly headers: IncomingMessage['headers']; readonly body: string },
  accessKey: string,
  secretKey: string,
  region: string,
  service: string,
): string {
  const sha256 = (data: string) => createHash('sha256').update(data).digest('hex');
  const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();
  const [path = '', query = ''] = request.url.split('?');
  const date = String(request.headers['x-amz-date']);
  const [, signedHeaders = ''] = /SignedHeaders=([^,]*)/.exec(request.headers.authorization ?? '') ?? [];
  const canonical = [
    request.method,
    path,
    query.split('&').toSorted().join('&'),
    ...signedHeaders.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}`),
    '',
    signedHeaders,
    sha256(request.body),
  ].join('\n');
  const scope = `${date.slice(0, 8)}/${region}/${service}/aws4_request`;
  const key = hmac(hmac(hmac(hmac(`AWS4${secretKey}`, date.slice(0, 8)), region), service), 'aws4_request');
  const signature = hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')).toString('hex');
  return `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`;
}

describe('an access token by client credentials (OAuth 2.0)', () => {
  const credentials: Credentials = [
    {
      scheme: 'oauth2',
      grant: 'clientCredentials',
      field: 'key',
      clientId: 'user',
      tokenUrl: { field: 'url' },
      scope: { value: 'read' },
    },
  ];

  async function tokenServer(respond?: Respond) {
    let count = 0;
    return serve(
      respond ??
        ((_request, response) => {
          count += 1;
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify({ access_token: `token-${count}`, token_type: 'Bearer', expires_in: 3_600 }));
        }),
    );
  }

  const open = (port: number, tokens: number, path = '/token') =>
    brokerFor(credentials, { port, user: 'my client', url: `http://127.0.0.1:${tokens}${path}` }, { key: 'client-s3cret' });

  it('is asked for once, with the secret for the token server alone, and serves many requests', async () => {
    const [data, tokens] = [await serve(), await tokenServer()];
    const broker = await open(data.port, tokens.port);
    await Promise.all(Array.from({ length: 5 }, async () => textOf((await broker.request(testRequest())).body)));
    expect(data.requests.map(({ headers }) => headers.authorization)).toEqual(Array.from({ length: 5 }, () => 'Bearer token-1'));
    expect(tokens.requests).toHaveLength(1);
    expect(tokens.requests[0]?.body).toBe('scope=read&grant_type=client_credentials');
    // RFC 6749, 2.3.1: each part is form-encoded first.
    const [, encoded = ''] = /^Basic (.*)$/.exec(tokens.requests[0]?.headers.authorization ?? '') ?? [];
    const [id = '', clientSecret = ''] = Buffer.from(encoded, 'base64').toString().split(':');
    expect([...new URLSearchParams(`${id}=${clientSecret}`)]).toEqual([['my client', 'client-s3cret']]);
    expect(JSON.stringify(data.requests)).not.toContain('client-s3cret');
  });

  it('is another one after the server has refused it, once', async () => {
    const tokens = await tokenServer();
    const data = await serve((request, response) => {
      response.statusCode = request.headers.authorization === 'Bearer token-1' ? 401 : 200;
      response.end();
    });
    const broker = await open(data.port, tokens.port);
    expect((await broker.request(testRequest({ method: 'POST', body: testBody(Buffer.from('x')), bodyBytes: 1 }))).status).toBe(
      200,
    );
    expect(data.requests.map(({ body }) => body)).toEqual(['x', 'x']);
    const never = await serve((_request, response) => {
      response.statusCode = 401;
      response.end('no');
    });
    const refused = await open(never.port, tokens.port);
    expect((await refused.request(testRequest())).status).toBe(401);
    expect(never.requests).toHaveLength(2);
  });

  it.each<[string, Respond, string]>([
    [
      'refuses',
      (_request, response) => {
        response.writeHead(401, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: 'invalid_client', error_description: 'client-s3cret is wrong' }));
      },
      'ACCESS_REFUSED',
    ],
    ['is none', (_request, response) => response.end('<html>'), 'CONNECTION_REFUSED'],
    [
      'sends elsewhere',
      (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      'CONNECTION_REFUSED',
    ],
    ['sends without end', (_request, response) => response.end(Buffer.alloc(200_000, 'x')), 'CONNECTION_REFUSED'],
  ])('is not there when the token server %s; the error names it, and no secret', async (_name, respond, code) => {
    const [data, tokens] = [await serve(), await tokenServer(respond)];
    const broker = await open(data.port, tokens.port);
    const failed = await broker.request(testRequest()).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code });
    expect(String(failed)).toContain(`127.0.0.1:${tokens.port}`);
    expect(String(failed)).not.toContain('client-s3cret');
    expect(data.requests).toEqual([]);
  });

  it('is waited for no longer than the request', async () => {
    const [data, tokens] = [await serve(), await tokenServer(() => undefined)];
    const broker = await open(data.port, tokens.port);
    const controller = new AbortController();
    const waiting = broker.request(testRequest({ signal: controller.signal }));
    await expect.poll(() => tokens.requests.length).toBe(1);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
    await broker.close();
  });

  it('binds the secret to the token server, too', () => {
    const manifest = manifestWith(credentials);
    const reach = (url: string) => secretReach(testSender(manifest), { port: 1, url }, 'key')?.origins;
    expect(reach('https://login.example/token')).toEqual(['http://127.0.0.1:1', 'https://login.example/token']);
  });
});

describe('the address of a token server', () => {
  it.each([
    'http://login.example/token',
    'ftp://login.example/',
    'login.example',
    '',
    'https://me:pw@login.example/',
    'https://a/#b',
  ])('is refused where the secret would not be safe: %s', (address) => {
    expect(tokenAddress(address).problem).toBeTypeOf('string');
  });
  it.each(['https://login.example/oauth2/token', 'http://127.0.0.1:9/token', 'http://localhost/token', 'http://[::1]:9/'])(
    'is taken: %s',
    (address) => {
      expect(tokenAddress(address).problem).toBeUndefined();
    },
  );
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
