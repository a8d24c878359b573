import { manifestSchema, parseManifest } from '@tabularium/sdk/manifest';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { curlCommand } from './curlCommand.ts';
import { BOX_TERMS, plainManifest } from '../../common/plainManifest.test-helper.ts';

const manifest = plainManifest({
  terms: BOX_TERMS,
  connection: {
    fields: [
      { id: 'host', label: 'Host', type: 'text' },
      { id: 'port', label: 'Port', type: 'number' },
      { id: 'accessKey', label: 'Key', type: 'secret', required: true },
      {
        id: 'mode',
        label: 'Mode',
        type: 'select',
        default: 'off',
        options: ['off', 'loose', 'strict'].map((value) => ({ value, label: value })),
      },
      { id: 'authority', label: 'Authority', type: 'file', readBy: 'host' },
    ],
  },
  permissions: {
    http: {
      origin: {
        host: { field: 'host', whenEmpty: 'localhost' },
        port: { field: 'port', whenEmpty: 1234 },
        scheme: { field: 'mode', plainValues: ['off'] },
      },
      credentials: [{ field: 'accessKey', headers: ['X-Key'], prefix: 'Bearer ' }],
      tls: { mode: { field: 'mode', encryptOnly: ['loose'], verifyChain: [] }, certificateAuthorityFile: 'authority' },
    },
  },
});

describe('a request as a command of curl', () => {
  it('names the server and leaves the credential to a variable', async () => {
    const text = await curlCommand({ method: 'GET', path: "/a?b=c'd" }, manifest, { host: 'example.org', port: 80 });
    expect(text).toBe(`curl --request GET 'http://example.org:80/a?b=c'\\''d' \\\n  --header "x-key: Bearer $ACCESS_KEY"`);
  });

  it('sends the body to the letter, and keeps the connection’s TLS', async () => {
    const request = {
      method: 'POST',
      path: '/x',
      headers: { 'content-type': 'application/json' },
      body: '{"it\'s": "$HOME `id`"}\n',
    };
    const text = await curlCommand(request, manifest, { mode: 'strict', authority: '/tmp/ca file.pem' });
    expect(text.split(' \\\n  ')).toEqual([
      "curl --request POST 'https://localhost:1234/x'",
      "--cacert '/tmp/ca file.pem'",
      '--header "x-key: Bearer $ACCESS_KEY"',
      "--header 'content-type: application/json'",
      `--data-raw '{"it'\\''s": "$HOME \`id\`"}\n'`,
    ]);
    expect(await curlCommand(request, manifest, { mode: 'loose' })).toContain('--insecure');
  });

  it('sends no credential elsewhere, no file, and has the shell run nothing, whatever a driver says', async () => {
    for (const path of ['@evil.example/', '.evil.example/', '//evil.example/', ':1@evil.example/'])
      await expect(curlCommand({ method: 'GET', path }, manifest, {})).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    for (const name of ['@/etc/passwd', 'X-Key', 'a\nb'])
      await expect(curlCommand({ method: 'GET', path: '/', headers: { [name]: 'x' } }, manifest, {})).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
      });
    const [credential] = manifest.permissions.http?.credentials ?? [];
    if (credential === undefined || manifest.permissions.http === undefined) throw new Error('no credential');
    const hostile = {
      ...manifest,
      permissions: {
        ...manifest.permissions,
        http: { ...manifest.permissions.http, credentials: [{ ...credential, prefix: '$(id)`id`"!' }] },
      },
    };
    const text = await curlCommand({ method: 'GET', path: '/', body: '@/etc/passwd' }, hostile, {});
    expect(text).toContain(`--header 'x-key: $(id)\`id\`"!'"$ACCESS_KEY"`);
    expect(text).toContain("--data-raw '@/etc/passwd'");
  });

  it('works for the first driver as it is', async () => {
    const file = join(import.meta.dirname, '../../../../drivers/search/package.json');
    const own = parseManifest((JSON.parse(readFileSync(file, 'utf8')) as { tabularium: unknown }).tabularium);
    if (!own.ok) throw new Error(own.problems.join('\n'));
    const text = await curlCommand({ method: 'HEAD', path: '/' }, own.manifest, { host: '::1', sslMode: 'disabled' });
    expect(text).toContain("curl --head 'http://[::1]:8108/'");
    expect(text.match(/: \$API_KEY"/g)).toHaveLength(2);
  });

  it('leaves credentials of every scheme to variables, each as the host sends it, and has the shell read no more', async () => {
    const withCredentials = (...credentials: object[]) =>
      manifestSchema.parse({
        ...manifest,
        connection: {
          fields: [
            ...manifest.connection.fields,
            { id: 'user', label: 'User', type: 'text' },
            { id: 'password', label: 'Password', type: 'secret' },
            { id: 'token', label: 'Token', type: 'secret' },
          ],
        },
        permissions: { ...manifest.permissions, http: { ...manifest.permissions.http, credentials } },
      });
    const words = async (credential: object, path = '/x'): Promise<string[]> => {
      const settings = { host: 'example.org', port: 80, user: 'it\'s $HOME `id` "me' };
      const text = await curlCommand({ method: 'GET', path }, withCredentials(credential), settings);
      const env = { PASSWORD: 'pa ss', TOKEN: 'to ken', ACCESS_TOKEN: 'jwt' };
      return execFileSync('sh', ['-c', text.replace(/^curl/, String.raw`printf '%s\n'`)], { env, encoding: 'utf8' })
        .trimEnd()
        .split('\n')
        .slice(2);
    };
    const user = 'it\'s $HOME `id` "me:pa ss';
    expect(await words({ scheme: 'basic', user: 'user', field: 'password' })).toEqual([
      'http://example.org:80/x',
      '--user',
      user,
    ]);
    expect(await words({ scheme: 'bearer', field: 'token' })).toEqual([
      'http://example.org:80/x',
      '--header',
      'authorization: Bearer to ken',
    ]);
    expect(await words({ scheme: 'query', parameter: 'k', field: 'token' })).toEqual(['http://example.org:80/x?k=to ken']);
    expect(await words({ scheme: 'query', parameter: 'k', field: 'token' }, '/x?a=1')).toEqual([
      'http://example.org:80/x?a=1&k=to ken',
    ]);
    expect(await words({ scheme: 'jwt', field: 'token', algorithm: 'ES256', claims: {} })).toEqual([
      'http://example.org:80/x',
      '--header',
      'authorization: Bearer jwt',
    ]);
    expect(
      await words({
        scheme: 'sigv4',
        accessKey: 'user',
        field: 'password',
        sessionToken: 'token',
        region: { value: 'eu-1' },
        service: 'es',
      }),
    ).toEqual([
      'http://example.org:80/x',
      '--aws-sigv4',
      'aws:amz:eu-1:es',
      '--user',
      user,
      '--header',
      'x-amz-security-token: to ken',
    ]);
  });
});
