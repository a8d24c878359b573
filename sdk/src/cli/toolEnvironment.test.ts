import { describe, expect, it } from 'vitest';
import { toolEnvironment } from './toolEnvironment.ts';

describe('the environment of a tool', () => {
  it('has the path, proxies and certificates, and nothing that may be secret', () => {
    expect(
      toolEnvironment({
        PATH: '/bin',
        Path: 'C:\\bin',
        https_proxy: 'http://proxy:3128',
        NO_PROXY: 'localhost',
        NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
        NPM_TOKEN: 'secret',
        AWS_SECRET_ACCESS_KEY: 'secret',
        PASSPHRASE: 'secret',
        NODE_OPTIONS: '--require /tmp/x.cjs',
        npm_config__auth: 'secret',
        MISSING: undefined,
      }),
    ).toEqual({
      PATH: '/bin',
      Path: 'C:\\bin',
      https_proxy: 'http://proxy:3128',
      NO_PROXY: 'localhost',
      NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
    });
  });

  it.each([
    ['http://ada:secret@proxy:3128', 'http://proxy:3128/'],
    ['http://proxy:3128', 'http://proxy:3128'],
    ['ada:secret@proxy:3128', ''],
    ['//ada:secret@proxy', ''],
    ['proxy:3128', 'proxy:3128'],
  ])('has the proxy %s as %s', (given, passed) => {
    expect(toolEnvironment({ HTTPS_PROXY: given })).toEqual({ HTTPS_PROXY: passed });
  });
});
