import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningRegistry } from '@tabularium/registry';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registryInputSchema } from '../../host/src/common/driversApi.ts';
import { TestCertificates } from '../../host/src/runtime/drivers/broker/broker.test-helper.ts';
import { DriverPolicy, policySchema, readPolicy } from '../../host/src/runtime/drivers/policy/driverPolicy.ts';
import type { Policy } from '../../host/src/runtime/drivers/policy/driverPolicy.ts';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import { RegistryNetwork } from '../../host/src/runtime/drivers/registry/registryNetwork.ts';
import { registrySource } from '../../host/src/runtime/drivers/trust/registrySource.ts';
import { createPackageHost, createRegistry } from './packageHost.ts';
import type { PackageHost, PackageHostOptions } from './packageHost.ts';
import { createRegistryProxy } from './registryProxy.ts';

const never = new AbortController().signal;
const TOKEN = 'a-token-that-nobody-may-see';

let registry: RunningRegistry;
let folder: string;
let host: PackageHost;

beforeAll(async () => {
  [registry, folder] = await Promise.all([createRegistry(), mkdtemp(join(tmpdir(), 'tabularium-registries-'))]);
  await registry.publish(tinyDriver());
  await registry.publish(tinyDriver({ id: 'acme', name: '@acme/tabularium-driver' }));
});
afterAll(async () => {
  await registry.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  host = await trustingHost();
});
afterEach(() => host.close());

/** A host that trusts the key, whatever registry a package comes from. */
async function trustingHost(options: PackageHostOptions = {}): Promise<PackageHost> {
  const made = await createPackageHost(options);
  await made.trust.trust(registry.publisher);
  return made;
}

async function restart(options: PackageHostOptions): Promise<void> {
  await host.close();
  host = await trustingHost(options);
}

async function add(input: Parameters<typeof registryInputSchema.parse>[0]): Promise<void> {
  await host.registryManagement.saveRegistry(registryInputSchema.parse(input));
}

describe('a private registry', () => {
  it('gets the token from the secure store, for documents and archives; others never get it', async () => {
    await using proxy = await createRegistryProxy({ target: registry.url, token: TOKEN });
    await using other = await createRegistryProxy({ target: registry.url });
    await add({ url: proxy.url, token: TOKEN });
    await add({ url: other.url });
    expect([...host.secureStore.values.values()]).toEqual([
      expect.stringMatching(new RegExp(`^tabularium-secret-1:[0-9a-f]{64}:${TOKEN}$`, 'v')),
    ]);
    expect(await host.install('tiny')).toMatchObject({ version: '1.0.0' });
    await host.catalogue.refresh(never);
    expect(proxy.asked.some((line) => line.endsWith('.tgz'))).toBe(true);
    expect(new Set(proxy.tokens)).toEqual(new Set([`Bearer ${TOKEN}`]));
    expect(other.asked.length).toBeGreaterThan(0);
    expect(new Set(other.tokens)).toEqual(new Set([undefined]));
    expect(await host.registryManagement.registries()).toMatchObject([
      { url: proxy.url, hasCredential: true, from: 'settings' },
      { url: other.url, hasCredential: false },
    ]);
    expect(JSON.stringify(await host.registryManagement.registries())).not.toContain(TOKEN);
  });

  it.each(['..%2fother/x', '%2e%2e%2fother/x', '.%2E%5cother/x', 'a/..%2f..%2fother/x', '..;/other/x', '%252e%252e/x'])(
    'gets no token for "%s", which a server may take for an address beside it',
    async (path) => {
      await using proxy = await createRegistryProxy({ target: registry.url });
      await using network = new RegistryNetwork({ env: {}, token: async () => TOKEN });
      const source = registrySource(`${proxy.url}team/`);
      for (const asked of ['pkg.tgz', '@acme%2fdriver', 'a..b/..c/x...tgz', path]) {
        const url = new URL(`team/${asked}`, proxy.url);
        await (await network.ask(source, url, { signal: never, headers: {} })).body.dump();
      }
      expect(proxy.tokens).toEqual([`Bearer ${TOKEN}`, `Bearer ${TOKEN}`, `Bearer ${TOKEN}`, undefined]);
    },
  );

  it('reports that it requires a token, and never the token it got', async () => {
    await using proxy = await createRegistryProxy({ target: registry.url, token: TOKEN });
    await add({ url: proxy.url, token: 'the wrong one' });
    const error: unknown = await host.install('tiny').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'REGISTRY_UNREACHABLE', message: expect.stringContaining('token') as string });
    expect(String(error)).not.toContain('the wrong one');
  });

  it('is forgotten with its token', async () => {
    await using proxy = await createRegistryProxy({ target: registry.url, token: TOKEN });
    await add({ url: proxy.url, token: TOKEN });
    await add({ url: proxy.url, name: 'Ours' });
    expect(await host.registryManagement.registries()).toMatchObject([{ name: 'Ours', hasCredential: true }]);
    await host.registryManagement.removeRegistry(proxy.url);
    expect(host.secureStore.values.size).toBe(0);
    expect(await host.registryManagement.registries()).toEqual([]);
  });

  it('never gets a token without encryption', async () => {
    await expect(add({ url: 'http://registry.example/', token: TOKEN })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(host.secureStore.values.size).toBe(0);
  });

  it("that redirects never gets the token forwarded, and isn't used as a registry", async () => {
    await using thief = await createRegistryProxy({ target: registry.url });
    await using proxy = await createRegistryProxy({ target: registry.url, redirectTo: thief.url });
    await add({ url: proxy.url, token: TOKEN });
    await expect(host.install('tiny')).rejects.toMatchObject({ code: expect.stringMatching(/UNREACHABLE|UNKNOWN/) as string });
    expect(thief.tokens.filter((token) => token !== undefined)).toEqual([]);
    expect(await host.files()).toEqual([]);
  });
});

