import { generateKeyPairSync } from 'node:crypto';
import { connect } from 'node:net';
import { DriverError } from '@tabularium/sdk';
import type { FurtherOriginInput } from '@tabularium/sdk/manifest';
import { describe, expect, it } from 'vitest';
import { testBody, testRequest, textOf } from './broker.test-helper.ts';
import { brokerFor, furtherOrigin, manifestWith, serve } from './credentials/credentials.test-helper.ts';
import type { Credentials } from './credentials/credentials.test-helper.ts';
import { HttpBroker } from './httpBroker.ts';
import type { BrokerRequest } from './httpBroker.ts';
import type { Tunnel } from './tunnel.ts';
import { httpGrantFor } from './httpGrant.ts';
import { approvedGrant, sealedFor, testSender } from './sealed.test-helper.ts';

const noFiles = () => Promise.reject(new Error('no files'));
const FIRST = 'first-s3cret';
const OTHER = 'other-s3cret';

const ask = async (broker: HttpBroker, changes: Partial<BrokerRequest> = {}): Promise<string> =>
  textOf((await broker.request(testRequest(changes))).body);

/** Two servers, and a broker whose further origin `more` is the second. */
async function pair(
  credentials: Credentials,
  ofMore: Credentials,
  more: Partial<FurtherOriginInput> = {},
  secrets = {},
  onMisuse?: (error: Error) => void,
) {
  const [first, second, tokens] = [
    await serve(),
    await serve((_request, response) => response.end('second')),
    await serve((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ access_token: 'acc3ss-token', token_type: 'Bearer', expires_in: 3_600 }));
    }),
  ];
  const settings = {
    port: first.port,
    ...{ host2: '127.0.0.1', port2: second.port, user: 'me', region: 'eu-1' },
    url: `http://127.0.0.1:${tokens.port}/token`,
  };
  const given = { key: FIRST, key2: OTHER, ...secrets };
  const broker = await brokerFor(credentials, settings, given, [furtherOrigin('more', ofMore, more)], onMisuse);
  return { broker, first, second };
}

const header: Credentials = [{ headers: ['x-api-key'], field: 'key' }];

