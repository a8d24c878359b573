import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startApplication } from '../e2e/application.ts';
import type { Application } from '../e2e/application.ts';
import { runActor } from './actor.ts';
import { bridgeActor } from './bridgeActor.ts';
import { commandActor } from './commandActor.ts';
import { startCuttableProxy } from './cuttableProxy.ts';
import { disturb } from './disturbances.ts';
import { editActor } from './editActor.ts';
import { flatness } from './flatness.ts';
import { LiveHeap } from './liveHeap.ts';
import { mcpActor } from './mcpActor.ts';
import { processSample } from './processSample.ts';
import type { ProcessSample } from './processSample.ts';
import { SoakWorld } from './soakWorld.ts';
import { transferActor } from './transferActor.ts';
import { windowActor } from './windowActor.ts';

// npm run soak -- [--minutes N] [--no-window] [--json] [--samples FILE]: mixed work on the built application, with drivers that are killed and a server
// that goes away. Its memory, handles and processes must stay flat, no acknowledged edit may be lost, and nothing may fail but what was disturbed.

const SAMPLE_EVERY_MILLISECONDS = 5_000;
/** Collecting the garbage takes the host some time, so it isn't done at every sample. */
const SAMPLES_FOR_A_HEAP = 6;
const QUIET_MILLISECONDS = 15_000;

const { values: options } = parseArgs({
  allowNegative: true,
  options: {
    minutes: { type: 'string', default: '60' },
    window: { type: 'boolean', default: true },
    json: { type: 'boolean', default: false },
    samples: { type: 'string' },
  },
});
const minutes = z.coerce.number().positive().max(10_000).parse(options.minutes);
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const ended = new AbortController();
process.once('SIGINT', () => ended.abort());

const inspectorPort = await freePort();
await using application = await startApplication({
  products: 20_000,
  nodeOptions: [`--inspect=127.0.0.1:${inspectorPort}`],
});
await using proxy = await startCuttableProxy(application.sandbox.port);
using heap = await LiveHeap.connect(inspectorPort);
const token = await prepare(application, proxy.port);
const world = new SoakWorld(application, proxy, token, ended.signal);

const { pid } = application;
const editor = editActor();
const actors = [commandActor(), mcpActor(1), mcpActor(2), bridgeActor(), editor, transferActor()];
if (options.window) actors.push(windowActor());
say(`${actors.length} kinds of work for ${minutes} minutes on the host ${pid}.`);
const tallies = Promise.all(actors.map((actor) => runActor(actor, world)));
const disturbances = disturb(world);
const timer = setTimeout(() => ended.abort(), minutes * 60_000);

const samples = await sampled();
clearTimeout(timer);
const [work, happened] = await Promise.all([tallies, disturbances]);
await delay(QUIET_MILLISECONDS);
const atRest = { ...(await sample(-1)), liveHeap: await heap.read() };
const lost = await editor.lost(world);
const measurements = flatness(samples);
const isGood =
  measurements.every(({ isFlat }) => isFlat) && lost.length === 0 && work.every(({ failed, done }) => failed === 0 && done > 0);

if (options.samples !== undefined) await writeFile(options.samples, JSON.stringify(samples));
if (options.json) process.stdout.write(`${JSON.stringify({ minutes, measurements, work, happened, lost, atRest, isGood })}\n`);
else report();
process.exitCode = isGood ? 0 : 1;

function report(): void {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  for (const { name, early, late, most, allowed, isFlat } of measurements) {
    const shown = [early, late, most].map((value) => value.toFixed(1));
    print(
      `${isFlat ? 'flat  ' : 'RISES '}  ${name}: ${shown[0]} early, ${shown[1]} late (allowed +${allowed}), ${shown[2]} at most`,
    );
  }
  for (const { name, done, disturbed, failed, reasons } of work) {
    print(
      `${failed === 0 && done > 0 ? 'good  ' : 'FAILED'}  ${name}: ${done} done, ${disturbed} failed while disturbed, ${failed} failed otherwise`,
    );
    for (const reason of reasons) print(`          ${reason}`);
  }
  print(`${lost.length === 0 ? 'good  ' : 'LOST  '}  edits: ${lost.length} rows differ from what was acknowledged`);
  for (const row of lost.slice(0, 10)) print(`          ${row}`);
  print(
    `Drivers killed: ${happened.killedDrivers}, server away: ${happened.outages} times. At rest: ${Math.round(atRest.host / 1_048_576)} MB resident, ` +
      `${(atRest.liveHeap / 1_048_576).toFixed(1)} MB of live heap, ${atRest.handles} handles, ${atRest.driverProcesses} drivers.`,
  );
}

/** Takes samples until the end. */
async function sampled(): Promise<readonly ProcessSample[]> {
  const began = performance.now();
  const taken: ProcessSample[] = [];
  while (!world.signal.aborted) {
    const seconds = Math.round((performance.now() - began) / 1_000);
    const isHeap = taken.length % SAMPLES_FOR_A_HEAP === 0;
    const one = { ...(await sample(seconds)), ...(isHeap ? { liveHeap: await heap.read() } : {}) };
    taken.push(one);
    if (taken.length % 60 === 1)
      say(`${seconds} s: ${Math.round(one.host / 1_048_576)} MB, ${one.handles} handles, ${one.driverProcesses} drivers`);
    await delay(SAMPLE_EVERY_MILLISECONDS, undefined, { signal: world.signal }).catch(() => undefined);
  }
  return taken;
}

function sample(seconds: number): Promise<ProcessSample> {
  if (application.pid !== pid) throw new Error('Another host runs.');
  return processSample(pid, world.pidFile, seconds);
}

/** The connection, its two tables of the soak's own, and a token. */
async function prepare({ command, sandbox }: Application, port: number): Promise<string> {
  await command('drivers', 'install', 'search');
  await command(
    ...['connections', 'add', '--driver', 'search', '--name', 'Soak'],
    ...['--set', 'host=127.0.0.1', '--set', `port=${port}`, '--set', 'sslMode=disabled', '--api-key-env', 'E2E_API_KEY'],
    ...['--external-clients', 'readWrite', '--ai-policy', 'alwaysAllow'],
  );
  for (const name of ['soak', 'soak_imports']) {
    const response = await fetch(`http://127.0.0.1:${sandbox.port}/collections`, {
      method: 'POST',
      headers: { 'x-typesense-api-key': sandbox.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ name, fields: [{ name: 'turn', type: 'int64' }] }),
    });
    if (!response.ok) throw new Error(`The collection ${name} was not made: ${response.status}`);
  }
  const answer = await command('tokens', 'create', '--name', 'Soak', '--scope', 'fullAccess');
  return z.object({ token: z.string() }).parse(answer).token;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
