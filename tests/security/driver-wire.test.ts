import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_FILTER } from '@tabularium/sdk';
import type { PageRequest } from '@tabularium/sdk';
import { approvedGrant } from '../../host/src/runtime/drivers/broker/sealed.test-helper.ts';
import type {
  DriverProcesses,
  DriverProcessesOptions,
  RemoteSession,
} from '../../host/src/runtime/drivers/processes/driverProcesses.ts';
import { ProcessBench, testManifest } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import { liveBytes } from '../../sdk/src/testing/liveMemory.ts';

const signal = new AbortController().signal;
const runner = join(import.meta.dirname, 'hostile-driver', 'rawRunner.mjs');
const manifest = testManifest();
const patience = { call: 1_000 };
const page: PageRequest = {
  table: { namespace: [], name: 't' },
  filter: NO_FILTER,
  sorts: [],
  position: { from: 'start' },
  limit: 1,
};
const MEGABYTE = 1024 * 1024;

let bench: ProcessBench;
let settings: { host: string; port: number };
const requested: string[] = [];
const large = Buffer.alloc(20 * MEGABYTE);
const server = createServer((request, response) => {
  requested.push(JSON.stringify(request.headers));
  if (request.url === '/slow') return;
  response.end(request.url === '/large' ? large : 'ok');
});

beforeAll(async () => {
  bench = await ProcessBench.open();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  settings = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
});
afterAll(async () => {
  await bench.close();
  server.closeAllConnections();
  server.close();
});

interface Played {
  readonly processes: DriverProcesses;
  readonly connecting: Promise<RemoteSession>;
}

async function play(scenario: string, limits: DriverProcessesOptions['limits'] = {}): Promise<Played> {
  const processes = await bench.processes({
    runner,
    limits: { ready: 60_000, call: 120_000, callMargin: 0, cancelGrace: 200, ...limits },
  });
  const driver = await bench.driver(JSON.stringify({ scenario }), manifest);
  const http = await approvedGrant(manifest, settings, { key: 'k-e-y' }, () => Promise.reject(new Error('no files')));
  return { processes, connecting: processes.connect({ driver, settings: {}, files: {}, http, signal }) };
}

/** How much more the host holds on to while something runs, at its highest. Garbage is not counted: V8 takes what space it likes for it. */
async function growth(work: () => Promise<unknown>): Promise<number> {
  const before = liveBytes();
  let highest = before;
  const timer = setInterval(() => {
    highest = Math.max(highest, liveBytes());
  }, 50);
  await work();
  clearInterval(timer);
  return Math.max(highest, liveBytes()) - before;
}

describe('a first frame', () => {
  it.each([
    ['notReady', /violated the protocol: the first frame was of the kind answer/],
    ['garbage', /violated the protocol: a frame of 1195725856 bytes was announced/],
    ['newerWire', /speaks version 99 of the wire, and this version of Tabularium speaks 1\. Update Tabularium\./],
    [
      'newerContract',
      /version 2\.1\.0 of the SDK's contract, and this version of Tabularium speaks 1\.\d+\.\d+\. Update Tabularium\./,
    ],
    ['otherDriver', /says that it is "other", not "fixture"/],
    ['neverReady', /was not ready within 0\.5 s/],
  ])('that is wrong ends the process: %s', async (scenario, message) => {
    const { connecting } = await play(scenario, scenario === 'neverReady' ? { ready: 500 } : {});
    await expect(connecting).rejects.toMatchObject({ code: 'DRIVER_FAULT', message: expect.stringMatching(message) as string });
  });
});

