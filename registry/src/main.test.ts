import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findRunningRegistry } from './registryFile.ts';

let state: string;
let child: ChildProcess | undefined;

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'tabularium-registry-'));
});
afterEach(async () => {
  if (child !== undefined && child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await rm(state, { recursive: true, force: true, maxRetries: 5 });
});

function start(...more: string[]) {
  const process_ = spawn(
    process.execPath,
    ['--conditions=tabularium:source', join(import.meta.dirname, 'main.ts'), '--state', state, ...more],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  child = process_;
  return process_;
}

async function firstLine(process_: ReturnType<typeof start>): Promise<unknown> {
  const [line] = (await once(createInterface(process_.stdout), 'line')) as [string];
  return JSON.parse(line);
}

describe("the registry's program", () => {
  it('says when it is ready, and ends with its file on SIGTERM', async () => {
    const process_ = start();
    const registryFile = join(state, 'registry.json');
    expect(await firstLine(process_)).toEqual({
      ready: true,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/) as string,
      registryFile,
    });
    expect(await findRunningRegistry(registryFile)).toMatchObject({ pid: process_.pid });
    process_.kill('SIGTERM');
    expect(await once(process_, 'exit')).toEqual([0, null]);
    await expect(stat(registryFile)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('that is started twice at once runs once: the other one says so and ends', async () => {
    const outcomes = await Promise.all(
      [start(), start()].map(async (process_) => {
        let complaint = '';
        process_.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString('utf8')));
        const ended = once(process_, 'close').then(([code]) => ({ process_, code: code as number, complaint }));
        return Promise.race([firstLine(process_).then(() => ({ process_, code: undefined, complaint: '' })), ended]);
      }),
    );
    const [ready, ...others] = outcomes.toSorted((a, b) => (a.code ?? -1) - (b.code ?? -1));
    expect(ready?.code).toBeUndefined();
    expect(others).toMatchObject([
      { code: 1, complaint: expect.stringContaining(`A local registry already runs on ${state}`) as string },
    ]);
    expect(await findRunningRegistry(join(state, 'registry.json'))).toMatchObject({ pid: ready?.process_.pid });
    // Killed, it leaves its file and its lock to the next one.
    ready?.process_.kill('SIGKILL');
    await once(ready?.process_ ?? start(), 'exit');
    expect(await firstLine(start())).toMatchObject({ ready: true });
  });

  it('exits when its parent process has exited', async () => {
    const process_ = start('--until-stdin-closes');
    await firstLine(process_);
    process_.stdin.end();
    expect(await once(process_, 'exit')).toEqual([0, null]);
  });

  it('exits cleanly on request before it is ready', async () => {
    const process_ = start('--until-stdin-closes');
    let complaint = '';
    process_.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString('utf8')));
    process_.stdin.end();
    expect(await once(process_, 'exit')).toEqual([0, null]);
    expect(complaint).toBe('');
    await expect(stat(join(state, 'registry.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('takes over from one that was killed', async () => {
    const killed = start();
    await firstLine(killed);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect(await stat(join(state, 'registry.json'))).toBeDefined();
    expect(await firstLine(start())).toMatchObject({ ready: true });
  });
});