describe('a registry that sends archives from elsewhere', () => {
  it('is believed by the hash alone, and the token stays at home', async () => {
    await using store = await createRegistryProxy({ target: registry.url });
    await using proxy = await createRegistryProxy({ target: registry.url, token: TOKEN, redirectArchivesTo: store.url });
    await add({ url: proxy.url, token: TOKEN, downloadOrigins: [store.url] });
    expect(await host.install('tiny')).toMatchObject({ version: '1.0.0' });
    expect(store.asked.some((line) => line.endsWith('.tgz'))).toBe(true);
    expect(new Set(store.tokens)).toEqual(new Set([undefined]));
  });

  it('is refused when it leads from TLS to a place without', async () => {
    const certificates = new TestCertificates(folder);
    const { key, cert } = certificates.issue('leaving', 'DNS:localhost,IP:127.0.0.1');
    const file = join(folder, 'leaving.pem');
    await writeFile(file, certificates.authority);
    await using store = await createRegistryProxy({ target: registry.url });
    await using proxy = await createRegistryProxy({ target: registry.url, tls: { key, cert }, redirectArchivesTo: store.url });
    await add({ url: proxy.url });
    host.registryManagement.setNetwork({ offline: false, proxy: '', certificateAuthorityFile: file });
    await expect(host.install('tiny')).rejects.toMatchObject({ code: 'PACKAGE_INVALID' });
    expect(store.asked).toEqual([]);
  });
});

describe('several registries', () => {
  it('share the work by scope: a scope is asked for at its own registry, and nowhere else', async () => {
    await using own = await createRegistryProxy({ target: registry.url });
    await using everybody = await createRegistryProxy({ target: registry.url });
    await add({ url: everybody.url });
    await add({ url: own.url, scopes: ['@acme'] });
    expect(await host.install('acme')).toMatchObject({ packageName: '@acme/tabularium-driver' });
    expect(await host.install('tiny')).toMatchObject({ version: '1.0.0' });
    expect(everybody.asked.filter((line) => line.includes('acme%2f') || line.includes('@acme/'))).toEqual([]);
    expect(own.asked.filter((line) => line.includes('driver-tiny'))).toEqual([]);
  });

  it('work without a search through a list of packages', async () => {
    await using proxy = await createRegistryProxy({ target: registry.url, withoutSearch: true });
    await add({ url: proxy.url });
    expect((await host.catalogue.refresh(never)).entries).toEqual([]);
    await add({ url: proxy.url, packages: ['@acme/tabularium-driver'] });
    expect((await host.catalogue.refresh(never)).entries).toMatchObject([{ id: 'acme' }]);
  });
});

