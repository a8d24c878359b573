import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningRegistry } from '@tabularium/registry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import { createPackageHost, createRegistry } from './packageHost.ts';

// A host that is killed while it changes what is installed: before every single change to database or disk, one after the other. The next
// start finds what was before or what was wanted, and nothing in between. (Installing itself: package-installation.test.ts.)

let registry: RunningRegistry;
let template: string;
let folder: string;

beforeAll(async () => {
  registry = await createRegistry();
  for (const version of ['1.0.0', '1.1.0']) await registry.publish(tinyDriver({ version }));
  folder = await mkdtemp(join(tmpdir(), 'tabularium-kills-'));
  const host = await createPackageHost({ registryFile: registry.registryJsonPath });
  for (const version of ['1.0.0', '1.1.0']) await host.install('tiny', version);
  template = host.home;
  await host.stop();
});
afterAll(async () => {
  await registry.close();
  for (const made of [template, folder]) await rm(made, { recursive: true, force: true, maxRetries: 5 });
});

/** @returns whether the operation was killed; false when it has fewer steps and came to its end */
async function killAt(home: string, operation: string, step: number): Promise<boolean> {
  const child = fork(join(import.meta.dirname, 'packageChangeChild.ts'), [home, operation, String(step)], {
    execArgv: ['--conditions=tabularium:source', '--import', 'reflect-metadata'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const [said] = (await Promise.race([
    once(child, 'message'),
    ended.then(([code]) => Promise.reject(new Error(`The child ended with ${String(code)}.`))),
  ])) as [string];
  child.kill('SIGKILL');
  await ended;
  return said === 'stopped';
}

/** Everything that a person would see of the driver after a new start, and the files on disk. */
async function stateOf(home: string): Promise<unknown> {
  const host = await createPackageHost({ home });
  try {
    const { drivers } = await host.management.overview();
    const driver = drivers.find(({ id }) => id === 'tiny');
    const loaded = await host.installed.current('tiny').then(
      ({ version }) => version,
      (error: unknown) => (error as { code?: string }).code,
    );
    return {
      loaded,
      versions: driver?.versions.map(({ version, current, refusedBecause }) => ({ version, current, refusedBecause })),
      pinned: host.choices.pinned('tiny'),
      rollbackTo: driver?.rollbackTo,
      folders: (await host.files()).filter((path) => /^[^/]+\/[^/]+$/.test(path)),
      staging: (await host.files()).filter((path) => path.startsWith('.')),
    };
  } finally {
    await host.stop();
  }
}

describe.each(['rollback', 'pin', 'remove', 'crashAtFirstUse'])('a host that is killed in the middle of: %s', (operation) => {
  it('finds the state before or the state after at its next start, whatever step it was', async () => {
    const homes: string[] = [];
    const states: unknown[] = [];
    for (let step = 1; ; step += 1) {
      const home = join(folder, `${operation}-${step}`);
      homes.push(home);
      await cp(template, home, { recursive: true });
      const killed = await killAt(home, operation, step);
      states.push(await stateOf(home));
      if (!killed) break;
    }
    const before = states[0];
    const after = states.at(-1);
    expect(after).not.toEqual(before);
    expect(states.length).toBeGreaterThan(3);
    // Once it has happened it stays: no step goes back.
    const happened = states.findIndex((state) => JSON.stringify(state) === JSON.stringify(after));
    for (const [place, state] of states.entries()) expect(state).toEqual(place < happened ? before : after);
    for (const home of homes) await rm(home, { recursive: true, force: true });
  });
});
