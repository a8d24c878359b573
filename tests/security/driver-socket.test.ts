import { once } from 'node:events';
import { createServer } from 'node:net';
import { inspect } from 'node:util';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NO_FILTER } from '@tabularium/sdk';
import { connectorOf } from '../../host/src/runtime/drivers/tunnels/tunnels.test-helper.ts';
import { sealedFor } from '../../host/src/runtime/drivers/broker/sealed.test-helper.ts';
import type { RemoteSession } from '../../host/src/runtime/drivers/processes/driverProcesses.ts';
import { driverSource, ProcessBench, testManifest } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import { liveBytes } from '../../sdk/src/testing/liveMemory.ts';

// A driver with a socket and a password tries to reach more than the one server, to say the password elsewhere, and to hold the host up.

const PASSWORD = 'correct horse battery';
const signal = new AbortController().signal;
const MEGABYTE = 1024 * 1024;

const manifest = testManifest({
  connection: {
    fields: [
      { id: 'host', label: 'Host', type: 'text' },
      { id: 'port', label: 'Port', type: 'number' },
      { id: 'user', label: 'User', type: 'text' },
      { id: 'guess', label: 'Guess', type: 'text' },
      { id: 'password', label: 'Password', type: 'secret' },
      { id: 'other', label: 'Other secret', type: 'secret' },
      {
        id: 'sslMode',
        label: 'SSL',
        type: 'select',
        options: [
          { value: 'off', label: 'Off' },
          { value: 'on', label: 'On' },
        ],
        default: 'off',
      },
    ],
  },
  permissions: {
    socket: {
      endpoint: {
        host: { field: 'host', whenEmpty: '127.0.0.1' },
        port: { field: 'port', whenEmpty: 1 },
        scheme: { field: 'sslMode', plainValues: ['off'] },
      },
      tls: { mode: { field: 'sslMode', encryptOnly: ['on'] } },
      tlsStart: 'upgrade',
      maxSockets: 3,
    },
    secrets: { fields: ['password'], reason: 'The protocol signs in with it.' },
  },
});

/** A driver that does what the name of a table says, and answers with one text. Its sign-in fails with what the user's name says. */
const SOURCE = driverSource(
  `
  ...(await (async () => {
    const { password } = context.secrets ?? {};
    const words = {
      plain: 'the password is ' + password,
      encoded: 'the password is ' + Buffer.from(password ?? '').toString('base64'),
      elsewhere: 'the user guessed ' + settings.guess,
    }[settings.user];
    if (words === undefined) return {};
    throw Object.assign(new Error(words), { name: 'DriverError', code: 'ACCESS_REFUSED', details: { serverMessage: words } });
  })()),
  async describeTable(table) {
    const say = (text) => { const error = new Error(text); error.name = 'DriverError'; error.code = 'QUERY_FAILED'; error.details = {}; return error; };
    const act = {
      async secrets() { return JSON.stringify(context.secrets); },
      async echo() {
        const socket = await context.socket.open(options);
        await socket.write(new TextEncoder().encode('hello'));
        for await (const chunk of socket.received) return new TextDecoder().decode(chunk);
      },
      async outlives() {
        globalThis.kept = await context.socket.open({ signal: options.signal });
        return 'opened';
      },
      async kept() {
        await globalThis.kept.write(new TextEncoder().encode('still'));
        for await (const chunk of globalThis.kept.received) return new TextDecoder().decode(chunk);
      },
      async many() {
        const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => context.socket.open(options)));
        const text = outcomes.map((one) => one.reason?.code ?? one.status).join(' ');
        for (const { value } of outcomes) value?.close();
        return text;
      },
      async elsewhere() {
        const outcomes = [typeof fetch];
        const { connect } = await import('node:net');
        outcomes.push(await new Promise((resolve) => {
          const socket = connect(settings.port, '127.0.0.1');
          socket.on('connect', () => resolve('connected'));
          socket.on('error', (error) => resolve(error.code));
        }).catch((error) => error.code ?? error.name));
        return outcomes.join(' ');
      },
      async plain() {
        const socket = await context.socket.open(options);
        try {
          for (let count = 0; count < 20; count += 1) await socket.write(new TextEncoder().encode(context.secrets.password));
          for await (const chunk of socket.received) return new TextDecoder().decode(chunk);
          return 'ended';
        } catch (error) { return error.code; }
      },
      async flood() {
        const socket = await context.socket.open(options);
        const piece = new Uint8Array(1024 * 1024);
        for (let count = 0; count < 100; count += 1) void socket.write(piece.slice()).catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, 500));
        return 'flooded';
      },
      async log() { context.log('info', 'the password is ' + context.secrets.password); return 'logged'; },
      async throws() { throw say('the password is ' + Buffer.from(context.secrets.password).toString('base64')); },
      async stacks() { throw new TypeError('the password is ' + context.secrets.password); },
      async afterClose() {
        const socket = await context.socket.open(options);
        socket.close();
        return await socket.write(new Uint8Array(1)).then(() => 'written', (error) => error.code);
      },
    };
    const text = await act[table.name]();
    return { ref: table, kind: 'table', columns: [], key: [], paging: 'offset', readsFromEnd: false, notes: [String(text).slice(0, 300)] };
  },
  `,
);

