import { DriverError } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import type { TestStep } from '../../common/connection.ts';
import { testNodes } from './nodeTest.ts';
import { plainManifest } from '../../common/plainManifest.test-helper.ts';

const manifest = plainManifest({
  sdk: '^1.1',
  connection: {
    fields: [
      { id: 'host', label: 'Host', type: 'text' },
      { id: 'port', label: 'Port', type: 'number' },
      { id: 'nodes', label: 'Nodes', type: 'text' },
      { id: 'tls', label: 'TLS', type: 'toggle' },
    ],
  },
  permissions: {
    http: {
      origin: {
        host: { field: 'host', whenEmpty: 'localhost' },
        port: { field: 'port', whenEmpty: 8108 },
        scheme: { field: 'tls', plainValues: ['false'] },
        nodes: { field: 'nodes' },
      },
    },
  },
  reading: { maxSorts: 0 },
});

/** A version, "unreachable" or "silent", or an error. */
type Answer = string | DriverError;

let closed = 0;
/** Servers by the place of their node: a version, an error, no way there, or no answer at all. */
function connector(answers: readonly Answer[]) {
  closed = 0;
  const untilCancelled = (signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(new DriverError('CANCELLED'))));
  const parts = {
    async *probe(_driver: unknown, _settings: unknown, _secrets: unknown, _signal: AbortSignal, node: number) {
      if (answers[node] !== 'unreachable') return;
      yield { id: 'tcp', label: 'TCP', outcome: 'failed', message: 'Nothing is listening there.' } satisfies TestStep;
    },
    connect: async ({ signal, node = -1 }: { signal: AbortSignal; node?: number }) => {
      const answer = answers[node];
      if (answer === 'silent') await untilCancelled(signal);
      return {
        server: { product: 'X', version: String(answer) },
        ping: async () => {
          if (answer instanceof DriverError) throw answer;
        },
        close: async () => {
          closed += 1;
        },
      };
    },
  };
  return parts as never;
}

const tested = (nodes: string, signal = new AbortController().signal) =>
  ({ driver: { manifest }, settings: { nodes }, secrets: {}, signal }) as never;

async function outcomes(nodes: string, answers: readonly Answer[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { id, label, outcome, message } of testNodes(connector(answers), tested(nodes), '29.0'))
    found[`${id} ${label}`] = `${outcome}: ${message}`;
  return found;
}

describe('the test of further nodes', () => {
  it('has one step for each: fine, not reached, lagging, of another version', async () => {
    const lagging = new DriverError('SERVER_NOT_READY');
    expect(await outcomes('a:1, [::1]:2, c, d:4', ['29.0', 'unreachable', lagging, '28.0'])).toEqual({
      'node-1 a:1': 'ok: X 29.0',
      'node-2 [::1]:2': 'warning: Nothing is listening there.',
      'node-3 c:8108': `warning: ${lagging.message} ${lagging.advice}`,
      'node-4 d:4': 'warning: X 28.0, but the first node has 29.0.',
    });
    // Also the one that was lagging.
    expect(closed).toBe(3);
  });

  it('has none where there are no further nodes', async () => {
    expect(await outcomes('', [])).toEqual({});
  });

  it('asks all at once: one that is silent keeps no other from its end, and cancelling ends it', async () => {
    const stopping = new AbortController();
    const ended: string[] = [];
    const run = async (): Promise<void> => {
      for await (const { id, outcome } of testNodes(connector(['silent', '29.0']), tested('a,b', stopping.signal), '29.0')) {
        if (outcome === 'running') continue;
        ended.push(id);
        stopping.abort(new DriverError('CANCELLED'));
      }
    };
    await expect(run()).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(ended).toEqual(['node-2']);
  });
});
