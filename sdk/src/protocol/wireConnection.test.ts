import { duplexPair } from 'node:stream';
import type { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { DriverError } from '../errors.ts';
import { FrameWriter } from './frameWriter.ts';
import type { IncomingRequest } from './incomingExchange.ts';
import { WIRE_LIMITS } from './limits.ts';
import type { ReceivedBody } from './receivedBody.ts';
import { WireConnection } from './wireConnection.ts';
import type { WireEnd } from './wireConnection.ts';

type Serve = (request: IncomingRequest) => Promise<void>;

interface Pair {
  readonly host: WireConnection;
  readonly driver: WireConnection;
  readonly ends: WireEnd[];
  readonly streams: readonly [Duplex, Duplex];
}

const nothing: Serve = (request) => request.answer({});

function pair(serveDriver: Serve, serveHost: Serve = nothing): Pair {
  const [left, right] = duplexPair();
  const ends: WireEnd[] = [];
  const onEnd = (end: WireEnd): void => void ends.push(end);
  const host = new WireConnection({ side: 'host', stream: left, serve: serveHost, onEnd });
  const driver = new WireConnection({ side: 'driver', stream: right, serve: serveDriver, onEnd });
  driver.sendReady({ wire: 1, contract: '1.0.0', driver: 'x' });
  return { host, driver, ends, streams: [left, right] };
}

async function size(body: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of body) bytes += chunk.length;
  return bytes;
}

async function* chunks(count: number, length: number, seen: { taken: number } = { taken: 0 }): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) {
    seen.taken += length;
    yield new Uint8Array(length).fill(index);
  }
}