describe('a violation of the wire', () => {
  it.each([
    ['longHead', /a head of 70\d{3} bytes was announced/],
    ['dishonestHead', /a head of 60000 bytes was announced/],
    ['largeBody', /a body of 307200 bytes arrived in one frame/],
    ['creditNaN', /the head of credit isn't valid JSON/],
    ['creditNull', /the head of credit is not valid/],
    ['creditString', /the head of credit is not valid/],
    ['creditFraction', /the head of credit is not valid/],
    ['creditNegative', /the head of credit is not valid/],
    ['creditZero', /the head of credit is not valid/],
    ['creditHuge', /the head of credit is not valid/],
    ['creditUnearned', /more credit was given than the window holds/],
    ['twoStreams', /a request was answered twice/],
    ['dataBeforeAnswer', /data came before the answer/],
    ['endBeforeAnswer', /the end came before the answer/],
    ['emptyData', /of the kind data came with a body of 0 bytes/],
    ['answerToNothing', /for an exchange that is over or never was/],
    ['unannouncedBody', /with a body that it did not announce/],
    ['unknownKind', /the unknown kind 8/],
    ['deepHead', /the head of an answer isn't valid JSON/],
    ['unknownMethod', /asked for something that does not exist/],
    ['protoMethod', /asked for something that does not exist/],
    ['constructorMethod', /asked for something that does not exist/],
    ['toStringMethod', /asked for something that does not exist/],
    ['evenNumber', /came for an exchange that is over or never was/],
    ['numberTwice', /the number of a request was used again/],
    ['fractionalSession', /the head of a request is not valid/],
    ['tooManyRequests', /more than 64 requests were open/],
    ['dataAfterEnd', /data came after the end of a request/],
    ['uploadWithoutCredit', /more data arrived than there was credit for/],
    ['lateFrames', /too many frames came for exchanges that were over/],
  ])('ends the process: %s', async (scenario, message) => {
    const { connecting } = await play(scenario);
    const session = await connecting;
    const lost = new Promise<string>((resolve) => session.onClosed((error) => resolve(`${error.code} ${error.message}`)));
    await expect(session.ping({ signal })).rejects.toMatchObject({
      code: 'DRIVER_FAULT',
      message: expect.stringMatching(message) as string,
    });
    expect(await lost).toMatch(message);
  });

  it.each([
    ['twoAnswers', /came for an exchange that is over or never was/],
    ['answerThenError', /came for an exchange that is over or never was/],
    ['readyTwice', /a second frame of the kind ready arrived/],
  ])('ends the process also when nothing waits for an answer: %s', async (scenario, message) => {
    const { connecting } = await play(scenario);
    const session = await connecting;
    const lost = new Promise<string>((resolve) => session.onClosed((error) => resolve(error.message)));
    if (scenario !== 'readyTwice') await session.ping({ signal });
    expect(await lost).toMatch(message);
  });

  it('ends the process when the answer itself is wrong', async () => {
    const broken = await (await play('notJson')).connecting;
    await expect(broken.ping({ signal })).rejects.toThrow(/answered ping wrongly: the response isn't valid JSON/);
    await expect(broken.ping({ signal })).rejects.toMatchObject({ code: 'DRIVER_FAULT' });
    const misshapen = await (await play('wrongShape')).connecting;
    await expect(misshapen.listTables({ signal })).rejects.toThrow(
      /answered listTables wrongly: the answer is not valid at "0\.ref/,
    );
    const deep = await (await play('deepAnswer')).connecting;
    await expect(deep.listTables({ signal })).rejects.toThrow(/answered listTables wrongly: the answer is not valid/);
  });
});

describe('the memory of the host', () => {
  it('does not grow with what is announced', async () => {
    const session = await (await play('hugeFrame')).connecting;
    const bytes = await growth(() =>
      expect(session.ping({ signal })).rejects.toThrow(/a frame of 4294967295 bytes was announced/),
    );
    expect(bytes).toBeLessThan(16 * MEGABYTE);
  });

  it.each(['hugeMessage', 'tinyFrames'])('does not grow with what is sent without regard to credit: %s', async (scenario) => {
    const session = await (await play(scenario, { answerBytes: MEGABYTE })).connecting;
    const lost = new Promise<string>((resolve) => session.onClosed((error) => resolve(error.message)));
    const bytes = await growth(async () => {
      await expect(session.ping({ signal })).rejects.toThrow();
      expect(await lost).toMatch(/more data arrived than there was credit for|ignored the cancellation/);
    });
    expect(bytes).toBeLessThan(16 * MEGABYTE);
  });

  it('holds an answer up to its limit and no further', async () => {
    const session = await (await play('endlessAnswer', { answerBytes: 8 * MEGABYTE })).connecting;
    const bytes = await growth(() =>
      expect(session.ping({ signal })).rejects.toMatchObject({
        code: 'TOO_LARGE',
        message: 'The answer to ping is larger than 8 MB.',
      }),
    );
    // The answer and one copy of it, and buffers that a collection has let go but not yet given back.
    expect(bytes).toBeLessThan(24 * MEGABYTE);
  });

  it("doesn't grow with requests whose responses stay unread, and the log has its limit", async () => {
    const flood = async (): Promise<void> => {
      const { connecting } = await play('requestFlood', { logBytes: 3_000 });
      const session = await connecting;
      const lost = new Promise<string>((resolve) => session.onClosed((error) => resolve(error.message)));
      // The host answers no more lines than a second has room for, so a driver that keeps sending has too many requests open.
      await expect(session.ping({ signal })).rejects.toMatchObject({ code: 'DRIVER_FAULT' });
      expect(await lost).toMatch(/violated the protocol: more than 64 requests were open/);
    };
    // The first flood makes room for the young generation at that pace, 85 to 100 MB on an idle machine; what a flood costs shows in the next.
    await flood();
    bench.lines.length = 0;
    const bytes = await growth(flood);
    expect(bytes).toBeLessThan(64 * MEGABYTE);
    expect(bench.lines.filter(({ source }) => source === 'driver').length).toBeLessThan(2_500);
    expect(bench.lines.some(({ message }) => /more than its log may hold/.test(message))).toBe(true);
  });

  it("doesn't grow with large unread responses", async () => {
    const session = await (await play('answersUnread', patience)).connecting;
    const bytes = await growth(() => expect(session.ping({ signal })).rejects.toMatchObject({ code: 'TIMEOUT' }));
    // 64 answers of 20 MB: in flight may be a megabyte in the pipe and a window for each of eight connections, and undici's own.
    expect(bytes).toBeLessThan(96 * MEGABYTE);
  });
});

describe('what is strange but allowed', () => {
  it('does no harm by names of JavaScript itself', async () => {
    const session = await (await play('pollution')).connecting;
    await session.ping({ signal });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(requested.at(-1)).not.toContain('polluted');
  });

  it('deep parameters are refused without harm', async () => {
    const session = await (await play('deepParams', patience)).connecting;
    await expect(session.ping({ signal })).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('gives a session the requests of its own grant only', async () => {
    const session = await (await play('foreignSession')).connecting;
    await expect(session.ping({ signal })).rejects.toMatchObject({ code: 'SERVER_ERROR', message: 'PERMISSION_DENIED' });
  });

  it('reads an unknown code as a fault, and an overlong message as a violation', async () => {
    const unknown = await (await play('unknownCode')).connecting;
    await expect(unknown.ping({ signal })).rejects.toMatchObject({ code: 'DRIVER_FAULT', details: { request: 'r' } });
    const long = await (await play('longMessage')).connecting;
    await expect(long.ping({ signal })).rejects.toThrow(/the head of an error is not valid/);
  });

  it('delivers a response that was in flight when it was cancelled, again and again', async () => {
    const session = await (await play('lateButHonest')).connecting;
    for (let round = 0; round < 5; round += 1) {
      const controller = new AbortController();
      const reading = session.readPage(page, { signal: controller.signal });
      controller.abort();
      await expect(reading).rejects.toMatchObject({ code: 'CANCELLED' });
    }
    let lost = false;
    session.onClosed(() => {
      lost = true;
    });
    const reading = session.readPage(page, { signal: AbortSignal.timeout(50) });
    await expect(reading).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(lost).toBe(false);
  });
});
