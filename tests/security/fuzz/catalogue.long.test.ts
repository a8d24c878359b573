import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCatalogueKeys, SignedCatalogue } from '@tabularium/registry';
import { CATALOGUE_PATH, integrityOf } from '@tabularium/sdk/package';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registrySource } from '../../../host/src/runtime/drivers/trust/registrySource.ts';
import { createPackageHost } from '../packageHost.ts';
import type { PackageHost } from '../packageHost.ts';
import { nearBytes, nearJson } from './mutations.ts';

const never = new AbortController().signal;
const name = '@acme/tabularium-driver-tiny';
const text = new TextEncoder();

let folder: string;
let server: Server;
let url: string;
let host: PackageHost;
/** Every file of the catalogue, as it was signed. */
const files = new Map<string, string>();
/** The content that is served in place of one of them. */
let changed: { readonly file: string; readonly content: Uint8Array } | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-catalogue-fuzz-'));
  const catalogue = await SignedCatalogue.open({ folder: join(folder, 'catalogue'), keys: await createCatalogueKeys() });
  const archive = text.encode('an archive');
  await catalogue.add([{ packageName: name, version: '1.0.0', integrity: await integrityOf(archive), length: archive.length }]);
  for (const role of [
    'timestamp.json',
    ...[1, 2, 3].flatMap((at) => [`${at}.root.json`, `${at}.snapshot.json`, `${at}.targets.json`]),
  ]) {
    const content = catalogue.file(role);
    if (content !== undefined) files.set(role, content);
  }
  server = createServer((request, response) => {
    const file = (request.url ?? '').slice(CATALOGUE_PATH.length + 1);
    const content = changed?.file === file ? changed.content : files.get(file);
    if (content === undefined) response.writeHead(404).end();
    else response.end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  host = await createPackageHost({ registries: () => [registrySource(url)] });
});
afterAll(async () => {
  await host.close();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Asks for the catalogue with one file changed, and once more as it was signed. */
async function receive(file: string, content: Uint8Array): Promise<'accepted' | 'refused'> {
  const registry = registrySource(url);
  changed = { file, content };
  let outcome: 'accepted' | 'refused' = 'accepted';
  try {
    await host.signedCatalogues.refresh(registry, never);
  } catch (error) {
    expect(error).toMatchObject({ name: 'HostError', code: expect.stringMatching(/^(CATALOGUE_|REGISTRY_)/) as string });
    outcome = 'refused';
  } finally {
    changed = undefined;
  }
  expect(Object.keys(Object.prototype)).toEqual([]);
  // A faulty answer neither replaces what was trusted nor keeps the real one from being trusted.
  expect(await host.signedCatalogues.refresh(registry, never)).toMatchObject({ kind: 'signed' });
  return outcome;
}

/** Values as JSON text; what JSON has no text for is left out by {@link fc.pre}. */
function jsonBytes(value: unknown): Uint8Array {
  const content = JSON.stringify(value) as string | undefined;
  fc.pre(content !== undefined);
  return text.encode(content);
}

describe('a file of a signed catalogue', () => {
  it('is accepted as it was signed', async () => {
    expect([...files.keys()]).toEqual(expect.arrayContaining(['timestamp.json', '1.root.json']));
    expect(await host.signedCatalogues.refresh(registrySource(url), never)).toMatchObject({ kind: 'signed' });
  });

  it('whose bytes changed is refused by name, or is the same catalogue', async () => {
    const any = fc
      .constantFrom(...files)
      .chain(([file, content]) => nearBytes(text.encode(content)).map((bytes) => ({ file, bytes })));
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(any, async ({ file, bytes }) => {
        if ((await receive(file, bytes)) === 'refused') refused += 1;
      }),
      { numRuns: 600 },
    );
    expect(refused).toBeGreaterThan(60);
  });

  it('whose values changed is refused by name, or is the same catalogue', async () => {
    const any = fc
      .constantFrom(...files)
      .chain(([file, content]) => nearJson(JSON.parse(content)).map((value) => ({ file, value })));
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(any, async ({ file, value }) => {
        if ((await receive(file, jsonBytes(value))) === 'refused') refused += 1;
      }),
      { numRuns: 600 },
    );
    expect(refused).toBeGreaterThan(60);
  });

  it('of any values as the next root is refused, and the trusted root stays', async () => {
    await fc.assert(
      fc.asyncProperty(nearJson(JSON.parse(files.get('1.root.json') ?? '{}')), async (value) => {
        expect(await receive('2.root.json', jsonBytes(value))).toBe('refused');
      }),
      { numRuns: 300 },
    );
  });
});
