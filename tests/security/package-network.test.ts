import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { RunningRegistry } from '@tabularium/registry';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { registryInputSchema } from '../../host/src/common/driversApi.ts';
import { HostError } from '../../host/src/common/errors.ts';
import { TestCertificates } from '../../host/src/runtime/drivers/broker/broker.test-helper.ts';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import { createPackageHost, createRegistry } from './packageHost.ts';
import type { PackageHost, PackageHostOptions } from './packageHost.ts';
import { createRegistryProxy } from './registryProxy.ts';
import type { RegistryProxy, RegistryProxyOptions } from './registryProxy.ts';

// The way to a registry: proxies, certificate authorities, and registries that answer slowly or never. `registry.invalid` is a name that
// nothing resolves, so what reaches it went through the proxy.

const never = new AbortController().signal;

let registry: RunningRegistry;
let folder: string;
let certificates: TestCertificates;
let authority: string;
let host: PackageHost | undefined;

beforeAll(async () => {
  [registry, folder] = await Promise.all([createRegistry(), mkdtemp(join(tmpdir(), 'tabularium-network-'))]);
  await registry.publish(tinyDriver());
  certificates = new TestCertificates(folder);
  authority = join(folder, 'own-authority.pem');
  await writeFile(authority, String(certificates.authority));
});
afterAll(async () => {
  await registry.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => {
  await host?.close();
  host = undefined;
});

async function open(url: string, options: PackageHostOptions = {}): Promise<PackageHost> {
  host = await createPackageHost(options);
  await host.trust.trust(registry.publisher);
  await host.registryManagement.saveRegistry(registryInputSchema.parse({ url }));
  return host;
}

function tlsProxy(names: string, more: Partial<RegistryProxyOptions> = {}): Promise<RegistryProxy> {
  const { key, cert } = certificates.issue(names.replaceAll(/[^a-z]/gi, ''), names);
  return createRegistryProxy({ target: registry.url, tls: { key: String(key), cert: String(cert) }, ...more });
}

async function failure(work: Promise<unknown>): Promise<HostError> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(HostError);
  return error as HostError;
}