describe('the wire', () => {
  it('carries requests both ways at once, with bodies of every size', async () => {
    const echo: Serve = async (request) => request.answer({ method: request.method }, request.body);
    const { host, driver } = pair(echo, echo);
    const sizes = [0, 1, 16 * 1024, WIRE_LIMITS.body, WIRE_LIMITS.body + 1, 5_000_000];
    const results = await Promise.all(
      [host, driver].flatMap((side) =>
        sizes.map(async (length) => {
          const { result, body } = await side.request({ method: 'echo', body: new Uint8Array(length) });
          return [result, await size(body)] as const;
        }),
      ),
    );
    expect(results).toEqual([...sizes, ...sizes].map((length) => [{ method: 'echo' }, length]));
  });

  it('keeps the bytes in order, also when they come in small pieces', async () => {
    const { host } = pair(async (request) => request.answer({}, chunks(256, 1_000)));
    const whole = await (await host.request({ method: 'read' })).body.collect(1_000_000);
    expect(whole).toHaveLength(256_000);
    expect(whole.every((byte, index) => byte === Math.floor(index / 1_000))).toBe(true);
  });

  it('lets a sender go ahead of its reader by the window and no further', async () => {
    const seen = { taken: 0 };
    const { host } = pair(async (request) => request.answer({}, chunks(100, 100_000, seen)));
    const { body } = await host.request({ method: 'read' });
    await expect.poll(() => seen.taken, { interval: 20 }).toBeGreaterThanOrEqual(WIRE_LIMITS.window);
    expect(seen.taken).toBeLessThanOrEqual(WIRE_LIMITS.window + 100_000);
    expect(await size(body)).toBe(10_000_000);
  });

  it('queues no more than a megabyte of bodies for a reader who does not read', async () => {
    const [left, right] = duplexPair();
    let answered = 0;
    const host = new WireConnection({
      side: 'host',
      stream: left,
      onEnd: () => undefined,
      serve: async (request) => {
        answered += 1;
        await request.answer({}, chunks(4, WIRE_LIMITS.body));
      },
    });
    const writer = new FrameWriter(right);
    writer.control('ready', 0, {});
    for (let index = 0; index < 60; index += 1) writer.control('request', 2 * index + 1, { method: 'read', body: 'none' });
    await expect.poll(() => answered).toBe(60);
    expect(left.writableLength).toBeLessThan(WIRE_LIMITS.sendQueue + 2 * WIRE_LIMITS.body);
    host.fail(() => new DriverError('CANCELLED'));
  });

  it('passes on an error with its code and details, before and in the middle of an answer', async () => {
    const { host, ends } = pair(async (request) => {
      if (request.method === 'early') throw new DriverError('NOT_FOUND', 'Gone.', { details: { status: '404' } });
      await request.answer(
        {},
        (async function* () {
          yield* chunks(3, 1_000);
          throw new DriverError('CONNECTION_LOST', 'Broken.');
        })(),
      );
    });
    await expect(host.request({ method: 'early' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Gone.',
      details: { status: '404' },
    });
    const { body } = await host.request({ method: 'late' });
    await expect(size(body)).rejects.toMatchObject({ code: 'CONNECTION_LOST', message: 'Broken.' });
    expect(ends).toEqual([]);
  });

  it.each([
    { end: 'an error of the sender', breakOff: () => Promise.reject(new DriverError('CONFLICT', 'Broken.')), code: 'CONFLICT' },
    {
      end: 'the end of the connection',
      breakOff: (host: WireConnection) => {
        // Behind the pieces on the stream, as it is for a process that ends.
        setTimeout(() => host.fail(() => new DriverError('DRIVER_CRASHED')), 50);
        return new Promise<never>(() => undefined);
      },
      code: 'DRIVER_CRASHED',
    },
  ])('gives a late reader all that was sent before $end, and then the error', async ({ breakOff, code }) => {
    const opened: WireConnection[] = [];
    const { host } = pair((request) =>
      request.answer(
        {},
        (async function* () {
          yield* chunks(3, 1_000);
          await breakOff(opened[0] as WireConnection);
        })(),
      ),
    );
    opened.push(host);
    const { body } = await host.request({ method: 'late' });
    await new Promise((resolve) => setTimeout(resolve, 150));
    let bytes = 0;
    const reading = (async () => {
      for await (const chunk of body) bytes += chunk.length;
    })();
    await expect(reading).rejects.toMatchObject({ code });
    expect(bytes).toBe(3_000);
  });

  it('passes on the code and the message of an error whose translations are too large for a head', async () => {
    const texts = Object.fromEntries(
      ['message', 'advice', 'a', 'b', 'c', 'd'].map((part) => [
        part,
        { id: 'a.text', values: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`v${at}`, 'ü'.repeat(400)])) },
      ]),
    );
    const { host, ends } = pair(async () => {
      throw new DriverError('CONFLICT', 'Taken. '.repeat(300), {
        details: {
          advice: 'a'.repeat(2_000),
          request: '\u0001'.repeat(2_000),
          serverMessage: '\u0001'.repeat(2_000),
          texts,
        },
      });
    });
    await expect(host.request({ method: 'any' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/^Taken\. /) as string,
    });
    expect(ends).toEqual([]);
  });

  it('cancels by signal and by ending the reading, and the other side hears of it', async () => {
    const reasons: unknown[] = [];
    const { host, ends } = pair(async (request) => {
      request.signal.addEventListener('abort', () => reasons.push((request.signal.reason as DriverError).code));
      if (request.method === 'stream') return request.answer({}, chunks(1_000, 100_000));
      await new Promise((_resolve, reject) => request.signal.addEventListener('abort', () => reject(new Error('stopped'))));
    });
    const controller = new AbortController();
    const waiting = host.request({ method: 'wait', signal: controller.signal });
    controller.abort(new DriverError('TIMEOUT', 'Too late.'));
    await expect(waiting).rejects.toMatchObject({ code: 'TIMEOUT' });
    const { body } = await host.request({ method: 'stream' });
    for await (const chunk of body) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await expect.poll(() => reasons).toEqual(['CANCELLED', 'CANCELLED']);
    await expect.poll(() => host.pendingRequests).toBe(0);
    expect(ends).toEqual([]);
  });

  it('lets a request wait when too many are open, in order', async () => {
    const release: (() => void)[] = [];
    let most = 0;
    const { host, driver } = pair(async (request) => {
      most = Math.max(most, driver.servedRequests);
      await new Promise<void>((resolve) => release.push(resolve));
      await request.answer({});
    });
    const all = Promise.all(Array.from({ length: 150 }, () => host.request({ method: 'wait' })));
    const controller = new AbortController();
    const impatient = host.request({ method: 'wait', signal: controller.signal });
    controller.abort();
    await expect(impatient).rejects.toMatchObject({ code: 'CANCELLED' });
    let released = 0;
    while (released < 150) {
      await expect.poll(() => release.length).toBeGreaterThan(0);
      for (const next of release.splice(0)) {
        next();
        released += 1;
      }
    }
    await all;
    expect(most).toBe(WIRE_LIMITS.openRequests);
  });

  it('stops sending when the other side has answered without reading', async () => {
    const seen = { taken: 0 };
    const { driver, ends } = pair(nothing, (request) => request.answer({ status: 413 }));
    const { result } = await driver.request({ method: 'upload', body: chunks(1_000, 100_000, seen) });
    expect(result).toEqual({ status: 413 });
    for (let round = 0; round < 200; round += 1) await driver.request({ method: 'next' });
    expect(seen.taken).toBeLessThan(3 * WIRE_LIMITS.window);
    expect(ends).toEqual([]);
  });

  it('cancels the request when the source of its body fails', async () => {
    const { driver, ends } = pair(nothing, async (request) => {
      await size(request.body);
      await request.answer({});
    });
    const body = (async function* () {
      yield new Uint8Array(10);
      throw new TypeError('no more');
    })();
    await expect(driver.request({ method: 'upload', body })).rejects.toMatchObject({
      code: 'DRIVER_FAULT',
      message: 'TypeError: no more',
    });
    expect(ends).toEqual([]);
  });

  it('refuses a head that is too large on the side that made it', async () => {
    const { host, ends } = pair((request) => request.answer('x'.repeat(70_000)));
    await expect(host.request({ method: 'a' })).rejects.toMatchObject({
      code: 'DRIVER_FAULT',
      message: expect.stringMatching(/too large/) as string,
    });
    await expect(host.request({ method: 'a', params: 'x'.repeat(70_000) })).rejects.toThrow(/too large/);
    expect(host.pendingRequests).toBe(0);
    expect(ends).toEqual([]);
  });

  it('rejects all pending calls when it ends, and all later ones', async () => {
    const { host, streams } = pair(async (request) => {
      if (request.method === 'stream') return request.answer({}, chunks(1_000, 100_000));
      await new Promise(() => undefined);
    });
    const waiting = host.request({ method: 'wait' });
    const { body } = await host.request({ method: 'stream' });
    streams[1].destroy();
    host.fail((method) => new DriverError('DRIVER_CRASHED', method));
    await expect(waiting).rejects.toThrow('wait');
    await expect(size(body)).rejects.toThrow('stream');
    await expect(host.request({ method: 'after' })).rejects.toThrow('after');
    expect(host.open).toBe(false);
  });

  it('asks for an end when a cancel is not confirmed in time', async () => {
    const [left, right] = duplexPair();
    const expired = Promise.withResolvers<string>();
    const host = new WireConnection({
      side: 'host',
      stream: left,
      serve: nothing,
      onEnd: () => undefined,
      cancelGrace: { milliseconds: () => 10, onExpired: expired.resolve },
    });
    const deaf = new WireConnection({
      side: 'driver',
      stream: right,
      serve: () => new Promise(() => undefined),
      onEnd: () => undefined,
    });
    deaf.sendReady({});
    const waiting = host.request({ method: 'wait', signal: AbortSignal.timeout(5) });
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await expired.promise).toBe('wait');
  });

  it('gives a body once', async () => {
    const { host } = pair((request) => request.answer({}, new Uint8Array(3)));
    const { body }: { body: ReceivedBody } = await host.request({ method: 'a' });
    expect(await size(body)).toBe(3);
    await expect(size(body)).rejects.toThrow(/can be read once/);
  });
});
