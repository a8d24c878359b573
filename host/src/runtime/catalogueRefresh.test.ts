import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningRegistry } from '@tabularium/registry';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { tinyDriver } from '../../../registry/src/tinyDriver.test-helper.ts';
import { MemoryStore } from '../../../tests/security/memoryStore.ts';
import { createRegistry } from '../../../tests/security/packageHost.ts';
import { Runtime } from './runtime.ts';
import { builtRunner } from './drivers/processes/processes.test-helper.ts';
import { openHome } from './storage/home.ts';
import { silentLogger } from './storage/logger.ts';
import type { Logger } from './storage/logger.ts';

const SIX_HOURS = 6 * 60 * 60_000;

let registry: RunningRegistry;
let folder: string;

beforeEach(async () => {
  [registry, folder] = await Promise.all([createRegistry(), mkdtemp(join(tmpdir(), 'tabularium-refresh-')), builtRunner()]);
});
afterEach(async () => {
  vi.useRealTimers();
  await registry.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

it('a host that runs on asks its registries every six hours, and no more once it has stopped', async () => {
  await registry.publish(tinyDriver());
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const runtime = await Runtime.start({
    home: await openHome(join(folder, 'home'), new AbortController().signal),
    env: { TABULARIUM_LOCAL_REGISTRY: registry.registryJsonPath },
    logger: silentLogger,
    secureStore: new MemoryStore(),
    policyFile: join(folder, 'none.json'),
  });
  const offered = async (): Promise<string | undefined> => (await runtime.catalogue.entry('tiny'))?.availableVersion;
  await vi.waitFor(async () => expect(await offered()).toBe('1.0.0'), { timeout: 120_000 });
  await registry.publish(tinyDriver({ version: '1.1.0' }));
  vi.advanceTimersByTime(SIX_HOURS - 1);
  expect(await offered()).toBe('1.0.0');
  vi.advanceTimersByTime(1);
  await vi.waitFor(async () => expect(await offered()).toBe('1.1.0'), { timeout: 120_000 });
  await runtime[Symbol.asyncDispose]();
  expect(vi.getTimerCount()).toBe(0);
});

it('a host that stops while a registry is silent ends its requests, waits for them, and blames nothing on the registry', async () => {
  const asked = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    if (request.url?.includes('search') === true) return void response.end('{"objects":[]}');
    // The first root of the signed catalogue: no answer, ever.
    if (request.url?.includes('root.json') === true) return asked.resolve();
    response.writeHead(404).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const faults: string[] = [];
  const note = (text: unknown): void => void faults.push(String(text));
  const logger: Logger = { ...silentLogger, warn: note, error: note };
  process.on('warning', note).on('unhandledRejection', note);
  try {
    const runtime = await Runtime.start({
      home: await openHome(join(folder, 'home'), new AbortController().signal),
      env: { TABULARIUM_REGISTRIES: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` },
      logger,
      secureStore: new MemoryStore(),
      policyFile: join(folder, 'none.json'),
    });
    await asked.promise;
    await runtime[Symbol.asyncDispose]();
    // Work that was left behind would fail now.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(faults).toEqual([]);
  } finally {
    process.off('warning', note).off('unhandledRejection', note);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
