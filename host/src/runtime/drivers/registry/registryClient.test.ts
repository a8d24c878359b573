import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tinyManifest } from '../../../../../registry/src/tinyDriver.test-helper.ts';
import { DocumentCache } from './documentCache.ts';
import { RegistryClient } from './registryClient.ts';
import { RegistryNetwork } from './registryNetwork.ts';
import { normaliseRegistryUrl, registrySource } from '../trust/registrySource.ts';
import type { RegistrySource } from '../trust/registrySource.ts';

/** The registry of these tests shares a processor with its client. */
const PATIENT = { connect: 120_000, answer: 120_000, pause: 120_000, document: 120_000 };
const never = new AbortController().signal;
const name = '@acme/driver-tiny';
const dist = { tarball: 'http://127.0.0.1/x.tgz', integrity: 'sha512-x' };
const document = {
  name,
  versions: {
    '1.0.0': { version: '1.0.0', tabularium: tinyManifest('tiny'), dist, somethingElse: true },
    '1.1.0': { version: '1.1.0', dist },
    nonsense: { version: 'nonsense', tabularium: {}, dist },
    '1.2.0': 'not an object',
    '1.3.0': { version: '9.9.9', tabularium: tinyManifest('tiny'), dist },
    '1.4.0': { version: '1.4.0', tabularium: tinyManifest('tiny'), dist: { tarball: 'file:///etc/passwd' } },
  },
};

let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let requests: IncomingMessage[];
let folder: string;
let registry: RegistrySource;
let client: RegistryClient;

beforeEach(async () => {
  requests = [];
  answer = (_request, response) => response.end();
  server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  registry = registrySource(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  folder = await mkdtemp(join(tmpdir(), 'tabularium-cache-'));
  client = new RegistryClient({ cache: new DocumentCache(folder), network: new RegistryNetwork({ times: PATIENT }) });
});
afterEach(async () => {
  await client[Symbol.asyncDispose]();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

const json = (response: ServerResponse, value: unknown, headers: Record<string, string> = {}): void =>
  void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));

describe("a package's document", () => {
  it('is asked for whole, and only versions that are drivers are kept', async () => {
    answer = (_request, response) => json(response, document);
    const read = await client.document(registry, name, never);
    expect(requests[0]?.url).toBe('/@acme%2fdriver-tiny');
    expect(requests[0]?.headers.accept).toBe('application/json');
    expect(read).toEqual({ name, versions: [{ version: '1.0.0', tabularium: tinyManifest('tiny'), dist }] });
  });

  it('is revalidated by its ETag, also by the next run of the host', async () => {
    answer = (request, response) => {
      if (request.headers['if-none-match'] === '"one"') response.writeHead(304).end();
      else json(response, document, { etag: '"one"' });
    };
    const first = await client.document(registry, name, never);
    const [before] = await new DocumentCache(folder).all();
    expect(await client.document(registry, name, never)).toEqual(first);
    expect(requests.map((request) => request.headers['if-none-match'])).toEqual([undefined, '"one"']);

    const cache = new DocumentCache(folder);
    await using next = new RegistryClient({ cache });
    expect(await next.document(registry, name, never)).toEqual(first);
    const [after] = await cache.all();
    expect(Date.parse(after?.checkedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(before?.checkedAt ?? ''));
  });

  it('is forgotten when the registry has it no more', async () => {
    answer = (_request, response) => json(response, document);
    await client.document(registry, name, never);
    answer = (_request, response) => response.writeHead(404).end('{}');
    expect(await client.document(registry, name, never)).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['is of another package', (response: ServerResponse) => json(response, { ...document, name: 'other' }), /something else/],
    ["isn't valid JSON", (response: ServerResponse) => response.end('<html>'), /not JSON/],
    ['is an error', (response: ServerResponse) => response.writeHead(500).end('{}'), /answered 500/],
    [
      'is elsewhere',
      (response: ServerResponse) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      /answered 302/,
    ],
    [
      'breaks off',
      (response: ServerResponse) => response.writeHead(200, { 'content-length': '9' }).write('{', () => response.destroy()),
      /broke|stopped/,
    ],
    ['is endless', (response: ServerResponse) => flood(response), /more than 16777216 bytes/],
  ])('is refused when it %s', async (_what, behave, message) => {
    answer = (_request, response) => void behave(response);
    const error: unknown = await client.document(registry, name, never).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'REGISTRY_UNREACHABLE' });
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).toContain(registry.url);
  });

  it('is asked for once more where the registry closes a connection that it kept, and not again and again', async () => {
    let broken = 0;
    answer = (request, response) => {
      if (broken === 0) json(response, document);
      else {
        broken -= 1;
        request.socket.destroy();
      }
    };
    await client.document(registry, name, never);
    broken = 1;
    expect(await client.document(registry, name, never)).toMatchObject({ name });
    expect(requests.length).toBe(3);
    broken = 9;
    await expect(client.document(registry, name, never)).rejects.toThrow('The connection broke');
    expect(requests.length).toBe(5);
  });

  it('is cancelled when its last caller gives up', async () => {
    const controller = new AbortController();
    answer = () => controller.abort();
    await expect(client.document(registry, name, controller.signal)).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

function flood(response: ServerResponse): void {
  const megabyte = Buffer.alloc(1024 * 1024, ' ');
  const more = (): void => {
    while (!response.destroyed && response.write(megabyte));
  };
  response.on('drain', more);
  more();
}

describe('the search', () => {
  it('finds packages by the keyword, whatever else the registry found', async () => {
    const found = (packageName: string, keywords?: readonly string[]) => ({ package: { name: packageName, keywords } });
    answer = (_request, response) =>
      json(response, { objects: [found(name, ['tabularium-driver']), found('screwdriver', ['driver']), found('no-keywords')] });
    expect(await client.search(registry, never)).toEqual([name]);
  });

  it('finds nothing where there is no search', async () => {
    answer = (_request, response) => response.writeHead(404).end('{"error":"not found"}');
    expect(await client.search(registry, never)).toBeUndefined();
  });
});

describe('a registry that has too much', () => {
  it('is searched up to a bound', async () => {
    const found = Array.from({ length: 5_000 }, (_, at) => ({ package: { name: `p-${at}`, keywords: ['tabularium-driver'] } }));
    answer = (_request, response) => json(response, { objects: found });
    expect(await client.search(registry, never)).toHaveLength(250);
  });

  it('is asked for a few documents at a time, for a bounded number of them, and no more than these are kept', async () => {
    let open = 0;
    let most = 0;
    answer = (request, response) => {
      most = Math.max(most, (open += 1));
      response.on('close', () => (open -= 1));
      json(response, { ...document, name: request.url?.slice(1) });
    };
    const names = Array.from({ length: 350 }, (_, at) => `p-${at}`);
    await client.documents(registry, names, never);
    expect(requests.length).toBe(300);
    expect(most).toBeLessThanOrEqual(6);
    await client.documents(registry, names.slice(-10), never);
    expect((await new DocumentCache(folder).all()).map((cached) => cached.document.name).toSorted()).toEqual(
      names.slice(-10).toSorted(),
    );
  });

  it('is stopped after 64 MiB of documents, and what came before is kept', async () => {
    const padding = 'x'.repeat(8 * 1024 * 1024);
    answer = (request, response) => json(response, { ...document, name: request.url?.slice(1), padding });
    const names = Array.from({ length: 40 }, (_, at) => `p-${at}`);
    await expect(client.documents(registry, names, never)).rejects.toThrow(/documents have more than 67108864 bytes together/);
    expect(requests.length).toBeLessThan(20);
    // Seven fit. Six are read at a time, so that some of the seven may not be complete when the bound is reached.
    const cached = (await new DocumentCache(folder).all()).length;
    expect(cached).toBeGreaterThanOrEqual(2);
    expect(cached).toBeLessThanOrEqual(7);
  });

  it('keeps the newest manifests that fit', async () => {
    const manifest = { ...tinyManifest('tiny'), padding: 'x'.repeat(100_000) };
    const versions = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`1.0.${at}`, { version: `1.0.${at}`, tabularium: manifest, dist }]),
    );
    answer = (_request, response) => json(response, { name, versions });
    const fitting = (await client.document(registry, name, never))?.versions.map(({ version }) => version);
    expect(fitting?.[0]).toBe('1.0.49');
    expect(fitting?.length).toBe(10);
  });

  it('asks for the others when one document cannot be read, and stops when none can', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `p-${at}`);
    answer = (request, response) => {
      if (request.url === '/p-0') response.writeHead(500).end();
      else json(response, { ...document, name: request.url?.slice(1) });
    };
    await expect(client.documents(registry, names, never)).rejects.toThrow('It answered 500');
    expect((await new DocumentCache(folder).all()).length).toBe(39);
    requests = [];
    answer = (_request, response) => response.writeHead(500).end();
    await expect(client.documents(registry, names, never)).rejects.toThrow('It answered 500');
    expect(requests.length).toBeLessThan(12);
  });
});

