import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { SettingsValues } from '../../../common/connection.ts';
import { testManifest } from '../processes/processes.test-helper.ts';
import { TestCertificates, addedHeaders } from './broker.test-helper.ts';
import type { HttpGrant } from './httpGrant.ts';
import { approvedGrant } from './sealed.test-helper.ts';

const manifest = testManifest({
  connection: {
    fields: [
      { id: 'host', label: 'Host', type: 'text' },
      { id: 'port', label: 'Port', type: 'number' },
      { id: 'nodes', label: 'Nodes', type: 'text' },
      { id: 'pathPrefix', label: 'Path prefix', type: 'text' },
      { id: 'key', label: 'API key', type: 'secret', required: true },
      { id: 'token', label: 'Token', type: 'secret' },
      {
        id: 'sslMode',
        label: 'SSL mode',
        type: 'select',
        options: ['disabled', 'required', 'verifyCa', 'verifyIdentity', 'unknown'].map((value) => ({ value, label: value })),
        default: 'disabled',
      },
      { id: 'skip', label: 'Skip TLS verification', type: 'toggle' },
      { id: 'ca', label: 'CA', type: 'file', readBy: 'host' },
      { id: 'cert', label: 'Certificate', type: 'file', readBy: 'host' },
      { id: 'certKey', label: 'Key', type: 'file', readBy: 'host' },
    ],
  },
  permissions: {
    http: {
      origin: {
        host: { field: 'host', whenEmpty: 'localhost' },
        port: { field: 'port', whenEmpty: 8108 },
        scheme: { field: 'sslMode', plainValues: ['disabled'] },
        nodes: { field: 'nodes' },
        pathPrefix: { field: 'pathPrefix' },
      },
      credentials: [
        { field: 'key', headers: ['X-One-Key', 'X-Two-Key'] },
        { field: 'token', headers: ['Authorization'], prefix: 'Bearer ' },
      ],
      tls: {
        mode: { field: 'sslMode', encryptOnly: ['required'], verifyChain: ['verifyCa'], verifyIdentity: ['verifyIdentity'] },
        skipVerification: 'skip',
        certificateAuthorityFile: 'ca',
        clientCertificateFile: 'cert',
        clientKeyFile: 'certKey',
      },
      timeoutMilliseconds: 12_000,
    },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'tabularium-grant-'));
const certificates = new TestCertificates(folder);
const authority = certificates.authority;
const { cert, key } = certificates.issue('client', 'DNS:client');
rmSync(folder, { recursive: true });
const files: Readonly<Record<string, string>> = { '/ca': authority, '/cert': cert, '/key': key };
async function readFile(path: string): Promise<string> {
  const text = files[path];
  if (text === undefined) throw Object.assign(new Error('Not there.'), { code: 'ENOENT' });
  return text;
}
const grant = (settings: SettingsValues, secrets: Record<string, string> = { key: 'secret-key' }): Promise<HttpGrant> =>
  approvedGrant(manifest, settings, secrets, readFile);

describe('the origin', () => {
  it.each<[SettingsValues, string]>([
    [{}, 'http://localhost:8108'],
    [{ host: ' db.example ', port: 443, sslMode: 'required' }, 'https://db.example:443'],
    [{ host: '::1' }, 'http://[::1]:8108'],
    [{ host: '[fe80::1]', port: 1 }, 'http://[fe80::1]:1'],
    [{ host: '10.0.0.1', sslMode: 'unknown' }, 'https://10.0.0.1:8108'],
    [{ host: '', port: 8109 }, 'http://localhost:8109'],
  ])('of %j is %s', async (settings, url) => {
    expect((await grant(settings)).url).toBe(url);
  });

  it.each([
    'http://db.example',
    'db.example/path',
    'user@db.example',
    'user:pass@db.example',
    'db.example:80',
    'db.example\r\nHost: evil',
    'db example',
    'db.example#x',
    'db.example?x',
    'db\\x',
    '-db',
    '[::1',
    '::1]:80',
    'dß.example',
    'x'.repeat(300),
  ])('refuses the host %j', async (host) => {
    await expect(grant({ host })).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'host' } });
  });

  it.each([0, 65_536, 1.5, -1, 'x', true])('refuses the port %j', async (port) => {
    await expect(grant({ port })).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'port' } });
  });
});

