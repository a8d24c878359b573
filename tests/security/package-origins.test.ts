import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import type { RunningRegistry } from '@tabularium/registry';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registryInputSchema } from '../../host/src/common/driversApi.ts';
import { RegistryNetwork } from '../../host/src/runtime/drivers/registry/registryNetwork.ts';
import { registrySource } from '../../host/src/runtime/drivers/trust/registrySource.ts';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import { createPackageHost, createRegistry } from './packageHost.ts';
import type { PackageHost, PackageHostOptions } from './packageHost.ts';
import { createRegistryProxy } from './registryProxy.ts';

const never = new AbortController().signal;
let registry: RunningRegistry;
/** A service of this computer that nothing of a registry may reach. */
let victim: Server;
let victimPort: number;
let reached: string[];
let host: PackageHost | undefined;

beforeAll(async () => {
  registry = await createRegistry();
  await registry.publish(tinyDriver());
  victim = createServer((request, response) => {
    reached.push(`${request.method} ${request.url}`);
    response.end('{}');
  });
  await new Promise<void>((resolve) => victim.listen(0, '127.0.0.1', resolve));
  victimPort = (victim.address() as AddressInfo).port;
});
afterAll(async () => {
  await registry.close();
  victim.closeAllConnections();
  await new Promise((resolve) => victim.close(resolve));
});
beforeEach(() => {
  reached = [];
});
afterEach(async () => {
  await host?.close();
  host = undefined;
});

/** A host that trusts the publisher, so that only the address decides. */
async function hostOf(options: PackageHostOptions): Promise<PackageHost> {
  host = await createPackageHost(options);
  await host.trust.trust(registry.publisher);
  return host;
}

/** A name server: each name gives the addresses of its list, one answer for each call, the last one for ever. */
function names(answers: Readonly<Record<string, readonly (readonly string[])[]>>): LookupFunction {
  const calls = new Map<string, number>();
  return (hostname, _options, callback) => {
    const list = answers[hostname] ?? [];
    const call = calls.get(hostname) ?? 0;
    calls.set(hostname, call + 1);
    const found = (list[Math.min(call, list.length - 1)] ?? []).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
    if (found.length === 0) callback(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), []);
    else callback(null, found);
  };
}

async function refusedAsk(network: RegistryNetwork, registryUrl: string, url: string, downloadOrigins: string[] = []) {
  const source = registrySource(registryUrl, { downloadOrigins });
  const answer = await network.askForArchive(source, url, never).catch((error: unknown) => error);
  return answer;
}

describe('an archive', () => {
  it.each(['another port', 'another name for this computer', 'a redirect', 'a redirect after a redirect'])(
    'is not fetched from another origin: %s',
    async (way) => {
      const at = way === 'another name for this computer' ? 'localhost' : '127.0.0.1';
      const target = `http://${at}:${victimPort}/secret.tgz`;
      const isRedirect = way.includes('redirect');
      await using proxy = await createRegistryProxy({
        target: registry.url,
        meddle: (url, outgoing, answer) => {
          if (isRedirect && url.pathname.endsWith('.tgz')) {
            const again = way === 'a redirect after a redirect' && !url.pathname.startsWith('/second');
            outgoing.writeHead(302, { location: again ? '/second.tgz' : target }).end();
            return true;
          }
          if (isRedirect || !url.pathname.includes('driver-tiny') || url.pathname.endsWith('.tgz')) return false;
          void collect(answer).then((text) => {
            outgoing
              .writeHead(200, { 'content-type': 'application/json' })
              .end(text.replaceAll(/"tarball":\s*"[^"]*"/g, `"tarball":"${target}"`));
          });
          return true;
        },
      });
      const made = await hostOf({ registries: () => [registrySource(proxy.url)] });
      await expect(made.install('tiny')).rejects.toMatchObject({
        code: 'ADDRESS_NOT_ALLOWED',
        message: expect.stringContaining(new URL(target).origin) as string,
      });
      expect(reached).toEqual([]);
      expect(await made.files()).toEqual([]);
    },
  );

  it('is fetched from an origin that a person added, without the token of the registry', async () => {
    await using store = await createRegistryProxy({ target: registry.url });
    await using proxy = await createRegistryProxy({ target: registry.url, redirectArchivesTo: store.url });
    const made = await hostOf({});
    await made.registryManagement.saveRegistry(
      registryInputSchema.parse({ url: proxy.url, token: 'for the registry alone', downloadOrigins: [store.url] }),
    );
    expect(await made.install('tiny')).toMatchObject({ version: '1.0.0' });
    expect(store.asked.some((line) => line.endsWith('.tgz'))).toBe(true);
    expect(new Set(store.tokens)).toEqual(new Set([undefined]));
    // Saved without a list of origins, it keeps them.
    await made.registryManagement.saveRegistry(registryInputSchema.parse({ url: proxy.url }));
    expect(await made.registryManagement.registries()).toMatchObject([{ downloadOrigins: [new URL(store.url).origin] }]);
  });

  it.each([
    ['http://cdn.example', 'https'],
    ['https://cdn.example/path', 'path'],
    ['https://127.0.0.1:9', 'network'],
    ['https://169.254.169.254', 'network'],
    ['https://localhost', 'network'],
  ])('may not come from %s, added to a registry elsewhere', async (origin, why) => {
    const made = await hostOf({});
    const input = registryInputSchema.parse({ url: 'https://registry.example/', downloadOrigins: [origin] });
    await expect(made.registryManagement.saveRegistry(input)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(why) as string,
    });
  });
});