describe('a request to a further origin', () => {
  it('goes there, and one without goes to the first', async () => {
    const { broker, first, second } = await pair(header, []);
    expect(await ask(broker, { path: '/a', origin: 'more' })).toBe('second');
    expect(await ask(broker, { path: '/b' })).toBe('ok');
    expect(first.requests.map(({ url }) => url)).toEqual(['/b']);
    expect(second.requests.map(({ url }) => url)).toEqual(['/a']);
    expect(broker.origins).toEqual([{ id: 'more', address: `127.0.0.1:${second.port}` }]);
  });

  it('names no node', async () => {
    const { broker } = await pair(header, []);
    const { node, body } = await broker.request(testRequest({ origin: 'more' }));
    await textOf(body);
    expect(node).toBeUndefined();
    await expect(broker.request(testRequest({ origin: 'more', node: 0 }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'The driver asked for a node of The more, which has none. Nothing was sent.',
    });
  });

  it('is under the same rules as one to the first', async () => {
    const { broker, second } = await pair(header, []);
    for (const path of ['//evil.example/', '/\\evil.example', 'https://evil.example/', '/a#b', '/a b', '@evil.example/'])
      await expect(broker.request(testRequest({ path, origin: 'more' }))).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    for (const name of ['host', 'Connection', 'transfer-encoding', 'proxy-authorization'])
      await expect(broker.request(testRequest({ headers: { [name]: 'x' }, origin: 'more' }))).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
      });
    expect(second.requests).toEqual([]);
  });

  it('stays within the path prefix of that origin', async () => {
    const [first, second] = [await serve(), await serve()];
    const [{ origin }] = [furtherOrigin('more')];
    const settings = { port: first.port, host2: '127.0.0.1', port2: second.port, region: '/kibana' };
    const broker = await brokerFor(header, settings, { key: FIRST }, [
      furtherOrigin('more', [], {
        origin: { ...(origin as object), pathPrefix: { field: 'region' } } as FurtherOriginInput['origin'],
      }),
    ]);
    await ask(broker, { path: '/api', origin: 'more' });
    await ask(broker, { path: '/api' });
    expect(second.requests[0]?.url).toBe('/kibana/api');
    expect(first.requests[0]?.url).toBe('/api');
    await expect(broker.request(testRequest({ path: '/%2e%2e/x', origin: 'more' }))).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });

  it('is handed a redirect unfollowed, also one to the first', async () => {
    const first = await serve();
    const second = await serve((_request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${first.port}/` });
      response.end();
    });
    const settings = { port: first.port, host2: '127.0.0.1', port2: second.port };
    const broker = await brokerFor(header, settings, { key: FIRST }, [
      furtherOrigin('more', [{ scheme: 'bearer', field: 'key2' }]),
    ]);
    expect((await broker.request(testRequest({ origin: 'more' }))).status).toBe(307);
    expect(first.requests).toEqual([]);
  });

  it('that fails names the origin by its label', async () => {
    const first = await serve();
    const broker = await brokerFor(header, { port: first.port, host2: '127.0.0.1', port2: 1 }, { key: FIRST }, [
      furtherOrigin('more'),
    ]);
    await expect(broker.request(testRequest({ origin: 'more' }))).rejects.toMatchObject({
      code: 'CONNECTION_REFUSED',
      message: expect.stringMatching(/^The more: .*127\.0\.0\.1:1/) as string,
    });
    expect(await ask(broker)).toBe('ok');
  });

  it.each(['other', '', 'More', '__proto__', 'constructor', 'toString', 'x\u202ey', '0'])(
    'that is not declared is refused: %j',
    async (origin) => {
      const { broker, first, second } = await pair(header, []);
      await expect(broker.request(testRequest({ origin }))).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
        message: expect.not.stringContaining('\u202e') as string,
      });
      expect([...first.requests, ...second.requests]).toEqual([]);
    },
  );

  it('that the form leaves empty is refused, with the field to fill in', async () => {
    const first = await serve();
    const broker = await brokerFor(header, { port: first.port, host2: '  ' }, { key: FIRST }, [
      furtherOrigin('more', [{ scheme: 'bearer', field: 'key2' }]),
    ]);
    expect(broker.origins).toEqual([{ id: 'more' }]);
    await expect(broker.request(testRequest({ origin: 'more' }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'This connection has no address for The more. Nothing was sent.',
      details: { field: 'host2', advice: "Enter the host of The more in the connection's settings." },
    });
    expect(first.requests).toEqual([]);
  });

  it('ends with the session', async () => {
    const { broker, second } = await pair(header, []);
    await broker.close();
    await expect(broker.request(testRequest({ origin: 'more' }))).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(second.requests).toEqual([]);
  });
});

describe('credentials', () => {
  const pem = String(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }));
  interface Scheme {
    readonly scheme: string;
    readonly secret?: string;
    readonly of: (field: string) => Credentials;
  }
  const schemes: readonly Scheme[] = [
    { scheme: 'header', of: (field) => [{ headers: ['x-api-key'], field }] },
    { scheme: 'query', of: (field) => [{ scheme: 'query', parameter: 'api_key', field }] },
    { scheme: 'basic', of: (field) => [{ scheme: 'basic', user: 'user', field }] },
    { scheme: 'bearer', of: (field) => [{ scheme: 'bearer', field }] },
    {
      scheme: 'jwt',
      secret: pem,
      of: (field) => [{ scheme: 'jwt', algorithm: 'ES256', claims: { iss: { field: 'user' } }, field }],
    },
    {
      scheme: 'sigv4',
      of: (field) => [{ scheme: 'sigv4', accessKey: 'user', region: { field: 'region' }, service: 'es', field }],
    },
    {
      scheme: 'oauth2',
      of: (field) => [{ scheme: 'oauth2', grant: 'clientCredentials', tokenUrl: { field: 'url' }, clientId: 'user', field }],
    },
  ];
  /** All of a request that could carry a credential. */
  const seen = (requests: readonly { readonly url: string; readonly headers: object; readonly body: string }[]): string =>
    JSON.stringify(requests.map(({ url, headers, body }) => ({ url, headers: { ...headers, host: '' }, body })));
  const plain = seen([{ url: '/x', headers: { host: '', connection: 'keep-alive' }, body: '' }]);

  it.each(schemes)('of the first origin never go to a further one: $scheme', async ({ of, secret = FIRST }) => {
    const { broker, first, second } = await pair(of('key'), [], {}, { key: secret });
    await ask(broker, { path: '/x' });
    await ask(broker, { path: '/x', origin: 'more' });
    expect(seen(first.requests)).not.toBe(plain);
    expect(seen(second.requests)).toBe(plain);
  });

  it.each(schemes)('of a further origin never go to the first: $scheme', async ({ of, secret = OTHER }) => {
    const { broker, first, second } = await pair([], of('key2'), {}, { key2: secret });
    await ask(broker, { path: '/x' });
    await ask(broker, { path: '/x', origin: 'more' });
    expect(seen(first.requests)).toBe(plain);
    expect(seen(second.requests)).not.toBe(plain);
  });

  it('of one field go to both origins only where both declare it', async () => {
    const { broker, first, second } = await pair(
      [{ scheme: 'bearer', field: 'key' }],
      [{ headers: ['x-api-key'], field: 'key' }],
    );
    await ask(broker);
    await ask(broker, { origin: 'more' });
    expect(first.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${FIRST}` });
    expect(first.requests[0]?.headers).not.toHaveProperty('x-api-key');
    expect(second.requests[0]?.headers).toMatchObject({ 'x-api-key': FIRST });
    expect(second.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each([['more'], [undefined]])('of any origin are written by the host alone, in requests to %s', async (origin) => {
    const { broker, first, second } = await pair(header, [
      { scheme: 'query', parameter: 'token', field: 'key2' },
      { headers: ['X-Other'], field: 'key2' },
    ]);
    const refused = { code: 'PERMISSION_DENIED' };
    await expect(broker.request(testRequest({ headers: { 'X-Api-Key': 'mine' }, origin }))).rejects.toMatchObject(refused);
    await expect(broker.request(testRequest({ headers: { 'x-other': 'mine' }, origin }))).rejects.toMatchObject(refused);
    await expect(broker.request(testRequest({ path: '/x?tok%65n=mine', origin }))).rejects.toMatchObject(refused);
    expect([...first.requests, ...second.requests]).toEqual([]);
  });

  const encodings = [
    FIRST,
    Buffer.from(FIRST).toString('base64'),
    Buffer.from(FIRST).toString('hex'),
    encodeURIComponent(`x ${FIRST}`),
  ];
  const bearer2: Credentials = [{ scheme: 'bearer', field: 'key2' }];
  const stopped = { code: 'DRIVER_FAULT', message: expect.stringContaining('a credential of one origin to another') as string };

  it.each(encodings)('that a driver has learnt from an echo are carried to no other origin: %s', async (learnt) => {
    for (const request of [{ headers: { 'x-note': learnt } }, { path: `/x?note=${encodeURIComponent(learnt)}` }]) {
      const { broker, first, second } = await pair(header, bearer2);
      // Back to the server that has it, nothing is given away.
      expect(await ask(broker, request)).toBe('ok');
      const sent = first.requests.length;
      await expect(broker.request(testRequest({ ...request, origin: 'more' }))).rejects.toMatchObject(stopped);
      expect([first.requests.length, second.requests.length]).toEqual([sent, 0]);
    }
  });

  it('end everything when a driver asks to carry one elsewhere: it learns nothing from another request', async () => {
    const misuses: unknown[] = [];
    const { broker, first, second } = await pair(header, bearer2, {}, {}, (error) => misuses.push(error));
    const guesses = [FIRST, 'another-guess-1', OTHER, FIRST].map((guess) => ({ headers: { 'x-note': guess }, origin: 'more' }));
    const results = await Promise.allSettled(guesses.map(async (guess) => broker.request(testRequest(guess))));
    expect(results.map((result) => result.status === 'rejected' && (result.reason as DriverError).code)).toEqual([
      'DRIVER_FAULT',
      'CANCELLED',
      'CANCELLED',
      'CANCELLED',
    ]);
    await expect(broker.request(testRequest())).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(misuses).toHaveLength(1);
    expect([...first.requests, ...second.requests]).toEqual([]);
  });

  it.each<[string, Partial<BrokerRequest>]>([
    ['an origin that the connection does not have', { origin: 'absent' }],
    ['an origin that is not declared', { origin: 'evil' }],
    ['a node of a further origin', { origin: 'more', node: 0 }],
    ['a node that is not there', { node: 7 }],
    ['a header of the host', { origin: 'more', headers: { host: 'x' } }],
    ['a header of a credential', { origin: 'more', headers: { 'x-api-key': 'x' } }],
    ['a path of another server', { origin: 'more', path: '//evil.example/' }],
  ])('are answered like a wrong guess in a request to %s', async (_name, request) => {
    const answers = await Promise.all(
      [FIRST, 'a-wrong-guess'].map(async (guess) => {
        const broker = await brokerFor(header, { port: 1, host2: '127.0.0.1', port2: 1 }, { key: FIRST, key2: OTHER }, [
          furtherOrigin('more', bearer2),
          furtherOrigin('absent', [], {
            origin: { ...(furtherOrigin('absent').origin as object), host: { field: 'user' } } as FurtherOriginInput['origin'],
          }),
        ]);
        const { path = '/', headers = {} } = request;
        const sent = { ...request, path: `${path}?note=${guess}`, headers: { ...headers, 'x-note': guess } };
        return broker.request(testRequest(sent)).then(
          () => 'sent',
          (error: unknown) => `${(error as DriverError).code} ${(error as DriverError).message}`,
        );
      }),
    );
    expect(answers[0]).toBe(answers[1]);
    expect(answers[0]).not.toMatch(/sent$|^DRIVER_FAULT/);
  });

  it('of a further origin are renewed there alone, after it has refused them', async () => {
    let count = 0;
    const first = await serve();
    const tokens = await serve((_request, response) => {
      count += 1;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ access_token: `acc3ss-${count}`, token_type: 'Bearer', expires_in: 3_600 }));
    });
    const second = await serve((request, response) => {
      response.statusCode = request.headers.authorization === 'Bearer acc3ss-1' ? 401 : 200;
      response.end();
    });
    const settings = {
      port: first.port,
      host2: '127.0.0.1',
      port2: second.port,
      user: 'me',
      url: `http://127.0.0.1:${tokens.port}/`,
    };
    const broker = await brokerFor([], settings, { key2: OTHER }, [
      furtherOrigin('more', [
        { scheme: 'oauth2', grant: 'clientCredentials', tokenUrl: { field: 'url' }, clientId: 'user', field: 'key2' },
      ]),
    ]);
    const { status } = await broker.request(
      testRequest({ method: 'POST', body: testBody(Buffer.from('x')), bodyBytes: 1, origin: 'more' }),
    );
    expect(status).toBe(200);
    expect(second.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer acc3ss-1', 'Bearer acc3ss-2']);
    expect(first.requests).toEqual([]);
  });
});

