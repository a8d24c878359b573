import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { root } from '../../scripts/paths.ts';
import { BridgeHome, modern } from '../support/bridgeHome.ts';
import type { AnyMessage, BridgeProcess } from '../support/bridgeHome.ts';

// The host is killed and started again while clients work. Each of their requests gets one answer: what it asked for, or who failed.

const ROUNDS = 6;
const ROUND_MILLISECONDS = 10_000;
/** How long the host is away. */
const GAP_MILLISECONDS = 700;
const WORKERS = 4;
const LIMIT = ROUNDS * ROUND_MILLISECONDS + 120_000;

let home: BridgeHome;
let record: string;
let host: ChildProcess;

async function startHost(): Promise<void> {
  const args = ['--conditions=tabularium:source', join(root, 'tests/support/bridgeChaosHost.ts'), home.folder, record];
  host = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (host.stdout !== null) await once(host.stdout, 'data');
}

async function killHost(): Promise<void> {
  host.kill('SIGKILL');
  await once(host, 'exit');
}

beforeEach(async () => {
  home = await BridgeHome.create();
  record = join(home.folder, 'record');
  await startHost();
});
afterEach(async () => {
  if (host.exitCode === null && host.signalCode === null) await killHost();
  await home[Symbol.asyncDispose]();
});

/** Answers by id, as they come, so that none is looked for among all. */
function collect(bridge: BridgeProcess): { wait(id: string): Promise<AnyMessage>; counts: Map<string, number> } {
  const waiting = new Map<string, (answer: AnyMessage) => void>();
  const counts = new Map<string, number>();
  let seen = 0;
  void bridge
    .until(() => {
      for (; seen < bridge.lines.length; seen += 1) {
        const message = JSON.parse(bridge.lines[seen] ?? '') as AnyMessage;
        const id = String(message.id);
        counts.set(id, (counts.get(id) ?? 0) + 1);
        waiting.get(id)?.(message);
        waiting.delete(id);
      }
      return undefined;
    })
    .catch(() => undefined);
  return { counts, wait: (id) => new Promise((resolve) => waiting.set(id, resolve)) };
}

it.each([['2026-07-28'], ['2025-11-25']])(
  'every request is answered or fails by name, none is lost, none is done twice (%s)',
  async (version) => {
    const bridge = home.startBridge();
    if (version !== '2026-07-28') await bridge.initialize(version);
    const { wait, counts } = collect(bridge);
    const request = (id: string, name: string, args: object): object =>
      version === '2026-07-28'
        ? modern(id, 'tools/call', { name, arguments: args })
        : { id, method: 'tools/call', params: { name, arguments: args } };
    bridge.send(version === '2026-07-28' ? modern('list', 'tools/list') : { id: 'list', method: 'tools/list' });
    await wait('list');

    let over = false;
    let sent = 0;
    const outcomes = new Map<string, AnyMessage>();
    const worker = async (): Promise<void> => {
      while (!over) {
        sent += 1;
        const id = `${sent % 2 === 0 ? 'read' : 'write'}-${sent}`;
        const answer = wait(id);
        bridge.send(
          id.startsWith('read')
            ? request(id, 'list_tables', { connection: READING_ROOM })
            : request(id, 'execute_query', { connection: READING_ROOM, statement: `write ${id}.` }),
        );
        outcomes.set(id, await answer);
        await delay(5);
      }
    };
    const workers = Array.from({ length: WORKERS }, worker);
    for (let round = 0; round < ROUNDS; round += 1) {
      await delay(ROUND_MILLISECONDS - GAP_MILLISECONDS);
      await killHost();
      await delay(GAP_MILLISECONDS);
      await startHost();
    }
    await delay(1_000);
    over = true;
    await Promise.all(workers);

    // None lost, none answered twice.
    expect(outcomes.size).toBe(sent);
    expect([...outcomes.keys()].filter((id) => counts.get(id) !== 1)).toEqual([]);
    // Every failure says who failed.
    const failed = [...outcomes].filter(([, { error }]) => error !== undefined);
    expect(failed.filter(([, { error }]) => error?.data?.['layer'] === undefined)).toEqual([]);
    // A read survives a restart of the host.
    expect(failed.filter(([id]) => id.startsWith('read')).map(([, { error }]) => error)).toEqual([]);
    // A write ran once if it was answered, and at most once if the answer was lost.
    const ran = (await readFile(record, 'utf8')).split('\n');
    const times = (id: string): number => ran.filter((line) => line === `CHANGE run write ${id}.`).length;
    const writes = [...outcomes].filter(([id]) => id.startsWith('write'));
    expect(writes.filter(([id, { error }]) => times(id) > 1 || (error === undefined && times(id) !== 1))).toEqual([]);
    expect(writes.length).toBeGreaterThan(100);
  },
  LIMIT,
);
