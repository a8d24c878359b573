import { afterEach, describe, expect, it } from 'vitest';
import { RawServer, TEST_KEY, testBody, testGrant, testRequest, textOf } from './broker.test-helper.ts';
import { HttpBroker } from './httpBroker.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Behaviour = 'answers' | 'lags' | 'hangs up' | 'is silent';

/** A node that does one thing, and keeps what arrives. */
class FakeNode {
  readonly requests: string[] = [];
  readonly #server: RawServer;
  port = 0;

  constructor(name: string, behaviour: Behaviour) {
    this.#server = new RawServer((socket, _connection, request) => {
      this.requests.push(request);
      if (behaviour === 'hangs up') socket.destroy();
      if (behaviour === 'is silent') return;
      const [status, body] = behaviour === 'lags' ? ['503 Not Ready', 'Not Ready or Lagging'] : ['200 OK', name];
      if (!socket.destroyed) socket.write(`HTTP/1.1 ${status}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    });
  }

  async listen(): Promise<void> {
    this.port = await this.#server.listen();
    closers.push(() => this.stop());
  }

  #stopped: Promise<void> | undefined;
  stop(): Promise<void> {
    return (this.#stopped ??= this.#server.close());
  }
}

async function cluster(...behaviours: Behaviour[]): Promise<FakeNode[]> {
  const nodes = behaviours.map((behaviour, index) => new FakeNode(`n${index + 1}`, behaviour));
  for (const node of nodes) await node.listen();
  return nodes;
}

function brokerOf(nodes: readonly FakeNode[], { timeoutMilliseconds = 5_000, pathPrefix = '' } = {}): HttpBroker {
  const [first, ...others] = nodes.map(({ port }) => port);
  const broker = new HttpBroker(testGrant({ port: first ?? 1, pathPrefix }, { timeoutMilliseconds, nodes: others }));
  closers.push(() => broker.close());
  return broker;
}

const counts = (nodes: readonly FakeNode[]): number[] => nodes.map(({ requests }) => requests.length);
const read = async (broker: HttpBroker): Promise<string> =>
  textOf((await broker.request(testRequest({ repeatable: true }))).body);
const write = async (broker: HttpBroker): Promise<string> =>
  textOf((await broker.request(testRequest({ method: 'POST', body: testBody(Buffer.from('x')), bodyBytes: 1 }))).body);

describe('a cluster of several nodes', () => {
  it.each(['lags', 'hangs up'] as const)('answers a read by the next node when one %s, and stays with it', async (behaviour) => {
    const nodes = await cluster(behaviour, 'answers', 'answers');
    const broker = brokerOf(nodes);
    expect(await read(broker)).toBe('n2');
    expect(await read(broker)).toBe('n2');
    expect(await write(broker)).toBe('n2');
    expect(counts(nodes)).toEqual([1, 3, 0]);
    expect(broker.node).toBe(`127.0.0.1:${nodes[1]?.port}`);
    for (const { requests } of nodes) for (const request of requests) expect(request).toContain(`x-test-key: ${TEST_KEY}`);
  });

  it('answers reads while nodes stop one by one, and again when one is back', async () => {
    const nodes = await cluster('answers', 'answers', 'answers');
    const broker = brokerOf(nodes);
    const answers = [await read(broker)];
    await nodes[0]?.stop();
    answers.push(await read(broker));
    await nodes[1]?.stop();
    answers.push(await read(broker));
    await nodes[2]?.stop();
    await expect(read(broker)).rejects.toMatchObject({ code: 'CONNECTION_REFUSED', message: /No other node answered/ });
    expect(answers).toEqual(['n1', 'n2', 'n3']);
  });

  it.each(['lags', 'hangs up', 'is silent'] as const)('never sends a write twice when a node %s', async (behaviour) => {
    const nodes = await cluster(behaviour, 'answers');
    const broker = brokerOf(nodes, { timeoutMilliseconds: 100 });
    await write(broker).catch(() => undefined);
    expect(counts(nodes)).toEqual([1, 0]);
  });

  it('never sends a write to another node when one is stopped; the next try goes there', async () => {
    const nodes = await cluster('answers', 'answers');
    await nodes[0]?.stop();
    const broker = brokerOf(nodes);
    await expect(write(broker)).rejects.toMatchObject({ code: 'CONNECTION_REFUSED' });
    expect(counts(nodes)).toEqual([0, 0]);
    expect(await write(broker)).toBe('n2');
  });

  it('never repeats a read with a body that streams', async () => {
    const nodes = await cluster('lags', 'answers');
    const broker = brokerOf(nodes);
    const { status } = await broker.request(testRequest({ method: 'POST', repeatable: true, body: testBody(Buffer.from('x')) }));
    expect([status, ...counts(nodes)]).toEqual([503, 1, 0]);
  });

  it('waits for two silent nodes at most', async () => {
    const nodes = await cluster('is silent', 'is silent', 'answers');
    const broker = brokerOf(nodes, { timeoutMilliseconds: 1_500 });
    await expect(read(broker)).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect(counts(nodes)).toEqual([1, 1, 0]);
    expect(await read(broker)).toBe('n3');
  });

  it('hands the answer of the last node back when all lag', async () => {
    const nodes = await cluster('lags', 'lags');
    expect((await brokerOf(nodes).request(testRequest({ repeatable: true }))).status).toBe(503);
    expect(counts(nodes)).toEqual([1, 1]);
  });

  it('gives up at once when the caller does', async () => {
    const nodes = await cluster('is silent', 'answers');
    const cancel = new AbortController();
    const request = brokerOf(nodes).request(testRequest({ repeatable: true, signal: cancel.signal }));
    await expect.poll(() => counts(nodes)).toEqual([1, 0]);
    cancel.abort();
    await expect(request).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(counts(nodes)).toEqual([1, 0]);
  });

  it('names no node where there is only one', async () => {
    expect(brokerOf(await cluster('answers')).node).toBeUndefined();
  });
});

describe('a request to one node', () => {
  const readOf = async (broker: HttpBroker, node: number): Promise<[status: number, node: number | undefined, text: string]> => {
    const { status, body, node: answered } = await broker.request(testRequest({ repeatable: true, node }));
    return [status, answered, await textOf(body)];
  };

  it('goes there and nowhere else, whatever it answers, and leaves the others where they went', async () => {
    const nodes = await cluster('answers', 'lags', 'hangs up', 'answers');
    const broker = brokerOf(nodes);
    expect(broker.nodes).toEqual(nodes.map(({ port }) => `127.0.0.1:${port}`));
    expect(await readOf(broker, 3)).toEqual([200, 3, 'n4']);
    expect(await readOf(broker, 1)).toEqual([503, 1, 'Not Ready or Lagging']);
    await expect(readOf(broker, 2)).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    expect(counts(nodes)).toEqual([0, 1, 1, 1]);
    expect(await read(broker)).toBe('n1');
    expect(broker.node).toBe(`127.0.0.1:${nodes[0]?.port}`);
    for (const { requests } of nodes) for (const request of requests) expect(request).toContain(`x-test-key: ${TEST_KEY}`);
  });

  it('says which node answered where none is named', async () => {
    const nodes = await cluster('lags', 'answers');
    const { node, body } = await brokerOf(nodes).request(testRequest({ repeatable: true }));
    await textOf(body);
    expect(node).toBe(1);
  });

  it('is rejected for an index without a node', async () => {
    const nodes = await cluster('answers', 'answers');
    await expect(readOf(brokerOf(nodes), 2)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(counts(nodes)).toEqual([0, 0]);
  });

  it('ends with its caller while the node is silent, and holds no other node up', async () => {
    const nodes = await cluster('is silent', 'answers');
    const broker = brokerOf(nodes);
    const cancel = new AbortController();
    const silent = broker.request(testRequest({ repeatable: true, node: 0, signal: cancel.signal }));
    expect(await readOf(broker, 1)).toEqual([200, 1, 'n2']);
    cancel.abort();
    await expect(silent).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

describe('a path prefix', () => {
  it('comes before every path, and the path stays as it is', async () => {
    const nodes = await cluster('answers');
    const broker = brokerOf(nodes, { pathPrefix: '/search' });
    await textOf((await broker.request(testRequest({ path: '/collections/a%2Fb/documents/%2E%2E?q=/../..' }))).body);
    expect(nodes[0]?.requests[0]).toMatch(/^GET \/search\/collections\/a%2Fb\/documents\/%2E%2E\?q=\/\.\.\/\.\. HTTP/);
  });

  it.each([
    '/..',
    '/../x',
    '/%2e%2e/x',
    '/%252E%252e/x',
    '/a/../../x',
    '/a%2F..%2F../x',
    '/a/%2e%2e%5c../x',
    '/./../x',
    '/.%2E/',
  ])('is not left by %s', async (path) => {
    const nodes = await cluster('answers');
    const broker = brokerOf(nodes, { pathPrefix: '/search' });
    await expect(broker.request(testRequest({ path }))).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(counts(nodes)).toEqual([0]);
  });
});
