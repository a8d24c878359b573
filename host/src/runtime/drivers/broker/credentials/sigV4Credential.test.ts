import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { testBody, testRequest, textOf } from '../broker.test-helper.ts';
import { brokerFor, serve } from './credentials.test-helper.ts';
import type { Credentials } from './credentials.test-helper.ts';
import { sigV4Credential } from './sigV4Credential.ts';

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