describe('the way to a registry', () => {
  it('goes through the proxy of the settings, for documents and archives', async () => {
    await using proxy = await createRegistryProxy({ target: registry.url });
    await add({ url: 'http://registry.invalid/' });
    host.registryManagement.setNetwork({ offline: false, proxy: proxy.url, certificateAuthorityFile: '' });
    expect(await host.install('tiny')).toMatchObject({ version: '1.0.0' });
    const through = proxy.asked.filter((line) => line.includes(' registry.invalid'));
    expect(through.some((line) => line.endsWith('driver-tiny'))).toBe(true);
    expect(through.some((line) => line.endsWith('.tgz'))).toBe(true);
  });

  it('names the proxy when it leads nowhere, without the password in its address', async () => {
    await restart({ env: { HTTP_PROXY: 'http://ada:secret@127.0.0.1:1/' } });
    await add({ url: 'http://registry.invalid/' });
    const error: unknown = await host.install('tiny').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message: expect.stringContaining('127.0.0.1:1') as string });
    expect(String(error)).not.toContain('secret');
  });

  it('keeps no password of a proxy: there is no place for it but the environment', () => {
    const network = { offline: false, proxy: 'http://ada:secret@127.0.0.1:1/', certificateAuthorityFile: '' };
    expect(() => host.registryManagement.setNetwork(network)).toThrow(/stored unencrypted/);
    expect(host.registryManagement.network()).toMatchObject({ proxy: '' });
  });

  describe('with TLS', () => {
    let certificates: TestCertificates;
    beforeAll(() => {
      certificates = new TestCertificates(folder);
    });

    it('needs an authority that is known, and takes one from a file of the settings', async () => {
      const { key, cert } = certificates.issue('registry', 'DNS:localhost,IP:127.0.0.1');
      await using proxy = await createRegistryProxy({ target: registry.url, tls: { key: String(key), cert: String(cert) } });
      await add({ url: proxy.url });
      await expect(host.install('tiny')).rejects.toMatchObject({
        code: 'REGISTRY_UNREACHABLE',
        message: expect.stringContaining('authority') as string,
      });
      const file = join(folder, 'authority.pem');
      await writeFile(file, String(certificates.authority));
      host.registryManagement.setNetwork({ offline: false, proxy: '', certificateAuthorityFile: file });
      expect(await host.install('tiny')).toMatchObject({ version: '1.0.0' });
      expect(proxy.asked.some((line) => line.endsWith('.tgz'))).toBe(true);
    });

    it('gets its token only while the authorities are those that the token was entered for', async () => {
      const { key, cert } = certificates.issue('bound', 'DNS:localhost,IP:127.0.0.1');
      await using proxy = await createRegistryProxy({
        target: registry.url,
        token: TOKEN,
        tls: { key: String(key), cert: String(cert) },
      });
      const [file, other] = [join(folder, 'bound.pem'), join(folder, 'other.pem')];
      for (const path of [file, other]) await writeFile(path, String(certificates.authority));
      const trustFile = (certificateAuthorityFile: string) =>
        host.registryManagement.setNetwork({ offline: false, proxy: '', certificateAuthorityFile });
      trustFile(file);
      await add({ url: proxy.url, token: TOKEN });
      await host.catalogue.refresh(never);
      expect(proxy.tokens).toContain(`Bearer ${TOKEN}`);

      const askedBefore = proxy.asked.length;
      for (const changed of [other, '']) {
        trustFile(changed);
        await expect(host.install('tiny')).rejects.toMatchObject({
          code: 'SECRET_NOT_CONFIRMED',
          message: expect.stringContaining(changed === '' ? 'no file' : changed) as string,
        });
      }
      expect(proxy.asked).toHaveLength(askedBefore);

      trustFile(other);
      await add({ url: proxy.url, token: TOKEN });
      expect(await host.install('tiny')).toMatchObject({ version: '1.0.0' });
      // Changing anything else of the registry doesn't answer the question, and loses nothing.
      trustFile(file);
      await add({ url: proxy.url, name: 'Renamed' });
      await expect(host.install('tiny')).rejects.toMatchObject({ code: 'SECRET_NOT_CONFIRMED' });
      trustFile(other);
      expect(await host.install('tiny')).toMatchObject({ version: '1.0.0' });
    });

    it('has a token of an older version bound at its first use', async () => {
      const { key, cert } = certificates.issue('older', 'DNS:localhost,IP:127.0.0.1');
      await using proxy = await createRegistryProxy({
        target: registry.url,
        token: TOKEN,
        tls: { key: String(key), cert: String(cert) },
      });
      const file = join(folder, 'older.pem');
      await writeFile(file, String(certificates.authority));
      host.registryManagement.setNetwork({ offline: false, proxy: '', certificateAuthorityFile: file });
      await add({ url: proxy.url, token: TOKEN });
      for (const account of host.secureStore.values.keys()) host.secureStore.values.set(account, TOKEN);
      expect(await host.install('tiny')).toMatchObject({ version: '1.0.0' });
      host.registryManagement.setNetwork({ offline: false, proxy: '', certificateAuthorityFile: '' });
      await expect(host.install('tiny')).rejects.toMatchObject({ code: 'SECRET_NOT_CONFIRMED' });
    });

    it('takes one from SSL_CERT_FILE too', async () => {
      const { key, cert } = certificates.issue('registry-two', 'DNS:localhost,IP:127.0.0.1');
      await using proxy = await createRegistryProxy({ target: registry.url, tls: { key: String(key), cert: String(cert) } });
      const file = join(folder, 'environment.pem');
      await writeFile(file, String(certificates.authority));
      await restart({ env: { SSL_CERT_FILE: file } });
      await add({ url: proxy.url });
      expect(await host.install('tiny')).toMatchObject({ version: '1.0.0' });
    });
  });
});

