import { describe, expect, it } from 'vitest';
import { splitAddress } from './splitAddress.ts';
import { plainManifest } from '../../common/plainManifest.test-helper.ts';

const modes = ['disabled', 'required', 'verifyIdentity'].map((value) => ({ value, label: value }));
const manifest = plainManifest({
  id: 'example',
  sdk: '^1.1',
  title: 'Example',
  connection: {
    fields: [
      { id: 'host', label: 'Host', type: 'text' },
      { id: 'port', label: 'Port', type: 'number' },
      { id: 'sslMode', label: 'SSL Mode', type: 'select', options: modes },
      { id: 'pathPrefix', label: 'Path', type: 'text' },
    ],
  },
  permissions: {
    http: {
      origin: {
        host: { field: 'host', whenEmpty: 'localhost' },
        port: { field: 'port', whenEmpty: 1 },
        scheme: { field: 'sslMode', plainValues: ['disabled'] },
        pathPrefix: { field: 'pathPrefix' },
      },
      tls: { mode: { field: 'sslMode', encryptOnly: ['required'], verifyIdentity: ['verifyIdentity'] } },
    },
  },
  reading: { maxSorts: 0 },
});
const split = (text: string): unknown => splitAddress(manifest, 'host', text);

describe('an address in the host field', () => {
  it.each([
    ['https://xyz.example:443/prefix', 'xyz.example', '443', 'verifyIdentity', '/prefix'],
    ['https://xyz.example', 'xyz.example', '443', 'verifyIdentity', ''],
    [' HTTP://Localhost:8108/ ', 'localhost', '8108', 'disabled', ''],
    ['http://search.example/a/b//?q=1#x', 'search.example', '80', 'disabled', '/a/b'],
    ['https://[fe80::1]:8108', '[fe80::1]', '8108', 'verifyIdentity', ''],
  ])('%s fills in the fields', (text, host, port, sslMode, pathPrefix) => {
    expect(split(text)).toEqual({ host, port, sslMode, pathPrefix });
  });

  it.each([
    ['node.example:9000', { host: 'node.example', port: '9000' }],
    ['[::1]:9000', { host: '[::1]', port: '9000' }],
  ])('%s fills in host and port', (text, parts) => {
    expect(split(text)).toEqual(parts);
  });

  it.each([
    'node.example',
    '',
    '::1',
    'fe80::1:9000',
    'https://',
    'ftp://x.example',
    'https://user:secret@x.example',
    'a:b',
    'x.example:999999',
  ])('%j stays as it is', (text) => {
    expect(split(text)).toBeUndefined();
  });

  it('is split in the host field alone', () => {
    expect(splitAddress(manifest, 'pathPrefix', 'https://xyz.example')).toBeUndefined();
  });
});