describe('further nodes', () => {
  it.each<[SettingsValues, string[]]>([
    [{}, []],
    [{ nodes: '  ' }, []],
    [
      { port: 9, nodes: 'two.example, three.example:8109\n[::1] fe80::2,[::3]:7' },
      ['http://two.example:9', 'http://three.example:8109', 'http://[::1]:9', 'http://[fe80::2]:9', 'http://[::3]:7'],
    ],
    [{ sslMode: 'verifyIdentity', nodes: 'two.example' }, ['https://two.example:8108']],
  ])('of %j are %j', async (settings, urls) => {
    const { nodes } = await grant(settings);
    expect(nodes.map(({ url }) => url)).toEqual(urls);
    for (const node of nodes) expect(await addedHeaders(node)).toContainEqual(['x-one-key', 'secret-key']);
  });

  it.each([
    'http://two.example',
    'two.example/path',
    'user@two.example',
    'two.example:80@evil.example',
    'two.example:',
    'two.example:0',
    'two.example:65536',
    'two.example:1:2',
    ':80',
    '[::1',
    'dß.example',
    'two.example#x',
    'two.example;three.example',
    Array.from({ length: 16 }, (_, index) => `n${index}.example`).join(),
  ])('refuses %j', async (nodes) => {
    await expect(grant({ nodes })).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'nodes' } });
  });
});

describe('the path prefix', () => {
  it.each([
    ['', ''],
    ['/', ''],
    ['search', '/search'],
    ['/a/b-1.0//', '/a/b-1.0'],
  ])('%j is %j', async (text, prefix) => {
    expect((await grant({ pathPrefix: text })).origin.pathPrefix).toBe(prefix);
  });

  it.each([
    '/../x',
    '/a/..',
    '/.',
    '/a%2e',
    '/a?x',
    '/a#x',
    '/a//b',
    '/a b',
    '@evil.example/',
    'http://evil.example',
    '/a\\b',
    '/ß',
  ])('refuses %j', async (pathPrefix) => {
    await expect(grant({ pathPrefix })).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'pathPrefix' } });
  });
});

describe('TLS', () => {
  it.each<[SettingsValues, HttpGrant['tls']]>([
    [{ sslMode: 'disabled' }, undefined],
    [{ sslMode: 'required' }, { verification: 'none' }],
    [{ sslMode: 'verifyCa' }, { verification: 'chain' }],
    [{ sslMode: 'verifyIdentity' }, { verification: 'identity' }],
    [{ sslMode: 'unknown' }, { verification: 'identity' }],
    [{ sslMode: 'verifyIdentity', skip: true }, { verification: 'none' }],
    [
      { sslMode: 'verifyCa', ca: '/ca' },
      { verification: 'chain', certificateAuthority: authority },
    ],
    [
      { sslMode: 'verifyIdentity', cert: '/cert', certKey: '/key' },
      { verification: 'identity', clientCertificate: cert, clientKey: key },
    ],
  ])('is that of %j', async (settings, policy) => {
    expect((await grant(settings)).tls).toEqual(policy);
  });

  it('says which file cannot be read, and that a certificate needs its key', async () => {
    await expect(grant({ sslMode: 'verifyCa', ca: '/gone' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'The file /gone does not exist.',
      details: { field: 'ca' },
    });
    await expect(grant({ sslMode: 'verifyCa', cert: '/cert' })).rejects.toMatchObject({ details: { field: 'certKey' } });
  });
});

describe('credentials', () => {
  it('become headers, and a field that is left empty none', async () => {
    const both = await grant({}, { key: 'abcd', token: 'efgh' });
    expect(await addedHeaders(both)).toEqual([
      ['x-one-key', 'abcd'],
      ['x-two-key', 'abcd'],
      ['authorization', 'Bearer efgh'],
    ]);
    const one = await grant({});
    expect((await addedHeaders(one)).map(([name]) => name)).toEqual(['x-one-key', 'x-two-key']);
    expect([...one.credentialHeaders]).toEqual(['x-one-key', 'x-two-key', 'authorization']);
  });

  it('are asked for by name when a required one is missing', async () => {
    await expect(grant({}, {})).rejects.toMatchObject({
      code: 'CREDENTIALS_MISSING',
      message: 'API key is missing.',
      details: { field: 'key' },
    });
  });

  it.each(['qz\r\nqz', 'qz\nqz', ' qz', 'qz ', 'qzä', 'qz\u0000'])('refuse %j without repeating it', async (key) => {
    await expect(grant({}, { key })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.not.stringContaining('qz') as string,
      details: { field: 'key' },
    });
  });

  it('are found in what repeats them, and are not shown by any way of printing', async () => {
    const both = await grant({}, { key: 'abcd', token: 'xy' });
    expect(both.repeatsSecret('say abcd!')).toBe(true);
    expect(both.repeatsSecret('xy')).toBe(true);
    expect(both.repeatsSecret('boxy')).toBe(false);
    const tls = await grant({ sslMode: 'verifyCa', cert: '/cert', certKey: '/key' });
    for (const shown of [
      inspect(both, { showHidden: true, depth: 9 }),
      JSON.stringify(both),
      inspect({ ...tls }),
      JSON.stringify(tls),
    ]) {
      expect(shown).not.toMatch(/abcd|PRIVATE KEY/);
    }
  });
});
