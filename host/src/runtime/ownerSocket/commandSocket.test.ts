import { once } from 'node:events';
import { copyFile, lstat, mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HostError } from '../../common/errors.ts';
import { silentLogger } from '../storage/logger.ts';
import { connectToHost } from './commandClient.ts';
import { CHALLENGE_HEADER, LARGEST_COMMAND_BYTES, proofOf } from './commandProtocol.ts';
import { CommandSocket } from './commandSocket.ts';
import type { RunCommand } from './commandSocket.ts';
import { announceEndpoint, chooseEndpoint, readEndpoint } from './endpoint.ts';
import { openHome } from '../storage/home.ts';
import { acquireHomeLock } from '../storage/homeLock.ts';
import type { HomeLock } from '../storage/homeLock.ts';

describe('the command socket', () => {
  let parent: string;
  let lock: HomeLock;
  const signal = new AbortController().signal;
  const silent = { signal, onEvent: () => undefined };

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 't-'));
    lock = await acquireHomeLock(await openHome(join(parent, 'home')));
  });
  afterEach(async () => {
    for (const socket of opened.splice(0)) await socket[Symbol.asyncDispose]();
    lock[Symbol.dispose]();
    await rm(parent, { recursive: true, force: true });
  });

  const opened: CommandSocket[] = [];
  async function open(run: RunCommand, of = lock): Promise<CommandSocket> {
    const socket = await CommandSocket.open(of, { lifetime: 'host', version: '1.2.3', logger: silentLogger, run });
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

  it('carries arguments, events in order, and the result', async () => {
    await open(async ({ command, arguments: input }, { emit }) => {
      await emit({ step: 1 });
      await emit({ step: 2 });
      return { command, input };
    });
    const events: unknown[] = [];
    const host = await client();
    expect(host.hostVersion).toBe('1.2.3');
    const result = await host.run('greet', { name: 'Ada\n' }, { signal, onEvent: (event) => void events.push(event) });
    expect(result).toEqual({ command: 'greet', input: { name: 'Ada\n' } });
    expect(events).toEqual([{ step: 1 }, { step: 2 }]);
  });

  it("hands on an error as the host's table has it, and no unexpected one in its own words", async () => {
    await open(({ command }) =>
      Promise.reject(command === 'known' ? new HostError('TOKEN_UNKNOWN') : new Error('the key is hunter2')),
    );
    const host = await client();
    await expect(host.run('known', {}, silent)).rejects.toMatchObject({
      name: 'CommandError',
      report: { code: 'TOKEN_UNKNOWN' },
    });
    const unexpected = await host.run('unknown', {}, silent).catch((error: unknown) => error);
    expect(unexpected).toMatchObject({ report: { code: 'INTERNAL' } });
    expect(JSON.stringify(unexpected)).not.toContain('hunter2');
  });

  it('cancels a command whose client has gone', async () => {
    const cancelled = Promise.withResolvers<void>();
    await open(async (_request, { signal: stop, emit }) => {
      stop.addEventListener('abort', () => cancelled.resolve());
      await emit('started');
      await cancelled.promise;
    });
    const leave = new AbortController();
    const run = (await client()).run('wait', {}, { signal: leave.signal, onEvent: () => leave.abort() });
    await expect(run).rejects.toThrow();
    await cancelled.promise;
  });

  it('waits for what runs when it drains, and cancels it when it is closed', async () => {
    const finish = Promise.withResolvers<string>();
    const started = Promise.withResolvers<void>();
    const socket = await open(async () => {
      started.resolve();
      return finish.promise;
    });
    const run = (await client()).run('slow', {}, silent);
    await started.promise;
    const late = await client();
    const drained = socket.drain();
    await expect.poll(() => readEndpoint(lock.home)).toBeUndefined();
    await expect(late.run('slow', {}, silent)).rejects.toMatchObject({ name: 'HostUnavailable' });
    finish.resolve('done');
    await expect(run).resolves.toBe('done');
    await drained;

    const waiting = Promise.withResolvers<void>();
    const second = await open(async (_request, { signal: stop }) => {
      waiting.resolve();
      await once(stop, 'abort');
      stop.throwIfAborted();
    });
    const cancelled = (await client()).run('slow', {}, silent).catch((error: unknown) => error);
    await waiting.promise;
    await second[Symbol.asyncDispose]();
    expect(await cancelled).toMatchObject({ report: { code: 'CANCELLED' } });
  });

  it('answers a client that had begun to speak before it drained, and is drained after that', async () => {
    const order: string[] = [];
    const socket = await open(async () => void order.push('ran'));
    const early = connect(socket.endpoint.socket);
    await once(early, 'connect');
    early.write('POST /command HTTP/1.1\r\nhost: x\r\n');
    // What has arrived is taken in its order: when a later client is answered, the host has seen the early one begin.
    await client();
    const drained = socket.drain().then(() => order.push('drained'));
    await expect.poll(() => readEndpoint(lock.home)).toBeUndefined();
    const body = JSON.stringify({ command: 'greet', arguments: {} });
    early.write(`authorization: Bearer ${socket.endpoint.key}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    expect(await text(early)).toContain('{"result":null}');
    await drained;
    expect(order).toEqual(['ran', 'drained']);
  });

  describe('a host that stops', () => {
    async function stopping(answer: (response: ServerResponse) => void) {
      const endpoint = await chooseEndpoint(lock.home, 'host');
      const host = createServer((incoming, response) => {
        if (incoming.url === '/command') return answer(response);
        const proof = proofOf(endpoint.key, String(incoming.headers[CHALLENGE_HEADER]));
        response.end(JSON.stringify({ protocol: 1, proof, version: '1.2.3' }));
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
      await expect(host.found.run('greet', {}, silent)).rejects.toMatchObject({ name: 'HostUnavailable' });
    });

    it('may have run something when it breaks the connection after the head', async () => {
      using host = await stopping((response) => {
        response.flushHeaders();
        response.destroy();
      });
      await expect(host.found.run('greet', {}, silent)).rejects.toMatchObject({ code: 'INTERNAL' });
    });
  });

  it('is not sent what it would not take', async () => {
    await open(() => Promise.resolve(null));
    const host = await client();
    await expect(host.run('greet', 'x'.repeat(LARGEST_COMMAND_BYTES), silent)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('is open to its owner alone, and leaves nothing behind', async () => {
    const socket = await open(() => Promise.resolve(null));
    expect((await lstat(socket.endpoint.socket)).mode & 0o777).toBe(0o600);
    expect((await lstat(join(lock.home.folder, 'host.json'))).mode & 0o777).toBe(0o600);
    await socket[Symbol.asyncDispose]();
    expect((await readdir(lock.home.folder)).sort()).toEqual(['backups', 'cache', 'drivers', 'host.lock', 'logs']);
  });

  it('stands elsewhere, in a folder of its own, where the path of the home is too long for a socket', async () => {
    const deep = join(parent, 'x'.repeat(100));
    await mkdir(deep);
    using deepLock = await acquireHomeLock(await openHome(deep));
    const socket = await open(() => Promise.resolve('here'), deepLock);
    const folder = dirname(socket.endpoint.socket);
    expect(folder).not.toBe(deep);
    expect((await lstat(folder)).mode & 0o777).toBe(0o700);
    await expect((await client(deepLock)).run('where', {}, silent)).resolves.toBe('here');
    await socket[Symbol.asyncDispose]();
    await expect(lstat(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each([
    ['a path that a socket can have', 'copy'],
    ['a path that is too long for a socket', 'x'.repeat(100)],
  ])('is not found through a copy of the home, at %s, and the copy leaves it alone', async (_what, name) => {
    const original = await openHome(join(parent, `original ${name}`));
    using originalLock = await acquireHomeLock(original);
    const socket = await open(() => Promise.resolve('original'), originalLock);
    const copy = await openHome(join(parent, name));
    await copyFile(join(original.folder, 'host.json'), join(copy.folder, 'host.json'));
    expect(await readEndpoint(copy)).toBeUndefined();
    using copyLock = await acquireHomeLock(copy);
    const other = await open(() => Promise.resolve('copy'), copyLock);
    await expect((await client(copyLock)).run('who', {}, silent)).resolves.toBe('copy');
    await expect((await client(originalLock)).run('who', {}, silent)).resolves.toBe('original');
    await other[Symbol.asyncDispose]();
    await socket[Symbol.asyncDispose]();
  });

  it('takes the place of the socket that a crash left', async () => {
    const stale = await chooseEndpoint(lock.home, 'host');
    const left = createServer().listen(stale.socket);
    await once(left, 'listening');
    await announceEndpoint(lock.home, stale);
    await open(() => Promise.resolve('new'));
    await expect((await client()).run('who', {}, silent)).resolves.toBe('new');
    left.close();
  });

  it('tells nobody a command who does not know the key of the endpoint', async () => {
    const heard: string[] = [];
    const endpoint = await chooseEndpoint(lock.home, 'host');
    const impostor = createServer((request, response) => {
      heard.push(request.url ?? '');
      response.end(JSON.stringify({ protocol: 1, proof: 'f'.repeat(64), version: '1.2.3' }));
    }).listen(endpoint.socket);
    await once(impostor, 'listening');
    expect(await connectToHost(endpoint, signal)).toBeUndefined();
    expect(heard).toEqual(['/hello']);
    impostor.close();
  });

  it('runs nothing for whoever does not know the key', async () => {
    let ran = false;
    const socket = await open(async () => {
      ran = true;
    });
    expect(await connectToHost({ ...socket.endpoint, key: '0'.repeat(64) }, signal)).toBeUndefined();
    const body = JSON.stringify({ command: 'greet', arguments: {} });
    const direct = request({
      socketPath: socket.endpoint.socket,
      method: 'POST',
      path: '/command',
      headers: { authorization: `Bearer ${'0'.repeat(64)}` },
    }).end(body);
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
