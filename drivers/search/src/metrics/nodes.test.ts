import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startSandbox } from '@tabularium/sandbox';
import type { Sandbox } from '@tabularium/sandbox';
import type { MetricsReading, NodeReading, Session } from '@tabularium/sdk';
import { createTestHttp } from '@tabularium/sdk/testing';
import type { TestHttp } from '@tabularium/sdk/testing';
import { connect } from '../connect.ts';
import { ADMIN_KEY, admin, call } from '../fixture.test-helper.ts';
import { NODE_MILLISECONDS } from './nodes.ts';

let nodes: Sandbox[];
const closers: (() => unknown)[] = [];
beforeEach(async () => {
  nodes = await Promise.all([1, 2, 3].map(() => startSandbox({ apiKey: ADMIN_KEY })));
  for (const [index, node] of nodes.entries()) node.setNode({ leads: index === 0, committed: 40, queued: 0 });
  for (const node of nodes) closers.push(() => node.close());
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function httpTo([first = '', ...others]: readonly string[], key = ADMIN_KEY): TestHttp {
  const http = createTestHttp(first, {
    credentials: { 'X-TYPESENSE-API-KEY': key, 'X-SEARCH-API-KEY': key },
    nodes: others,
  });
  closers.push(() => http.close());
  return http;
}

async function sessionOf(http: TestHttp): Promise<Session> {
  const session = await connect({}, { http, log: () => undefined }, call);
  closers.push(() => session.close());
  return session;
}

async function read(session: Session): Promise<MetricsReading & { readonly nodes: readonly NodeReading[] }> {
  const reading = await session.metrics?.read(call);
  if (reading?.nodes === undefined) throw new Error('The reading has no nodes.');
  return { ...reading, nodes: reading.nodes };
}

const urls = (): string[] => nodes.map(({ url }) => url);
const place = (url: string): string => new URL(url).host;
const states = (reading: { readonly nodes: readonly NodeReading[] }): string[] => reading.nodes.map(({ state }) => state);
const facts = ({ facts: all }: NodeReading): Record<string, string> =>
  Object.fromEntries(all.map(({ id, value }) => [id, value]));
const values = ({ metrics }: NodeReading): Record<string, number> =>
  Object.fromEntries(metrics.map(({ id, value }) => [id, value]));

describe('the metrics of several nodes', () => {
  it('are those of each node, beside the cards of the one that answers', async () => {
    nodes[1]?.setNode({ leads: false, committed: 37, queued: 2 });
    const reading = await read(await sessionOf(httpTo(urls())));
    expect(reading.nodes.map(({ name }) => name)).toEqual(urls().map(place));
    expect(states(reading)).toEqual(['ready', 'ready', 'ready']);
    expect(reading.nodes.map(facts)).toEqual([
      { role: 'Leader', version: '29.0' },
      { role: 'Follower', version: '29.0' },
      { role: 'Follower', version: '29.0' },
    ]);
    expect(reading.nodes.map(values)).toMatchObject([
      { committed: 40, behind: 0, queued: 0 },
      { committed: 37, behind: 3, queued: 2 },
      { committed: 40, behind: 0, queued: 0 },
    ]);
    for (const node of reading.nodes)
      expect(Object.keys(values(node))).toEqual([
        ...['committed', 'behind', 'queued', 'cpu', 'systemMemory', 'processMemory', 'disk'],
        ...['requests', 'searchLatency', 'writeLatency', 'pendingWrites'],
      ]);
    expect(reading).toMatchObject({ node: place(urls()[0] ?? ''), problems: [], notes: [] });
    expect(reading.metrics).toHaveLength(9);
  });

  it('name a stopped node with the reason, and are read from the others; it is back in the next reading', async () => {
    const session = await sessionOf(httpTo(urls()));
    await nodes[0]?.close();
    // The first readings may find connections that the node has closed.
    await expect.poll(async () => (await read(session)).nodes[0]?.message).toBe('Nothing is listening at this address.');
    const stopped = await read(session);
    expect(states(stopped)).toEqual(['unreachable', 'ready', 'ready']);
    expect(stopped.nodes[0]).toMatchObject({ facts: [], metrics: [] });
    expect(stopped).toMatchObject({ node: place(urls()[1] ?? ''), notes: [expect.stringMatching(/^None of the nodes/)] });
    expect(stopped.metrics).toHaveLength(9);
    const { port = 0 } = nodes[0] ?? {};
    const again = await startSandbox({ apiKey: ADMIN_KEY, port });
    closers.push(() => again.close());
    expect(states(await read(session))).toEqual(['ready', 'ready', 'ready']);
  });

  it('wait a few seconds for a node that hangs, and have the others then', async () => {
    const silent: Server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    closers.push(() => silent.close());
    const { port } = silent.address() as AddressInfo;
    const session = await sessionOf(httpTo([...urls().slice(0, 2), `http://127.0.0.1:${port}`]));
    const reading = await read(session);
    expect(states(reading)).toEqual(['ready', 'ready', 'unreachable']);
    expect(reading.nodes[2]?.message).toBe(`It didn't answer within ${NODE_MILLISECONDS / 1_000} s.`);
    expect(reading.metrics).toHaveLength(9);
  });

  it('distinguish a node that is not ready, one that rejects writes, and another kind of server', async () => {
    nodes[0]?.setStarting(true);
    nodes[1]?.setExhausted('OUT_OF_DISK');
    nodes[2]?.fault(() => ({ kind: 'answer', status: 200, body: '<html>It works</html>' }));
    // The session is opened by the second node, which answers.
    const reading = await read(await sessionOf(httpTo([1, 0, 2].map((index) => urls()[index] ?? ''))));
    expect(reading.nodes.map(({ state, message }) => [state, message])).toEqual([
      ['limited', 'It rejects writes: its disk is almost full.'],
      ['limited', expect.stringMatching(/^It answers that it is not ready/)],
      ['unreachable', expect.stringMatching(/^A web server answered GET \/health/)],
    ]);
    expect(reading.nodes.map((node) => 'committed' in values(node))).toEqual([true, true, false]);
  });

  it('have what the key may read, and say once what it lacks', async () => {
    const body = JSON.stringify({ description: 'd', actions: ['metrics.json:list'], collections: ['*'], value: 'narrow-key' });
    for (const node of nodes) await admin(node, 'POST', '/keys', body);
    const reading = await read(await sessionOf(httpTo(urls(), 'narrow-key')));
    expect(states(reading)).toEqual(['ready', 'ready', 'ready']);
    expect(reading.problems).toEqual([
      { source: '/stats.json', message: 'The API key lacks the action stats.json:list.' },
      { source: '/status', message: 'The API key lacks the action status:list.' },
      { source: '/debug', message: 'The API key lacks the action debug:list.' },
    ]);
    for (const node of reading.nodes) expect(Object.keys(values(node))).toEqual(['cpu', 'systemMemory', 'processMemory', 'disk']);
    expect(reading.notes).toEqual([]);
  });

  it('say that two leaders may be of two clusters', async () => {
    nodes[2]?.setNode({ leads: true, committed: 3, queued: 0 });
    expect((await read(await sessionOf(httpTo(urls())))).notes).toEqual([expect.stringMatching(/^2 of these nodes say/)]);
  });

  it('mark all nodes where none answers, and never throw for it', async () => {
    const session = await sessionOf(httpTo(urls()));
    for (const node of nodes) await node.close();
    const reading = await read(session);
    expect(states(reading)).toEqual(['unreachable', 'unreachable', 'unreachable']);
    expect(reading).toMatchObject({ metrics: [], problems: [{ message: 'No node of this connection answers.' }] });
    expect(reading).not.toHaveProperty('node');
    expect(JSON.stringify(reading)).not.toContain(ADMIN_KEY);
  });

  it('end with their caller', async () => {
    const session = await sessionOf(httpTo(urls()));
    await expect(session.metrics?.read({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('are not there for a connection of one node', async () => {
    const session = await sessionOf(httpTo(urls().slice(0, 1)));
    const reading = await session.metrics?.read(call);
    expect(Object.keys(reading ?? {})).toEqual(['metrics', 'problems']);
  });
});
