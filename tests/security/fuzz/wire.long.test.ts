import { duplexPair } from 'node:stream';
import { DriverError } from '@tabularium/sdk';
import { WIRE_LIMITS, WireConnection } from '@tabularium/sdk/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frameStart } from '../../../sdk/src/protocol/frame.ts';
import type { FrameKind } from '../../../sdk/src/protocol/frame.ts';
import { awkwardValue, nearBytes } from './mutations.ts';

const text = new TextEncoder();

function frame(kind: FrameKind, id: number, head: unknown, body = new Uint8Array(0)): Uint8Array {
  const bytes = head === undefined ? new Uint8Array(0) : text.encode(JSON.stringify(head));
  return Buffer.concat([frameStart(kind, id, bytes, body.length), body]);
}

/** The frames of an honest driver in a short session: it is ready, asks the host twice, answers two calls, streams and fails one. */
const session = Buffer.concat([
  frame('ready', 0, { wire: 1, contract: '1.0', driver: 'tiny' }),
  frame('request', 1, { method: 'echo', body: 'none' }),
  frame('request', 3, { method: 'echo', body: 'whole' }, new Uint8Array(300)),
  frame('answer', 2, { body: 'whole', result: { rows: 1 } }, new Uint8Array(2_000)),
  frame('answer', 4, { body: 'stream' }),
  frame('data', 4, undefined, new Uint8Array(1_000)),
  frame('credit', 4, { bytes: 1_000 }),
  frame('end', 4, undefined),
  frame('error', 6, { code: 'NOT_FOUND', message: 'There is no such table.' }),
  frame('cancel', 1, undefined),
]);

/** Sends bytes as a driver, in pieces, and says how the connection took it. */
async function receive(bytes: Uint8Array, piece: number): Promise<void> {
  const [left, right] = duplexPair();
  let ended = 0;
  const host = new WireConnection({
    side: 'host',
    stream: left,
    onEnd: () => void (ended += 1),
    serve: async (request) => {
      if (request.method === 'echo') await request.answer({}, request.body);
    },
  });
  right.on('data', () => undefined).on('error', () => undefined);
  const waiting = [1, 2, 3].map(async () => (await host.request({ method: 'ask' })).body.collect(WIRE_LIMITS.window));
  const outcomes = Promise.allSettled(waiting);
  for (let at = 0; at < bytes.length; at += piece) right.write(bytes.subarray(at, at + piece));
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  host.fail((method) => new DriverError('DRIVER_CRASHED', method));
  expect(ended).toBe(1);
  for (const outcome of await outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(DriverError);
  expect([host.pendingRequests, host.servedRequests]).toEqual([0, 0]);
}

const pieces = fc.constantFrom(1, 7, 512, 65_536);

describe('bytes from a driver', () => {
  it('near an honest session end the connection or are served, and everything that waits is answered', async () => {
    await fc.assert(
      fc.asyncProperty(nearBytes(session), pieces, (bytes, piece) => receive(bytes, piece)),
      { numRuns: 12_000 },
    );
  });

  it('of any kind do so too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2_048 }), pieces, (bytes, piece) => receive(bytes, piece)),
      { numRuns: 6_000 },
    );
  });

  it('with any value as a head do so too', async () => {
    const kinds = fc.constantFrom<FrameKind>('ready', 'request', 'answer', 'error', 'credit');
    const any = fc.tuple(
      kinds,
      fc.integer({ min: 0, max: 9 }),
      awkwardValue.filter((value) => JSON.stringify(value) !== undefined),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(any, { maxLength: 8 }), pieces, (frames, piece) =>
        receive(Buffer.concat([session.subarray(0, 60), ...frames.map(([kind, id, head]) => frame(kind, id, head))]), piece),
      ),
      { numRuns: 4_000 },
    );
  });
});