describe('offline mode', () => {
  it('makes no requests, reports it, and shows and loads installed drivers', async () => {
    await using proxy = await createRegistryProxy({ target: registry.url });
    await add({ url: proxy.url });
    await host.install('tiny');
    host.registryManagement.setNetwork({ ...host.registryManagement.network(), offline: true });
    const before = proxy.asked.length;
    await expect(host.install('acme')).rejects.toMatchObject({ code: 'OFFLINE' });
    const { problem, entries } = await host.catalogue.refresh(never);
    expect(problem).toContain('Offline mode');
    expect(entries.map(({ id }) => id)).toContain('tiny');
    expect(await host.installed.current('tiny')).toMatchObject({ version: '1.0.0' });
    expect(proxy.asked.length).toBe(before);
    expect(await host.management.overview()).toMatchObject({ offline: true });
  });
});

describe("the administrator's policy", () => {
  const policy = (rules: Partial<Policy>) => async (): Promise<Policy> => policySchema.parse({ formatVersion: 1, ...rules });

  it('allows no other registry', async () => {
    await using proxy = await createRegistryProxy({ target: registry.url });
    await restart({ policy: policy({ registries: ['https://allowed.example/'] }) });
    await expect(add({ url: proxy.url })).rejects.toMatchObject({ code: 'POLICY_FORBIDS' });
    await expect(host.installer.install('tiny', { registry: proxy.url, signal: never })).rejects.toMatchObject({
      code: expect.stringMatching(/POLICY_FORBIDS|REGISTRY_UNREACHABLE/) as string,
      message: expect.stringContaining('has disabled the registry') as string,
    });
    expect(proxy.asked).toEqual([]);
  });

  it('allows no other driver, and stops one that was installed before', async () => {
    await add({ url: registry.url });
    await host.install('tiny');
    const { home } = host;
    await host.stop();
    host = await createPackageHost({ home, policy: policy({ drivers: ['acme'] }) });
    await expect(host.installed.current('tiny')).rejects.toMatchObject({ code: 'POLICY_FORBIDS' });
    await expect(host.install('tiny')).rejects.toMatchObject({ code: 'POLICY_FORBIDS' });
    const entries = (await host.catalogue.list()).entries;
    expect(entries.find(({ id }) => id === 'tiny')).toMatchObject({ state: 'cannotRun' });
    expect(await host.install('acme')).toMatchObject({ id: 'acme' });
  });

  it('allows no other publisher', async () => {
    await restart({ policy: policy({ publishers: ['firstParty'] }) });
    await add({ url: registry.url });
    await expect(host.install('tiny')).rejects.toMatchObject({ code: 'POLICY_FORBIDS' });
    expect(await host.files()).toEqual([]);
  });

  it('keeps a computer offline', async () => {
    await restart({ policy: policy({ offline: true }) });
    await add({ url: registry.url });
    await expect(host.install('tiny')).rejects.toMatchObject({ code: 'OFFLINE' });
    expect((await host.management.overview()).policy).toEqual(["Registries aren't used: this computer works offline."]);
  });

  it('is read from its file, and forbids everything when it cannot be understood', async () => {
    const file = join(folder, 'policy.json');
    expect(await readPolicy(join(folder, 'absent.json'))).toBeUndefined();
    await writeFile(file, JSON.stringify({ formatVersion: 1, drivers: ['tiny'], registries: ['https://r.example'] }));
    expect(await readPolicy(file)).toMatchObject({ drivers: ['tiny'], registries: ['https://r.example/'] });
    for (const text of [
      '{',
      '{}',
      JSON.stringify({ formatVersion: 1, driver: ['tiny'] }),
      JSON.stringify({ formatVersion: 2 }),
    ]) {
      await writeFile(file, text);
      const broken = new DriverPolicy(() => readPolicy(file));
      await expect(broken.assertDriver('tiny')).rejects.toMatchObject({ code: 'POLICY_FORBIDS' });
    }
  });
});