describe('a proxy of the environment', () => {
  it.each(['HTTP_PROXY', 'http_proxy'])('%s is gone through for documents and archives alike', async (name) => {
    await using proxy = await createRegistryProxy({ target: registry.url });
    const { install } = await open('http://registry.invalid/', { env: { [name]: proxy.url } });
    expect(await install('tiny')).toMatchObject({ version: '1.0.0' });
    const through = proxy.asked.filter((line) => line.includes(' registry.invalid'));
    expect(through.some((line) => line.endsWith('driver-tiny'))).toBe(true);
    expect(through.some((line) => line.endsWith('.tgz'))).toBe(true);
  });

  it('may be written without http://, as other programs take it', async () => {
    await using proxy = await createRegistryProxy({ target: registry.url });
    const { install } = await open('http://registry.invalid/', { env: { HTTP_PROXY: new URL(proxy.url).host } });
    expect(await install('tiny')).toMatchObject({ version: '1.0.0' });
  });

  it('HTTPS_PROXY tunnels TLS to a registry with an authority of its own, and sees nothing of it', async () => {
    await using secure = await tlsProxy('DNS:registry.invalid');
    await using proxy = await createRegistryProxy({ target: secure.url });
    const { install, registryManagement } = await open('https://registry.invalid/', { env: { HTTPS_PROXY: proxy.url } });
    expect((await failure(install('tiny'))).message).toMatch(/authority.*through the proxy 127\.0\.0\.1:\d+/);
    registryManagement.setNetwork({ offline: false, proxy: '', certificateAuthorityFile: authority });
    expect(await install('tiny')).toMatchObject({ version: '1.0.0' });
    expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT registry.invalid:443']));
    expect(secure.asked.some((line) => line.endsWith('.tgz'))).toBe(true);
  });

  it('gives way to the one of the settings', async () => {
    await using proxy = await createRegistryProxy({ target: registry.url });
    const { install, registryManagement } = await open('http://registry.invalid/', {
      env: { HTTP_PROXY: 'http://127.0.0.1:1/' },
    });
    expect((await failure(install('tiny'))).message).toContain('127.0.0.1:1');
    registryManagement.setNetwork({ offline: false, proxy: proxy.url, certificateAuthorityFile: '' });
    expect(await install('tiny')).toMatchObject({ version: '1.0.0' });
  });

  it.each(['registry.invalid', '.invalid', '*', 'other.example, registry.invalid:80'])(
    'is not used for what NO_PROXY names: %s',
    async (exception) => {
      await using proxy = await createRegistryProxy({ target: registry.url });
      const { install } = await open('http://registry.invalid/', { env: { HTTP_PROXY: proxy.url, NO_PROXY: exception } });
      const { message } = await failure(install('tiny'));
      expect(message).toMatch(/host name couldn't be resolved/);
      expect(message).not.toContain('proxy');
      expect(proxy.asked).toEqual([]);
    },
  );

  it('is not used for this machine, whatever it says', async () => {
    await using proxy = await createRegistryProxy({ target: registry.url });
    const { install } = await open(registry.url, { env: { HTTP_PROXY: proxy.url, NO_PROXY: '' } });
    expect(await install('tiny')).toMatchObject({ version: '1.0.0' });
    expect(proxy.asked).toEqual([]);
  });

  it.each([
    ['http://registry.invalid/', 'HTTP_PROXY'],
    ['https://registry.invalid/', 'HTTPS_PROXY'],
  ])('takes name and password for %s, which no message repeats', async (url, name) => {
    await using secure = await tlsProxy('DNS:registry.invalid');
    await using proxy = await createRegistryProxy({
      target: url.startsWith('https') ? secure.url : registry.url,
      proxyLogin: 'ada:qz-secret',
    });
    const env: NodeJS.ProcessEnv = { SSL_CERT_FILE: authority };
    const { install } = await open(url, { env });
    env[name] = proxy.url.replace('//', '//ada:qz-wrong@');
    const { message, cause } = await failure(install('tiny'));
    expect(message).toMatch(/The proxy 127\.0\.0\.1:\d+ needs a name and a password/);
    expect(`${message} ${String(cause)}`).not.toContain('qz-wrong');
    env[name] = proxy.url.replace('//', '//ada:qz-secret@');
    expect(await install('tiny')).toMatchObject({ version: '1.0.0' });
  });

  it.each(['ftp://proxy.example', 'http://', 'a b'])("that isn't an address is rejected: %s", async (proxy) => {
    const { install } = await open('http://registry.invalid/', { env: { HTTP_PROXY: proxy } });
    expect(await failure(install('tiny'))).toMatchObject({
      code: 'REGISTRY_UNREACHABLE',
      message: expect.stringContaining('no address that can be used') as string,
    });
  });
});

describe('certificate authorities', () => {
  const child = fileURLToPath(new URL('packageNetworkChild.ts', import.meta.url));

  async function installWith(env: NodeJS.ProcessEnv, url: string): Promise<string> {
    const home = await mkdtemp(join(folder, 'home-'));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=tabularium:source', '--import', 'reflect-metadata', child, home, url, JSON.stringify(registry.publisher)],
      { env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env } },
    );
    return stdout;
  }

  it('of NODE_EXTRA_CA_CERTS count, and none is invented', async () => {
    await using secure = await tlsProxy('DNS:localhost');
    expect(await installWith({}, secure.url)).toContain("an authority that this computer doesn't trust");
    expect(await installWith({ NODE_EXTRA_CA_CERTS: authority }, secure.url)).toBe('1.0.0');
  });

  it("of the operating system's own folder count", async () => {
    // Where OpenSSL keeps them; other systems have a store that a test must not write to.
    if (process.platform !== 'linux') return;
    await using secure = await tlsProxy('DNS:localhost');
    const system = join(folder, 'system-authorities');
    await mkdir(system);
    const { stdout } = await promisify(execFile)('openssl', ['x509', '-in', authority, '-noout', '-subject_hash']);
    await symlink(authority, join(system, `${stdout.trim()}.0`));
    expect(await installWith({ SSL_CERT_DIR: system }, secure.url)).toBe('1.0.0');
  });

  it('from a file that cannot be read leave the other registries in reach', async () => {
    await using secure = await tlsProxy('DNS:localhost');
    const { registryManagement, catalogue, install } = await open(secure.url);
    await registryManagement.saveRegistry(
      registryInputSchema.parse({ url: registry.url, packages: ['@tabularium-test/driver-tiny'] }),
    );
    const missing = join(folder, 'missing.pem');
    registryManagement.setNetwork({ offline: false, proxy: '', certificateAuthorityFile: missing });
    const { entries, problem } = await catalogue.refresh(never);
    expect(problem).toContain(missing);
    expect(entries.map(({ id }) => id)).toEqual(['tiny']);
    expect(await install('tiny')).toMatchObject({ version: '1.0.0' });
  });

  it('are kept apart from registries without TLS, also when both are asked at once', async () => {
    await using secure = await tlsProxy('DNS:localhost');
    const { registryManagement, catalogue } = await open(secure.url, { env: { SSL_CERT_FILE: authority } });
    await registryManagement.saveRegistry(registryInputSchema.parse({ url: registry.url }));
    for (let round = 0; round < 5; round += 1) expect((await catalogue.refresh(never)).problem).toBeUndefined();
  });

  it('have made the certificates of this test', () => {
    expect(new X509Certificate(String(certificates.authority)).ca).toBe(true);
  });
});

