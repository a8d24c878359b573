import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunningRegistry } from '@tabularium/registry';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { registrySource } from '../../host/src/runtime/drivers/trust/registrySource.ts';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import { createPackageHost, createRegistry } from './packageHost.ts';
import type { PackageHost } from './packageHost.ts';

type Tamper = (outgoing: ServerResponse, answer: IncomingMessage) => void;

interface Proxy {
  readonly url: string;
  /** The change to archives; undefined: passed on. */
  tamper: Tamper | undefined;
  /** The change to documents. */
  tamperDocument: Tamper | undefined;
  close(): Promise<void>;
}

/** A registry between host and registry. Keeps the Host header, so that the addresses of archives are its own. */
async function createProxy(target: string): Promise<Proxy> {
  const proxy = { tamper: undefined, tamperDocument: undefined } as {
    tamper: Tamper | undefined;
    tamperDocument: Tamper | undefined;
  };
  const server = createServer((incoming, outgoing) => {
    const forwarded = request(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method ?? 'GET', headers: incoming.headers },
      (answer) => {
        const tamper = incoming.url?.endsWith('.tgz') === true ? proxy.tamper : proxy.tamperDocument;
        if (tamper !== undefined && incoming.url?.startsWith('/-/') !== true) {
          tamper(outgoing, answer);
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

let registry: RunningRegistry;
let proxy: Proxy;
let host: PackageHost;

beforeEach(async () => {
  registry = await createRegistry();
  proxy = await createProxy(registry.url);
  host = await createPackageHost({ registries: () => [registrySource(proxy.url)] });
});
afterEach(async () => {
  await host.close();
  await proxy.close();
  await registry.close();
});

async function refused(code: string, message: RegExp): Promise<void> {
  const error: unknown = await host.install('tiny').catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'HostError', code });
  expect((error as Error).message).toMatch(message);
  expect(await host.files()).toEqual([]);
  expect(host.records.list()).toEqual([]);
}

describe('a download through hostile hands', () => {
  it('is refused when the connection is cut half-way, and works when it is not', async () => {
    await registry.publish(tinyDriver());
    await host.trust.trust(registry.publisher);
    proxy.tamper = (outgoing, answer) => {
      outgoing.writeHead(200, answer.headers);
      answer.once('data', (chunk: Buffer) => {
        outgoing.write(chunk.subarray(0, 300), () => outgoing.destroy());
        answer.destroy();
      });
    };
    await refused('PACKAGE_TRUNCATED', /ended early/);
    proxy.tamper = undefined;
    expect(await host.install('tiny')).toMatchObject({ version: '1.0.0', publisher: { origin: 'thirdParty' } });
  });

  it('is refused when the answer is shorter and says so', async () => {
    await registry.publish(tinyDriver());
    proxy.tamper = (outgoing, answer) => {
      answer.once('data', (chunk: Buffer) => outgoing.writeHead(200, { 'content-length': '300' }).end(chunk.subarray(0, 300)));
    };
    await refused('PACKAGE_TRUNCATED', /after 300 bytes/);
  });

  it('is refused when other bytes arrive', async () => {
    await registry.publish(tinyDriver());
    await registry.publish(tinyDriver({ id: 'other' }));
    proxy.tamper = (outgoing) => {
      void fetch(new URL('@tabularium-test/driver-other/-/driver-other-1.0.0.tgz', registry.url))
        .then((answer) => answer.bytes())
        .then((bytes) => outgoing.writeHead(200).end(bytes));
    };
    await refused('PACKAGE_TAMPERED', /SHA-512/);
  });

  it('is refused when it never ends', async () => {
    await registry.publish(tinyDriver());
    proxy.tamper = (outgoing) => {
      const megabyte = Buffer.alloc(1024 * 1024);
      const flood = (): void => {
        while (!outgoing.destroyed && outgoing.write(megabyte));
      };
      outgoing.on('drain', flood).writeHead(200);
      flood();
    };
    await refused('PACKAGE_INVALID', /more than 25165824 bytes/);
  });

  it('is refused when the registry announces no SHA-512', async () => {
    await registry.publish(tinyDriver());
    proxy.tamperDocument = (outgoing, answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const text = Buffer.concat(chunks)
          .toString('utf8')
          .replaceAll(/"integrity":\s*"sha512-[^"]*"/g, '"integrity":"sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk="');
        outgoing.writeHead(200, { 'content-type': 'application/json' }).end(text);
      });
    };
    await refused('PACKAGE_INVALID', /announces no SHA-512/);
  });

  it('is refused from a registry that does not answer, and says which', async () => {
    await proxy.close();
    await refused('REGISTRY_UNREACHABLE', new RegExp(`${proxy.url}.*Nothing is listening`));
  });

  it('does not let the local registry vouch for what comes from elsewhere', async () => {
    await registry.publish(tinyDriver());
    await host.close();
    host = await createPackageHost({
      registryFile: registry.registryJsonPath,
      registries: () => [registrySource(proxy.url)],
    });
    const elsewhere = host.installer.install('tiny', { registry: proxy.url, signal: new AbortController().signal });
    await expect(elsewhere).rejects.toMatchObject({ code: 'PACKAGE_KEY_UNKNOWN' });
    expect(await host.install('tiny')).toMatchObject({ publisher: { origin: 'localRegistry' } });
  });
});
