import { duplexPair } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DriverError } from '../errors.ts';
import type { FrameKind } from './frame.ts';
import { FRAME_KINDS, frameStart } from './frame.ts';
import { WIRE_LIMITS } from './limits.ts';
import { WireConnection } from './wireConnection.ts';

/** Heads as a hostile side would write them: mostly right, and wrong in every way that JSON can be. */
const anyHead = fc.oneof(
  fc.record({ bytes: fc.oneof(fc.integer(), fc.constant(65_536), fc.double(), fc.string()) }),
  fc.record({ body: fc.constantFrom('none', 'whole', 'stream', 'other'), result: fc.anything({ maxDepth: 2 }) }),
  fc.record({
    method: fc.constantFrom('echo', 'drop', '__proto__', 'x'.repeat(61)),
    body: fc.constantFrom('none', 'whole', 'stream'),
    session: fc.oneof(fc.constant(1), fc.integer(), fc.double()),
  }),
  fc.record({ code: fc.constantFrom('NOT_FOUND', 'x'), message: fc.string() }),
  fc.json(),
);

const anyFrame = fc.record({
  kind: fc.constantFrom(...(Object.keys(FRAME_KINDS) as FrameKind[])),
  id: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constantFrom(101, 0xffff_ffff)),
  head: fc.option(anyHead),
  bodyLength: fc.constantFrom(0, 0, 1, 1_000, WIRE_LIMITS.body),
});

async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('any frames from the other side', () => {
  it('end the connection or are served; every pending call settles, and no exception leaves the connection', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyFrame, { maxLength: 25 }), async (frames) => {
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
        const send = (kind: FrameKind, id: number, head: Uint8Array, body: Uint8Array): void => {
          right.write(frameStart(kind, id, head, body.length));
          right.write(body);
        };
        send('ready', 0, new TextEncoder().encode('{}'), new Uint8Array(0));
        const waiting = [1, 2, 3].map(async () => (await host.request({ method: 'ask' })).body.collect(WIRE_LIMITS.window));
        const outcomes = Promise.allSettled(waiting);
        for (const { kind, id, head, bodyLength } of frames) {
          const text = typeof head === 'string' ? head : head === null ? '' : JSON.stringify(head);
          send(kind, id, new TextEncoder().encode(text), new Uint8Array(bodyLength));
        }
        await settle();
        host.fail((method) => new DriverError('DRIVER_CRASHED', method));
        expect(ended).toBe(1);
        for (const outcome of await outcomes) {
          if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(DriverError);
        }
        expect([host.pendingRequests, host.servedRequests]).toEqual([0, 0]);
      }),
      { numRuns: 400 },
    );
  });
});