describe('a registry that stalls', () => {
  const stop: RegistryProxyOptions['meddle'] = (_url, outgoing, answer) => {
    outgoing.writeHead(200, answer.headers);
    answer.once('data', (chunk: Buffer) => outgoing.write(chunk.subarray(0, 100)));
    return true;
  };

  it('in the middle of a document is given up', async () => {
    await using proxy = await createRegistryProxy({ target: registry.url, meddle: stop });
    const { install, files } = await open(proxy.url, { times: { pause: 200 } });
    expect(await failure(install('tiny'))).toMatchObject({
      code: 'REGISTRY_UNREACHABLE',
      message: expect.stringContaining('stopped half-way') as string,
    });
    expect(await files()).toEqual([]);
  });

  it('in the middle of an archive is given up, and says after how many bytes and how long', async () => {
    await using proxy = await createRegistryProxy({
      target: registry.url,
      meddle: (url, outgoing, answer) => url.pathname.endsWith('.tgz') && stop(url, outgoing, answer),
    });
    const { install, files } = await open(proxy.url, { times: { archivePause: 200 } });
    expect(await failure(install('tiny'))).toMatchObject({
      code: 'PACKAGE_TRUNCATED',
      message: expect.stringMatching(/after 100 bytes nothing came for 0\.2 seconds/) as string,
    });
    expect(await files()).toEqual([]);
    expect(proxy.asked.filter((line) => line.endsWith('.tgz'))).toHaveLength(1);
  });

  it('before it has said anything is given up', async () => {
    await using proxy = await createRegistryProxy({ target: registry.url, meddle: () => true });
    const { install } = await open(proxy.url, { times: { answer: 200 } });
    expect(await failure(install('tiny'))).toMatchObject({
      code: 'REGISTRY_UNREACHABLE',
      message: expect.stringContaining("didn't respond in time") as string,
    });
  });

  it('by sending a document byte by byte does not hold the list for ever', async () => {
    const timers: NodeJS.Timeout[] = [];
    await using proxy = await createRegistryProxy({
      target: registry.url,
      meddle: (_url, outgoing) => {
        outgoing.writeHead(200, { 'content-type': 'application/json' });
        timers.push(setInterval(() => outgoing.write(' '), 20));
        return true;
      },
    });
    const { install } = await open(proxy.url, { times: { pause: 5_000, document: 300 } });
    const { message } = await failure(install('tiny'));
    for (const timer of timers) clearInterval(timer);
    expect(message).toContain('not complete after 0.3 seconds');
  });
});

describe('a download that broke', () => {
  it('restarts once, and then it succeeds', async () => {
    let broken = 0;
    await using proxy = await createRegistryProxy({
      target: registry.url,
      meddle: (url, outgoing, answer) => {
        if (!url.pathname.endsWith('.tgz') || broken > 0) return false;
        broken += 1;
        outgoing.writeHead(200, answer.headers);
        answer.once('data', (chunk: Buffer) => outgoing.write(chunk.subarray(0, 100), () => outgoing.destroy()));
        return true;
      },
    });
    const { installer } = await open(proxy.url);
    const steps: string[] = [];
    const installed = installer.install('tiny', { signal: never, onProgress: ({ step }) => steps.push(step) });
    expect(await installed).toMatchObject({ version: '1.0.0' });
    expect(steps.filter((step) => step !== 'downloading')).toEqual(['resolving', 'verifying', 'tryingOut', 'installed']);
  });
});
