import { gzipSync } from 'node:zlib';
import { tokenAddress } from '@tabularium/sdk/manifest';
import { describe, expect, it } from 'vitest';
import { testBody, testRequest, textOf } from '../broker.test-helper.ts';
import { testSender } from '../sealed.test-helper.ts';
import { secretReach } from '../serverDestination.ts';
import { brokerFor, manifestWith, serve } from './credentials.test-helper.ts';
import type { Credentials, Respond } from './credentials.test-helper.ts';

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

  const token =
    (more: object, status = 200): Respond =>
    (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ access_token: 'token', token_type: 'Bearer', ...more }));
    };

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
    ['sends without end', (_request, response) => response.end(Buffer.alloc(200_000, 'x')), 'BAD_ANSWER'],
    [
      'sends a bomb',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
        response.end(gzipSync(Buffer.alloc(20_000_000, ' ')));
      },
      'BAD_ANSWER',
    ],
    ['gives a token of another type', token({ token_type: 'mac' }), 'BAD_ANSWER'],
    ['gives a token with a line break', token({ access_token: 'client-s3cret\r\nx: 1' }), 'BAD_ANSWER'],
    ['gives a token with a null character', token({ access_token: 'client-s3cret\0' }), 'BAD_ANSWER'],
    ['gives a token beyond ASCII', token({ access_token: 'client-s3cret€' }), 'BAD_ANSWER'],
    ['gives a token of spaces', token({ access_token: ' ' }), 'BAD_ANSWER'],
    ['answers with 205', token({}, 205), 'CONNECTION_REFUSED'],
  ])('is not there when the token server %s; the error names it, and no secret', async (_name, respond, code) => {
    const [data, tokens] = [await serve(), await tokenServer(respond)];
    const broker = await open(data.port, tokens.port);
    const failed = await broker.request(testRequest()).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code });
    expect(String(failed)).toContain(`127.0.0.1:${tokens.port}`);
    expect(String(failed)).not.toContain('client-s3cret');
    expect(String(failed)).not.toContain('could not be reached');
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