let bench: ProcessBench;
let port: number;
const heard: string[] = [];
const sockets = new Set<Socket>();
const server = createServer((socket) => {
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
  socket.on('error', () => undefined);
  socket.on('data', (data) => {
    heard.push(data.toString('latin1').slice(0, 1_000));
    if (data.length < 100) socket.write(`${data.toString('latin1')} back`);
  });
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  bench = await ProcessBench.open();
});
beforeEach(() => {
  heard.length = 0;
  bench.lines.length = 0;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  server.close();
  await bench.close();
});

async function open(
  sslMode = 'off',
  allowedGrants: readonly 'secrets'[] = ['secrets'],
  more: { readonly user?: string; readonly guess?: string } = {},
  password = PASSWORD,
): Promise<RemoteSession> {
  const driver = { ...(await bench.driver(SOURCE, manifest)), allowedGrants };
  const settings = { host: '127.0.0.1', port, sslMode, ...more };
  const secrets = sealedFor(driver, settings, { password, other: 'another secret' });
  return connectorOf(await bench.processes()).connect({ driver, settings, secrets, signal });
}
const does = async (session: RemoteSession, what: string): Promise<string> => {
  const { notes } = await session.describeTable({ namespace: [], name: what }, { signal });
  return notes[0] ?? '';
};

describe('a driver with a socket', () => {
  it('gets the credentials that it named, and no other', async () => {
    const session = await open();
    expect(JSON.parse(await does(session, 'secrets'))).toEqual({ password: PASSWORD });
    await session.close();
  });

  it('gets none before a person has agreed', async () => {
    await expect(open('off', [])).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  it('talks to its server, over sockets that outlive the call they were opened in', async () => {
    const session = await open();
    expect(await does(session, 'echo')).toBe('hello back');
    expect(await does(session, 'outlives')).toBe('opened');
    expect(await does(session, 'kept')).toBe('still back');
    await session.close();
    await expect.poll(() => sockets.size).toBe(0);
  });

  it('opens no more than it declared, and reaches nothing else', async () => {
    const session = await open();
    const outcomes = (await does(session, 'many')).split(' ');
    expect(outcomes.filter((outcome) => outcome === 'fulfilled')).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 'PERMISSION_DENIED')).toHaveLength(5);
    expect(await does(session, 'elsewhere')).toMatch(/^undefined (?!connected)\S+$/);
    expect(await does(session, 'afterClose')).toBe('CONNECTION_LOST');
    await session.close();
  });

  it('does not say a password over a connection that is to be encrypted and is not', async () => {
    const session = await open('on');
    expect(await does(session, 'plain')).toBe('PERMISSION_DENIED');
    expect(heard.join('')).not.toContain(PASSWORD);
    await session.close();
  });

  it('is held back when it sends faster than its server takes', async () => {
    const session = await open();
    const before = liveBytes();
    server.once('connection', (socket) => socket.pause());
    await does(session, 'flood');
    expect(liveBytes() - before).toBeLessThan(16 * MEGABYTE);
    await session.close();
  });

  it.each(['plain', 'encoded'])('puts its password into no error of its sign-in (%s)', async (user) => {
    const error: unknown = await open('off', ['secrets'], { user }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'ACCESS_REFUSED', message: expect.stringContaining('credential') as string });
    expect(inspect(error)).not.toContain(PASSWORD);
    expect(inspect(error)).not.toContain(Buffer.from(PASSWORD).toString('base64'));
  });

  it('says in an error of its sign-in whatever it was not given itself', async () => {
    const other = await open('off', ['secrets'], {}, 'password elsewhere');
    await expect(open('off', ['secrets'], { user: 'elsewhere', guess: 'password elsewhere' })).rejects.toMatchObject({
      message: 'the user guessed password elsewhere',
    });
    await other.close();
  });

  it.each(['throws', 'stacks'])('throws an error of a later call as it is (%s)', async (what) => {
    const session = await open();
    const error: unknown = await does(session, what).catch((thrown: unknown) => thrown);
    // A text that a client chose may equal the password, so it is passed on like any other.
    expect(error).toMatchObject({ message: expect.stringContaining('the password is') as string });
    await session.close();
  });

  it('puts its password into no log', async () => {
    const session = await open();
    expect(await does(session, 'log')).toBe('logged');
    await does(session, 'stacks').catch(() => undefined);
    await expect.poll(() => bench.lines.some(({ message }) => message.includes('left out'))).toBe(true);
    expect(JSON.stringify(bench.lines)).not.toContain(PASSWORD);
    await session.close();
  });

  it('has neither socket nor credentials where its manifest asks for none', async () => {
    const driver = await bench.driver(SOURCE.replaceAll('context.secrets', '(context.secrets ?? null)'), testManifest());
    const settings = { host: '127.0.0.1', port };
    const session = await connectorOf(await bench.processes()).connect({
      driver,
      settings,
      secrets: sealedFor(driver, settings, { key: 'x' }),
      signal,
    });
    expect(await does(session, 'secrets')).toBe('null');
    await expect(does(session, 'echo')).rejects.toMatchObject({ code: 'DRIVER_FAULT' });
    await expect(session.countRows({ table: { namespace: [], name: 'x' }, filter: NO_FILTER }, { signal })).resolves.toEqual({
      rows: 0,
      exact: true,
    });
    await session.close();
  });
});