describe('with a tunnel', () => {
  it('requests to all origins go through it, those to a fixed address, too, whose name the far side looks up', async () => {
    const [first, second] = [await serve(), await serve()];
    const asked: string[] = [];
    const tunnel: Tunnel = {
      kind: 'socks',
      openings: 0,
      isOpen: true,
      refusal: undefined,
      address: '127.0.0.1:1080',
      hold: () => undefined,
      release: () => undefined,
      ready: async () => undefined,
      open: async (host, port) => {
        asked.push(`${host}:${port}`);
        if (port === 443) throw new DriverError('CONNECTION_REFUSED', 'The proxy refused it.');
        return connect(port, '127.0.0.1');
      },
    };
    const cloud = furtherOrigin('cloud', [], { origin: 'https://api.example.com' });
    const driver = {
      ...testSender(manifestWith(header, [furtherOrigin('more'), cloud])),
      allowedGrants: ['https://api.example.com'] as const,
    };
    const settings = { host: 'db.inside', port: first.port, host2: 'boards.inside', port2: second.port };
    const grant = await httpGrantFor(driver, settings, sealedFor(driver, settings, { key: FIRST }), noFiles, tunnel);
    const broker = new HttpBroker(grant);
    try {
      expect(await ask(broker)).toBe('ok');
      expect(await ask(broker, { origin: 'more' })).toBe('ok');
      await expect(broker.request(testRequest({ origin: 'cloud' }))).rejects.toMatchObject({ code: 'CONNECTION_REFUSED' });
    } finally {
      await broker.close();
    }
    expect(asked).toEqual([`db.inside:${first.port}`, `boards.inside:${second.port}`, 'api.example.com:443']);
  });
});