describe('the cache', () => {
  it('drops what it cannot read', async () => {
    await writeFile(join(folder, 'half.json'), '{"formatVersion":1');
    await writeFile(join(folder, 'newer.json'), '{"formatVersion":2}');
    expect(await new DocumentCache(folder).all()).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('the address of a registry', () => {
  it('has one form', () => {
    expect(normaliseRegistryUrl('HTTPS://Registry.Example/npm')).toBe('https://registry.example/npm/');
    expect(normaliseRegistryUrl('http://127.0.0.1:4873')).toBe('http://127.0.0.1:4873/');
  });

  it.each([
    'file:///tmp',
    'registry',
    'https://user:secret@registry.example/',
    'https://registry.example/?token=x',
    'https://r.example/#x',
  ])('is not %s', (url) => {
    expect(() => normaliseRegistryUrl(url)).toThrow(TypeError);
  });
});

describe("a package's latest version", () => {
  it.each([
    ['is the one that the registry marks', { 'dist-tags': { latest: '1.2.0' }, versions: {} }, '1.2.0'],
    ['is no other text', { 'dist-tags': { latest: 'v1.2 or newer' } }, undefined],
    ['may be marked nowhere', { 'dist-tags': {} }, undefined],
    ['is not in another kind of answer', ['1.2.0'], undefined],
  ])('%s', async (_what, body, latest) => {
    answer = (_request, response) => json(response, body);
    expect(await client.latestVersion(registry, '@acme/application', never)).toBe(latest);
    expect(requests[0]?.url).toBe('/@acme%2fapplication');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is undefined where the registry has no such package, and an error where it does not answer', async () => {
    answer = (_request, response) => response.writeHead(404).end('{}');
    expect(await client.latestVersion(registry, '@acme/application', never)).toBeUndefined();
    answer = (_request, response) => response.end('<html>');
    await expect(client.latestVersion(registry, '@acme/application', never)).rejects.toThrow(/not JSON/);
  });
});