async function collect(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

describe('a registry elsewhere', () => {
  it.each([
    ['127.0.0.1'],
    ['::ffff:127.0.0.1'],
    ['0.0.0.0'],
    ['::1'],
    ['169.254.169.254'],
    ['fe80::1'],
    ['64:ff9b::7f00:1'],
    ['224.0.0.1'],
  ])('does not reach %s by a name, even its own', async (address) => {
    await using network = new RegistryNetwork({ env: {}, lookup: names({ 'registry.example': [[address]] }) });
    const url = `http://registry.example:${victimPort}/`;
    expect(await refusedAsk(network, url, `${url}x.tgz`)).toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' });
    expect(reached).toEqual([]);
  });

  it.each(['127.0.0.1', '[::ffff:127.0.0.1]', '0x7f.1', '[::1]', 'localhost'])(
    'does not reach %s, even where a settings file names that origin',
    async (target) => {
      await using network = new RegistryNetwork({ env: {}, lookup: names({ 'registry.example': [['8.8.8.8']] }) });
      const url = `http://${target}:${victimPort}/x.tgz`;
      const answer = await refusedAsk(network, 'http://registry.example/', url, [new URL(url).origin]);
      expect(answer).toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' });
      expect(reached).toEqual([]);
    },
  );

  it('stays where it was: its name cannot move into a private network later', async () => {
    const made = await hostOf({ lookup: names({ 'registry.example': [['192.0.2.1'], ['10.1.2.3']] }), times: { connect: 300 } });
    await made.registryManagement.saveRegistry(registryInputSchema.parse({ url: 'http://registry.example/' }));
    expect((await made.catalogue.refresh(never)).problem).not.toContain('private network');
    const second = await made.catalogue.refresh(never);
    expect(second.problem).toContain('10.1.2.3');
    expect(second.problem).toContain('private network');
  });

  it('that names a private address beside a public one in its first answer does not reach the private one, then or later', async () => {
    await using network = new RegistryNetwork({
      env: {},
      lookup: names({ 'registry.example': [['10.1.2.3', '192.0.2.1', 'fd00::1'], ['10.1.2.3']] }),
      times: { connect: 300 },
    });
    const url = 'http://registry.example/';
    expect(await refusedAsk(network, url, url)).not.toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' });
    expect(await refusedAsk(network, url, url)).toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' });
  });

  it('connects to the address that was checked: a name is looked up once for each connection', async () => {
    // A rebinding name server gives the second answer to a client that looks again.
    await using network = new RegistryNetwork({
      env: {},
      lookup: names({ 'registry.example': [['192.0.2.1'], ['127.0.0.1']] }),
      times: { connect: 300 },
    });
    const url = `http://registry.example:${victimPort}/`;
    await refusedAsk(network, url, url);
    expect(await refusedAsk(network, url, url)).toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' });
    expect(reached).toEqual([]);
  });

  it.each(['http:127.0.0.1:PORT', '\\\\127.0.0.1:PORT\\x', '//127.0.0.1:PORT/x', '../x', 'a/b/c', '@a/../x'])(
    'leads nowhere by the package name "%s" in its search',
    async (pattern) => {
      const name = pattern.replace('PORT', String(victimPort));
      await using proxy = await createRegistryProxy({
        target: registry.url,
        meddle: (url, outgoing) => {
          if (!url.pathname.startsWith('/-/v1/search')) return false;
          outgoing.end(JSON.stringify({ objects: [{ package: { name, keywords: ['tabularium-driver'] } }] }));
          return true;
        },
      });
      const made = await hostOf({ registries: () => [registrySource(proxy.url)] });
      await made.catalogue.refresh(never);
      expect(reached).toEqual([]);
      expect(proxy.asked.filter((line) => !line.includes('/-/'))).toEqual([]);
    },
  );
});