describe('the grant of a form', () => {
  const cloud = furtherOrigin('cloud', [], { origin: 'https://api.example.com', label: 'Cloud API' });

  it('has a fixed address only where a person has allowed it', async () => {
    const manifest = manifestWith([], [cloud]);
    await expect(approvedGrant(manifest, { port: 1 }, {}, noFiles)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      message: expect.stringContaining('(Cloud API: https://api.example.com)') as string,
    });
    const driver = { ...testSender(manifest), allowedGrants: ['https://api.example.com'] as const };
    const grant = await httpGrantFor(driver, { port: 1 }, sealedFor(driver, { port: 1 }, {}), noFiles);
    expect(grant.further).toMatchObject([
      {
        id: 'cloud',
        grant: {
          origin: { scheme: 'https', host: 'api.example.com', port: 443, pathPrefix: '' },
          isFixed: true,
          further: [],
        },
      },
    ]);
    expect(grant.further[0]?.grant?.tls).toEqual({ verification: 'identity' });
  });

  it('is refused with the field where a further host is not one', async () => {
    await expect(
      approvedGrant(manifestWith([], [furtherOrigin('more')]), { port: 1, host2: 'a:b@c' }, {}, noFiles),
    ).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'host2' },
      message: expect.not.stringContaining('a:b') as string,
    });
  });

  it('needs the credential of a further origin only where the connection has it', async () => {
    const manifest = manifestWith(
      [],
      [furtherOrigin('more', [{ scheme: 'bearer', field: 'key2', when: { field: 'way', values: ['password'] } }])],
    );
    await expect(approvedGrant(manifest, { port: 1 }, {}, noFiles)).resolves.toBeDefined();
    await expect(approvedGrant(manifest, { port: 1, host2: 'db.example' }, {}, noFiles)).rejects.toMatchObject({
      code: 'CREDENTIALS_MISSING',
      details: { field: 'key2' },
    });
  });
});
