import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import type { Server, TlsOptions } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DriverError } from '@tabularium/sdk';
import type { TestStep } from '../../../common/connection.ts';
import { OK, RawServer, TestCertificates, testGrant, testRequest, textOf } from './broker.test-helper.ts';
import { connectionError, connectionSentence } from './connectionErrors.ts';
import { HttpBroker } from './httpBroker.ts';
import type { TlsVerification } from './serverDestination.ts';
import type { TlsPolicy } from './tlsPolicy.ts';
import { probeOrigin } from './probeOrigin.ts';

const signal = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), 'tabularium-tls-'));
const certificates = new TestCertificates(folder);
const servers: Server[] = [];
const ports: Record<string, number> = {};
const client = certificates.issue('client', 'DNS:client');

async function start(name: string, options: TlsOptions): Promise<void> {
  const server = createServer(options, (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write(OK));
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  ports[name] = (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  const localhost = 'DNS:localhost,IP:127.0.0.1';
  await start('good', certificates.issue('good', localhost));
  await start('expired', certificates.issue('expired', localhost, { days: -1 }));
  await start('self-signed', certificates.issue('self-signed', localhost, { selfSigned: true }));
  await start('wrong host', certificates.issue('wrong-host', 'DNS:other.example'));
  await start('requires a client certificate', {
    ...certificates.issue('wants-client', localhost),
    ca: certificates.authority,
    requestCert: true,
    rejectUnauthorized: true,
  });
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

async function ask(server: string, tls: TlsPolicy, host = '127.0.0.1'): Promise<string> {
  const broker = new HttpBroker(testGrant({ scheme: 'https', host, port: ports[server] ?? 0 }, { tls }));
  try {
    return await textOf((await broker.request(testRequest())).body);
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^.*?: /, '') : String(error);
  } finally {
    await broker.close();
  }
}

async function probe(server: string, tls: TlsPolicy): Promise<TestStep[]> {
  const steps: TestStep[] = [];
  for await (const step of probeOrigin(
    testGrant({ scheme: 'https', host: '127.0.0.1', port: ports[server] ?? 0 }, { tls }),
    signal,
  )) {
    steps.push(step);
  }
  return steps;
}

const EXPIRED = 'its certificate has expired.';
const SELF_SIGNED = 'its certificate is self-signed.';
const OTHER_HOST = 'its certificate is for another host name.';
const UNTRUSTED = "its certificate was issued by an authority that this computer doesn't trust.";

describe('the TLS policy', () => {
  it.each<[string, TlsVerification, string]>([
    ['good', 'identity', 'ok'],
    ['good', 'chain', 'ok'],
    ['good', 'none', 'ok'],
    ['expired', 'identity', EXPIRED],
    ['expired', 'chain', EXPIRED],
    ['expired', 'none', 'ok'],
    ['self-signed', 'identity', SELF_SIGNED],
    ['self-signed', 'chain', SELF_SIGNED],
    ['self-signed', 'none', 'ok'],
    ['wrong host', 'identity', OTHER_HOST],
    ['wrong host', 'chain', 'ok'],
    ['wrong host', 'none', 'ok'],
  ])('with the authority given, %s, checking %s: %s', async (server, verification, outcome) => {
    expect(await ask(server, { verification, certificateAuthority: certificates.authority })).toBe(outcome);
  });

  it('trusts only the usual authorities where none is given', async () => {
    expect(await ask('good', { verification: 'identity' })).toBe(UNTRUSTED);
    expect(await ask('good', { verification: 'chain' })).toBe(UNTRUSTED);
    expect(await ask('good', { verification: 'none' })).toBe('ok');
  });

  it('checks a name as well as an address', async () => {
    expect(await ask('good', { verification: 'identity', certificateAuthority: certificates.authority }, 'localhost')).toBe('ok');
    expect(await ask('wrong host', { verification: 'identity', certificateAuthority: certificates.authority }, 'localhost')).toBe(
      OTHER_HOST,
    );
  });

  it('shows the client certificate to a server that requires one', async () => {
    const policy: TlsPolicy = {
      verification: 'identity',
      certificateAuthority: certificates.authority,
      clientCertificate: client.cert,
      clientKey: client.key,
    };
    expect(await ask('requires a client certificate', policy)).toBe('ok');
  });

  it.each([
    ['TLSv1.3', 'CONNECTION_LOST', /If the server asks for a client certificate/],
    ['TLSv1.2', 'TLS_FAILED', /SSL mode/],
  ] as const)('points to the client certificate when one is missing: %s', async (maxVersion, code, advice) => {
    await start(maxVersion, {
      ...certificates.issue(maxVersion, 'IP:127.0.0.1'),
      ca: certificates.authority,
      requestCert: true,
      rejectUnauthorized: true,
      maxVersion,
    });
    const broker = new HttpBroker(
      testGrant({ scheme: 'https', port: ports[maxVersion] ?? 0 }, { tls: { verification: 'none' } }),
    );
    await expect(broker.request(testRequest())).rejects.toSatisfy(
      (error: unknown) => error instanceof DriverError && error.code === code && advice.test(error.advice),
    );
    await broker.close();
  });

  it.each([
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'tlsClientAuthority', 'tlsClientCertificate'],
    ['ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', 'tlsClientRejected', 'tlsClientCertificate'],
    ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED', 'tlsClientExpired', 'tlsClientCertificate'],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED', 'tlsClientRevoked', 'tlsClientCertificate'],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN', 'tlsClientRejected', 'tlsClientCertificate'],
    ['ERR_SSL_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE', 'tlsClientRejected', 'tlsClientCertificate'],
    ['ERR_SSL_TLSV1_ALERT_ACCESS_DENIED', 'tlsClientRejected', 'tlsClientCertificate'],
    ['ERR_SSL_TLSV1_ALERT_DECRYPT_ERROR', 'tlsClientRejected', 'tlsClientCertificate'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tlsClientRejected', 'tlsClientCertificate'],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'tlsHandshake', 'tlsHandshake'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'tlsAlert', 'tlsAlert'],
    ['ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', 'tlsAlert', 'tlsAlert'],
    ['ERR_OSSL_X509_KEY_VALUES_MISMATCH', 'tlsOwnFiles', 'tlsOwnFiles'],
    ['ERR_OSSL_CRYPTO_INTERRUPTED_OR_CANCELLED', 'tlsOwnFiles', 'tlsOwnFiles'],
  ] as const)('says what %s means: %s with a client certificate, %s without one', (code, shown, without) => {
    const error = Object.assign(new Error('x'), { code });
    const grantOf = (tls: TlsPolicy) => testGrant({ scheme: 'https', port: 1 }, { tls });
    const own = grantOf({ verification: 'none', clientCertificate: client.cert, clientKey: client.key });
    expect(connectionSentence(error, own)?.id).toBe(shown);
    expect(connectionSentence(error, grantOf({ verification: 'none' }))?.id).toBe(without);
    const { code: shownCode, details } = connectionError(error, own);
    expect(shownCode).toBe('TLS_FAILED');
    if (shown.startsWith('tlsClient')) expect(details.advice).toContain('another client certificate');
  });

  it('says when a server speaks no TLS', async () => {
    const plain = new RawServer(() => undefined);
    ports['plain'] = await plain.listen();
    plain.onConnection((socket) => socket.write(OK));
    expect(await ask('plain', { verification: 'none' })).toBe('it does not speak TLS on this port.');
    await plain.close();
  });
});

describe('the probe of Test Connection', () => {
  it('reports each step', async () => {
    const steps = await probe('good', { verification: 'identity', certificateAuthority: certificates.authority });
    expect(steps.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['name', 'skipped'],
      ['tcp', 'ok'],
      ['tls', 'ok'],
    ]);
    expect(steps[2]?.message).toBe('TLSv1.3; the certificate is trusted and for this host.');
    expect(steps.every(({ milliseconds }) => milliseconds === undefined || milliseconds >= 0)).toBe(true);
  });

  it('names the step that fails, and skips the rest', async () => {
    const tls: TlsPolicy = { verification: 'identity', certificateAuthority: certificates.authority };
    const expired = await probe('expired', tls);
    expect(expired.at(-1)).toMatchObject({ id: 'tls', outcome: 'failed', message: expect.stringContaining(EXPIRED) as string });
    ports['nothing'] = await closedPort();
    expect((await probe('nothing', tls)).map(({ id, outcome }) => [id, outcome])).toEqual([
      ['name', 'skipped'],
      ['tcp', 'failed'],
      ['tls', 'skipped'],
    ]);
    const steps: TestStep[] = [];
    for await (const step of probeOrigin(testGrant({ host: 'no-such-host.invalid' }), signal)) steps.push(step);
    expect(steps.map(({ outcome }) => outcome)).toEqual(['failed', 'skipped', 'skipped']);
    expect(steps[0]?.message).toMatch(/"no-such-host\.invalid" couldn't be resolved/);
  });

  it('skips TLS where there is none, and ends when cancelled', async () => {
    const steps: TestStep[] = [];
    for await (const step of probeOrigin(testGrant({ host: 'localhost', port: ports['good'] ?? 0 }), signal)) steps.push(step);
    expect(steps.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'skipped']);
    await expect(probeOrigin(testGrant({}), AbortSignal.abort()).next()).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

async function closedPort(): Promise<number> {
  const server = new RawServer(() => undefined);
  const port = await server.listen();
  await server.close();
  return port;
}
