import { once } from 'node:events';
import { copyFile, lstat, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FetchHandler } from '../../common/fetchHandler.ts';
import { silentLogger } from '../storage/logger.ts';
import { connectToHost } from './connectToHost.ts';
import { CHALLENGE_HEADER, LARGEST_BODY_BYTES, OWNER_ORIGIN, OWNER_PROTOCOL, proofOf } from './ownerProtocol.ts';
import { OwnerSocket } from './ownerSocket.ts';
import { announceEndpoint, chooseEndpoint, readEndpoint } from './endpoint.ts';
import { openHome } from '../storage/home.ts';
import { acquireHomeLock } from '../storage/homeLock.ts';
import type { HomeLock } from '../storage/homeLock.ts';

describe("the owner's socket", () => {
  let parent: string;
  let lock: HomeLock;
  const signal = new AbortController().signal;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 't-'));
    lock = await acquireHomeLock(await openHome(join(parent, 'home')));
  });
  afterEach(async () => {
    for (const socket of opened.splice(0)) await socket[Symbol.asyncDispose]();
    lock[Symbol.dispose]();
    await rm(parent, { recursive: true, force: true });
  });

  const opened: OwnerSocket[] = [];
  async function open(handler: FetchHandler, of = lock): Promise<OwnerSocket> {
    const socket = await OwnerSocket.open(of, { lifetime: 'host', version: '1.2.3', logger: silentLogger, handler });
    opened.push(socket);
    return socket;
  }

  async function client(of = lock) {
    const endpoint = await readEndpoint(of.home);
    if (endpoint === undefined) throw new Error('no endpoint was announced');
    const found = await connectToHost(endpoint, signal);
    if (found === undefined) throw new Error('nobody answered');
    return found;
  }

  const says =
    (word: string): FetchHandler =>
    () =>
      Promise.resolve(new Response(word));
  const call = (body = '{}', ending = signal): Request =>
    new Request(`${OWNER_ORIGIN}/api/greet?to=Ada`, {
      method: 'POST',
      body,
      signal: ending,
      headers: { 'content-type': 'application/json', cookie: 'a=b' },
    });

  it('carries a request with the headers that the API reads, and its answer', async () => {
    await open(async (request) => {
      const { method, url, headers } = request;
      return Response.json([method, url, await request.text(), Object.fromEntries(headers)], { status: 418 });
    });
    const host = await client();
    expect(host.hostVersion).toBe('1.2.3');
    const answer = await host.handler(call('{"name":"Ada\\n"}'));
    expect(answer.status).toBe(418);
    expect(await answer.json()).toEqual([
      'POST',
      `${OWNER_ORIGIN}/api/greet?to=Ada`,
      '{"name":"Ada\\n"}',
      { 'content-type': 'application/json' },
    ]);
  });

  it.each(['host.sock', 'host.json'])('is reachable again after its %s was removed', async (name) => {
    const upkeepMilliseconds = 20;
    const socket = await OwnerSocket.open(lock, {
      ...{ lifetime: 'host', version: '1.2.3', logger: silentLogger, handler: says('here'), upkeepMilliseconds },
    });
    opened.push(socket);
    await rm(join(lock.home.folder, name));
    await expect.poll(async () => (await client().then((host) => host.handler(call()))).status).toBe(200);
    await socket[Symbol.asyncDispose]();
    expect(await readdir(lock.home.folder)).not.toContain(name);
  });

  it('reads no more of an announcement than one can have', async () => {
    await writeFile(join(lock.home.folder, 'host.json'), `{"version":1,"padding":"${'x'.repeat(1_000_000)}"}`);
    expect(await readEndpoint(lock.home)).toBeUndefined();
  });

  it('carries an answer as it comes, and no faster than it is read', async () => {
    let sent = 0;
    const chunk = new Uint8Array(100_000);
    await open(() => {
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += 1;
          controller.enqueue(chunk);
        },
      });
      return Promise.resolve(new Response(body));
    });
    const answer = await (await client()).handler(call());
    const reader = answer.body?.getReader();
    expect((await reader?.read())?.value?.byteLength).toBeGreaterThan(0);
    const settled = async (): Promise<boolean> => {
      const before = sent;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return sent === before;
    };
    await expect.poll(settled).toBe(true);
    expect(sent).toBeLessThan(200);
    await reader?.cancel();
  });

  it('cancels a request whose client has gone, before the answer and in it', async () => {
    const cancelled: string[] = [];
    const begun = Promise.withResolvers<void>();
    await open((request) => {
      const reported = request.headers.get('content-type') ?? '';
      request.signal.addEventListener('abort', () => cancelled.push(reported));
      if (reported === 'text/plain') return Promise.resolve(new Response(new ReadableStream()));
      begun.resolve();
      return once(request.signal, 'abort').then(() => new Response());
    });
    const host = await client();
    const leave = new AbortController();
    const waiting = host.handler(call('{}', leave.signal));
    await begun.promise;
    leave.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => cancelled).toEqual(['application/json']);
    const streaming = new Request(`${OWNER_ORIGIN}/api/x`, { method: 'POST', headers: { 'content-type': 'text/plain' } });
    const answer = await host.handler(streaming);
    await answer.body?.cancel();
    await expect.poll(() => cancelled).toEqual(['application/json', 'text/plain']);
  });

  it('waits for what runs when it drains, and cancels it when it is closed', async () => {
    const finish = Promise.withResolvers<string>();
    const started = Promise.withResolvers<void>();
    const socket = await open(async () => {
      started.resolve();
      return new Response(await finish.promise);
    });
    const run = (await client()).handler(call());
    await started.promise;
    const late = await client();
    const drained = socket.drain();
    await expect.poll(() => readEndpoint(lock.home)).toBeUndefined();
    await expect(late.handler(call())).rejects.toMatchObject({ name: 'HostUnavailable' });
    finish.resolve('done');
    expect(await (await run).text()).toBe('done');
    await drained;

    const waiting = Promise.withResolvers<void>();
    const second = await open(async (request) => {
      waiting.resolve();
      await once(request.signal, 'abort');
      return new Response((request.signal.reason as { code: string }).code);
    });
    const cancelled = (await client()).handler(call());
    await waiting.promise;
    await second[Symbol.asyncDispose]();
    expect(await (await cancelled).text()).toBe('CANCELLED');
  });

  it('answers a client that had begun to speak before it drained, and is drained after that', async () => {
    const order: string[] = [];
    const socket = await open(() => {
      order.push('ran');
      return Promise.resolve(new Response('answered'));
    });
    const early = connect(socket.endpoint.socket);
    await once(early, 'connect');
    early.write('POST /api/greet HTTP/1.1\r\nhost: x\r\n');
    // Requests are taken in their order of arrival: when a later client is answered, the host has seen the early one begin.
    await client();
    const drained = socket.drain().then(() => order.push('drained'));
    await expect.poll(() => readEndpoint(lock.home)).toBeUndefined();
    early.write(`authorization: Bearer ${socket.endpoint.key}\r\ncontent-length: 2\r\n\r\n{}`);
    expect(await text(early)).toContain('answered');
    await drained;
    expect(order).toEqual(['ran', 'drained']);
  });

  it.each([
    ['with more JSON than a host parses', `[${'{},'.repeat(200_000)}{}]`, 'too much JSON'],
    ['that is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'not JSON in UTF-8'],
  ])('refuses a body %s before anything runs', async (_what, body, sentence) => {
    let ran = false;
    await open(() => {
      ran = true;
      return Promise.resolve(new Response());
    });
    const request = new Request(`${OWNER_ORIGIN}/api/greet`, { method: 'POST', body });
    const refusal = await (await client()).handler(request).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ name: 'ReportedError', report: { code: 'INVALID_REQUEST' } });
    expect(String(refusal)).toContain(sentence);
    expect(ran).toBe(false);
  });

  describe('a host that stops', () => {
    async function stopping(answer: (response: ServerResponse) => void) {
      const endpoint = await chooseEndpoint(lock.home, 'host');
      const host = createServer((incoming, response) => {
        if (incoming.url?.startsWith('/api/') === true) return answer(response);
        const proof = proofOf(endpoint.key, String(incoming.headers[CHALLENGE_HEADER]));
        response.end(JSON.stringify({ protocol: OWNER_PROTOCOL, proof, version: '1.2.3' }));
      }).listen(endpoint.socket);
      await once(host, 'listening');
      const found = await connectToHost(endpoint, signal);
      if (found === undefined) throw new Error('nobody answered');
      return { found, [Symbol.dispose]: () => void host.close() };
    }

    it.each([
      ['breaks the connection before the head of its answer', (response: ServerResponse) => void response.destroy()],
      ['has been replaced by one with another key', (response: ServerResponse) => void response.writeHead(401).end()],
    ])('has run nothing when it %s', async (_how, answer) => {
      using host = await stopping(answer);
      await expect(host.found.handler(call())).rejects.toMatchObject({ name: 'HostUnavailable' });
    });

    it('may have run something when it breaks the connection after it has taken the request', async () => {
      using host = await stopping((response) => {
        response.writeProcessing();
        setTimeout(() => response.destroy(), 20);
      });
      await expect(host.found.handler(call())).rejects.toMatchObject({ code: 'INTERNAL' });
    });

    it('has not answered when it breaks the connection in its answer', async () => {
      using host = await stopping((response) => {
        response.writeProcessing();
        response.write('{');
        setTimeout(() => response.destroy(), 20);
      });
      const answer = await host.found.handler(call());
      await expect(answer.text()).rejects.toMatchObject({ code: 'INTERNAL' });
    });

    it('is not spoken to when it speaks another version', async () => {
      const endpoint = await chooseEndpoint(lock.home, 'host');
      const host = createServer((incoming, response) => {
        const proof = proofOf(endpoint.key, String(incoming.headers[CHALLENGE_HEADER]));
        response.end(JSON.stringify({ protocol: 1, proof, version: '0.9.0' }));
      }).listen(endpoint.socket);
      await once(host, 'listening');
      await expect(connectToHost(endpoint, signal)).rejects.toMatchObject({
        code: 'HOME_IN_USE',
        message: 'The host that owns this home is Tabularium 0.9.0, and this is another version.',
      });
      host.close();
    });
  });

  it('is not sent what it would not take', async () => {
    await open(says('never'));
    const host = await client();
    await expect(host.handler(call('x'.repeat(LARGEST_BODY_BYTES + 1)))).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('is open to its owner alone, and leaves nothing behind', async () => {
    const socket = await open(says('here'));
    expect((await lstat(socket.endpoint.socket)).mode & 0o777).toBe(0o600);
    expect((await lstat(join(lock.home.folder, 'host.json'))).mode & 0o777).toBe(0o600);
    await socket[Symbol.asyncDispose]();
    expect((await readdir(lock.home.folder)).sort()).toEqual(['backups', 'cache', 'drivers', 'host.lock', 'logs']);
  });

  it('is in another folder of its own if the path in the data directory is too long for a socket', async () => {
    const deep = join(parent, 'x'.repeat(100));
    await mkdir(deep);
    using deepLock = await acquireHomeLock(await openHome(deep));
    const socket = await open(says('here'), deepLock);
    const folder = dirname(socket.endpoint.socket);
    expect(folder).not.toBe(deep);
    expect((await lstat(folder)).mode & 0o777).toBe(0o700);
    expect(await (await (await client(deepLock)).handler(call())).text()).toBe('here');
    await socket[Symbol.asyncDispose]();
    await expect(lstat(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each([
    ['a path that a socket can have', 'copy'],
    ['a path that is too long for a socket', 'x'.repeat(100)],
  ])('is not found through a copy of the home, at %s, and the copy leaves it alone', async (_what, name) => {
    const original = await openHome(join(parent, `original ${name}`));
    using originalLock = await acquireHomeLock(original);
    const socket = await open(says('original'), originalLock);
    const copy = await openHome(join(parent, name));
    await copyFile(join(original.folder, 'host.json'), join(copy.folder, 'host.json'));
    expect(await readEndpoint(copy)).toBeUndefined();
    using copyLock = await acquireHomeLock(copy);
    const other = await open(says('copy'), copyLock);
    expect(await (await (await client(copyLock)).handler(call())).text()).toBe('copy');
    expect(await (await (await client(originalLock)).handler(call())).text()).toBe('original');
    await other[Symbol.asyncDispose]();
    await socket[Symbol.asyncDispose]();
  });

  it('takes the place of the socket that a crash left', async () => {
    const stale = await chooseEndpoint(lock.home, 'host');
    const left = createServer().listen(stale.socket);
    await once(left, 'listening');
    await announceEndpoint(lock.home, stale);
    await open(says('new'));
    expect(await (await (await client()).handler(call())).text()).toBe('new');
    left.close();
  });

  it('hides a command from a server without the key of the endpoint', async () => {
    const heard: string[] = [];
    const endpoint = await chooseEndpoint(lock.home, 'host');
    const impostor = createServer((request, response) => {
      heard.push(request.url ?? '');
      response.end(JSON.stringify({ protocol: OWNER_PROTOCOL, proof: 'f'.repeat(64), version: '1.2.3' }));
    }).listen(endpoint.socket);
    await once(impostor, 'listening');
    expect(await connectToHost(endpoint, signal)).toBeUndefined();
    expect(heard).toEqual(['/hello']);
    impostor.close();
  });

  it('runs no command of a client without the key', async () => {
    let ran = false;
    const socket = await open(() => {
      ran = true;
      return Promise.resolve(new Response());
    });
    expect(await connectToHost({ ...socket.endpoint, key: '0'.repeat(64) }, signal)).toBeUndefined();
    const direct = request({
      socketPath: socket.endpoint.socket,
      method: 'POST',
      path: '/api/greet',
      headers: { authorization: `Bearer ${'0'.repeat(64)}` },
    }).end('{}');
    const [response] = (await once(direct, 'response')) as [IncomingMessage];
    response.resume();
    expect([response.statusCode, ran]).toEqual([401, false]);
  });

  it('finds no host where the announcement is of none, or of none that answers', async () => {
    expect(await readEndpoint(lock.home)).toBeUndefined();
    const gone = await chooseEndpoint(lock.home, 'host');
    await announceEndpoint(lock.home, gone);
    expect(JSON.parse(await readFile(join(lock.home.folder, 'host.json'), 'utf8'))).toEqual(gone);
    expect(await connectToHost(gone, signal)).toBeUndefined();
  });
});
