import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { directLoopback } from './directLoopback.ts';

/** Asks a server of its own, in both ways that Node has. */
const ASK_OWN_SERVER = `
const http = require('node:http');
const server = http.createServer((request, response) => response.end('direct')).listen(0, '127.0.0.1', async () => {
  const url = 'http://127.0.0.1:' + server.address().port + '/';
  console.log(await (await fetch(url)).text());
  http.get(url, (response) => { console.log(response.statusCode); response.resume(); server.close(); });
});`;

describe('directLoopback', () => {
  it.each([
    [{}, '127.0.0.1,localhost,::1'],
    [{ NO_PROXY: 'intern.example, .corp' }, 'intern.example,.corp,127.0.0.1,localhost,::1'],
    [{ NO_PROXY: 'big.example', no_proxy: 'localhost' }, 'localhost,127.0.0.1,::1'],
    [{ NO_PROXY: '*' }, '*'],
  ])('of %j is %s', (env, direct) => expect(directLoopback(env)).toEqual({ NO_PROXY: direct, no_proxy: direct }));

  it('has Node ask this machine directly, where the environment names a proxy', async () => {
    const env = { PATH: process.env['PATH'], NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9' };
    const ask = (more: object): Promise<string> =>
      promisify(execFile)(process.execPath, ['-e', ASK_OWN_SERVER], { env: { ...env, ...more } }).then(({ stdout }) => stdout);
    await expect(ask({})).rejects.toThrow('fetch failed');
    expect(await ask(directLoopback(env))).toBe('direct\n200\n');
  });
});
