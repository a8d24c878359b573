import { createHmac, randomBytes } from 'node:crypto';
import { link, rename, rm, symlink, writeFile, chmod, mkdir, chown } from 'node:fs/promises';
import { createServer as createHttpServer, request } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BridgeHome, modern } from '../support/bridgeHome.ts';
import type { AnyMessage } from '../support/bridgeHome.ts';

// These must never get a token: a process that didn't write the handshake, and a process that can't prove that it has read it.

let home: BridgeHome;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  home = await BridgeHome.create();
});
afterEach(async () => {
  await home[Symbol.asyncDispose]();
  for (const close of closing.splice(0)) await close();
});

async function listening(server: Server, port = 0): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen({ port, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** Somebody else's program at a port. Everything that it is sent is kept. */
async function impostor(answer: RequestListener, port = 0): Promise<{ port: number; received: () => string }> {
  let received = '';
  const server = createHttpServer((incoming, response) => {
    received += `${incoming.method} ${incoming.url} ${JSON.stringify(incoming.headers)}\n`;
    answer(incoming, response);
  });
  return { port: await listening(server, port), received: () => received };
}

async function firstAnswer(method = 'tools/list'): Promise<{ answer: AnyMessage; stderr: string }> {
  const bridge = home.startBridge();
  const answer = await bridge.ask(modern(1, method));
  return { answer, stderr: bridge.stderr };
}

const NOT_PROVEN = "The local endpoint couldn't prove that it belongs to Tabularium.";
const REMEDY = /Quit Tabularium, delete .*mcp-handshake\.json, and open Tabularium again/;

function expectNotProven({ answer, stderr }: { answer: AnyMessage; stderr: string }): void {
  expect(answer.error).toMatchObject({ code: -33_009, data: { layer: 'proof' } });
  expect(answer.error?.message.startsWith(NOT_PROVEN)).toBe(true);
  expect(answer.error?.message).toMatch(REMEDY);
  expect(stderr).toContain(`tabularium-mcp: proof: ${NOT_PROVEN}`);
}

async function proofBy(
  incoming: IncomingMessage,
  secret: string,
  claimed: { port?: number; direction?: string; nonce?: string },
): Promise<string> {
  const { instanceId, nonce } = JSON.parse(await text(incoming)) as { instanceId: string; nonce: string };
  const signed = `tabularium mcp proof 1\n${claimed.direction ?? 'host to bridge'}\n${claimed.port ?? incoming.socket.localPort}\n${instanceId}\n${claimed.nonce ?? nonce}`;
  return createHmac('sha256', Buffer.from(secret, 'hex')).update(signed).digest('hex');
}

describe('an endpoint that is not the application gets no token', () => {
  it.each<[string, RequestListener]>([
    ['answers 404', (_, response) => response.writeHead(404).end()],
    ['accepts everything', (_, response) => response.end('{"proof":true}')],
    [
      'answers with a text of the right form',
      (_, response) => response.end(JSON.stringify({ version: 1, proof: 'ab'.repeat(32) })),
    ],
    ['closes after a few bytes', (_, response) => void response.socket?.end('HTTP/1.1 200 OK\r\n')],
    ['never ends its answer', (_, response) => void response.socket?.write(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(2_000)}`)],
    [
      'says that it continues',
      (_, response) => void response.socket?.end('HTTP/1.1 100 Continue\r\ncontent-length: 2\r\n\r\n{}'),
    ],
  ])('one that %s', async (_name, listener) => {
    const other = await impostor(listener);
    const { token, proofSecret } = await home.forge({ port: other.port });
    expectNotProven(await firstAnswer());
    expect(other.received()).toContain('/proof');
    expect(other.received()).not.toContain(token);
    expect(other.received()).not.toContain(proofSecret);
  });

  it('one that speaks another protocol', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-OpenSSH_9.6\r\n'));
    await home.forge({ port: await listening(server) });
    expectNotProven(await firstAnswer());
  });

  it('one that replays the proof of an earlier connection', async () => {
    const secret = randomBytes(32).toString('hex');
    let recorded: string | undefined;
    const other = await impostor((incoming, response) => {
      void (async () => {
        if (incoming.url !== '/proof') return response.end('{}');
        recorded ??= await proofBy(incoming, secret, {});
        return response.end(JSON.stringify({ version: 1, proof: recorded }));
      })();
    });
    const { token } = await home.forge({ port: other.port, proofSecret: secret });
    // The first one sees the only proof that is fresh; every later one gets the same again.
    const bridge = home.startBridge();
    await bridge.ask(modern(1, 'tools/list'));
    const before = other.received();
    expect(before).toContain(token);
    expectNotProven(await firstAnswer());
    expect(other.received().slice(before.length)).not.toContain(token);
  });

  it.each<[string, { port?: number; direction?: string }]>([
    ['for another port', { port: 23_508 }],
    ['for the other direction', { direction: 'bridge to host' }],
  ])('one that has a proof made %s', async (_name, claimed) => {
    const secret = randomBytes(32).toString('hex');
    const other = await impostor((incoming, response) => {
      void proofBy(incoming, secret, claimed).then((proof) => response.end(JSON.stringify({ version: 1, proof })));
    });
    const { token } = await home.forge({ port: other.port, proofSecret: secret });
    expectNotProven(await firstAnswer());
    expect(other.received()).not.toContain(token);
  });

  it('one that hands the challenge on to the application at its port', async () => {
    const host = await home.startHost();
    const { port } = host.fixture.address;
    const relayed: number[] = [];
    const other = await impostor((incoming, response) => {
      void text(incoming).then((body) => {
        const headers = { host: `127.0.0.1:${port}`, 'content-type': 'application/json' };
        const onward = request({ host: '127.0.0.1', port, path: '/proof', method: 'POST', headers }, (answer) => {
          relayed.push(answer.statusCode ?? 0);
          void text(answer).then((proof) => response.end(proof));
        });
        onward.end(body);
      });
    });
    const { token } = await home.handshake();
    // A process that may write into the data directory is out of scope; here only the port belongs to another process.
    await home.forge({ ...(await home.handshake()), port: other.port });
    expectNotProven(await firstAnswer());
    expect(relayed).toContain(200);
    expect(other.received()).not.toContain(token);
  });

  it('one that takes the port while the bridge is connected', async () => {
    const host = await home.startHost();
    const { port } = host.fixture.address;
    const bridge = home.startBridge();
    expect((await bridge.ask(modern(1, 'tools/list'))).result).toBeDefined();
    const { token } = await home.handshake();
    const written = await home.handshake();
    await host.fixture.server.stop();
    await home.forge({ ...written });
    const other = await impostor((_, response) => response.end('{}'), port);
    expectNotProven({ answer: await bridge.ask(modern(2, 'tools/list')), stderr: bridge.stderr });
    expect(other.received()).not.toContain(token);
    // The application is there again, and the same bridge continues.
    const again = await home.startHost();
    expect(again.fixture.address.port).not.toBe(port);
    expect((await bridge.ask(modern(3, 'tools/list'))).result).toBeDefined();
  });
});

/** Changes to a handshake that a running host has written, and the bridge's message for each. */
const untrusted: [string, (home: BridgeHome) => Promise<unknown>, RegExp][] = [
  [
    'a symbolic link',
    async ({ handshakeFile, folder }) => {
      await rename(handshakeFile, join(folder, 'elsewhere.json'));
      await symlink(join(folder, 'elsewhere.json'), handshakeFile);
    },
    /is a symbolic link/,
  ],
  [
    'a folder',
    async ({ handshakeFile, folder }) => {
      await rename(handshakeFile, join(folder, 'elsewhere.json'));
      await mkdir(handshakeFile);
    },
    /isn't a file/,
  ],
  ['with a second name', ({ handshakeFile, folder }) => link(handshakeFile, join(folder, 'second.json')), /has a second name/],
  ['open to others', ({ handshakeFile }) => chmod(handshakeFile, 0o640), /is open to other users/],
  ['in a folder open to others', ({ folder }) => chmod(folder, 0o755), /is open to other users/],
  ['no JSON', ({ handshakeFile }) => writeFile(handshakeFile, '{"version":1,'), /is damaged/],
  ['without a secret', (home) => home.forge({ proofSecret: undefined }), /is damaged/],
  ['with a token that would be two headers', (home) => home.forge({ token: 'x\r\ny: z' }), /is damaged/],
  ['with a port that is none', (home) => home.forge({ port: 70_000 }), /is damaged/],
  ['of a process that has gone', (home) => home.forge({ pid: 2 ** 22 + 1 }), /was left behind: its process \d+ is gone/],
  ['expired', (home) => home.forge({ expiresAt: new Date(Date.now() - 1).toISOString() }), /has expired/],
  ['of nobody who listens', (home) => home.forge(), /Nothing is listening on port 1/],
];
// A user without permission to give files away can't make one of another user; the unit test covers that case with a made-up user id.
if (process.getuid?.() === 0) {
  untrusted.push([
    'of another user',
    ({ handshakeFile }) => chown(handshakeFile, 65_534, 65_534),
    /mcp-handshake\.json belongs to another user/,
  ]);
}

/** With these nothing says that the application runs. */
const isGone = /is gone|Nothing is listening/;

// Side by side: each waits the 10 s that the application has to start.
describe.concurrent('a handshake that is not to be trusted', () => {
  it.each(untrusted)('%s', async (_name, change, cause) => {
    await using own = await BridgeHome.create();
    const host = await own.startHost();
    await change(own);
    const bridge = own.startBridge();
    const { error } = await bridge.ask(modern(1, 'tools/list'));
    expect(error).toMatchObject({ code: -33_009 });
    expect(error?.message).toMatch(cause);
    expect(error?.data?.['layer']).toMatch(/^(handshake|launch)$/);
    if (isGone.test(error?.message ?? '')) {
      expect(error?.message).toMatch(
        /^Tabularium isn't running\. .*turn "Enable MCP Server" off and on, and relaunch this client\.$/,
      );
      expect(bridge.stderr).toContain("Tabularium isn't running");
    } else {
      expect(error?.message).toMatch(/^The handshake of Tabularium can't be trusted\. /);
      expect(error?.message).toContain(
        error?.message.startsWith(`The handshake of Tabularium can't be trusted. ${own.folder} `) === true
          ? `relaunch this client: chmod 700 ${own.folder}`
          : `Delete ${own.handshakeFile}: Tabularium writes it again within 10 seconds where it runs.`,
      );
      expect(bridge.stderr).toContain("The handshake of Tabularium can't be trusted");
    }
    expect(host.fixture.reports).toEqual([]);
  });
});

describe('a data directory', () => {
  it('that is open to others is named at once, with the command that closes it', async () => {
    await home.startHost();
    await chmod(home.folder, 0o755);
    const began = performance.now();
    const { error } = await home.startBridge().ask(modern(1, 'tools/list'));
    expect(error?.message).toContain(`chmod 700 ${home.folder}`);
    expect(performance.now() - began).toBeLessThan(8_000);
    await chmod(home.folder, 0o700);
  });

  it('whose host runs without an MCP server that can be found is not said to have none', async () => {
    const host = { version: 1, pid: process.pid, lifetime: 'host', home: home.folder };
    await writeFile(join(home.folder, 'host.json'), JSON.stringify(host), { mode: 0o600 });
    const { error } = await home.startBridge().ask(modern(1, 'tools/list'));
    expect(error?.message).toMatch(
      /^Tabularium runs, but its MCP server can't be found\. Its process is \d+\. There is no mcp-handshake\.json/,
    );
    await rm(join(home.folder, 'host.json'));
  });
});

describe('a handshake', () => {
  it('is replaced by a host that starts, and then trusted', async () => {
    await symlink('/etc/passwd', home.handshakeFile);
    const bridge = home.startBridge();
    bridge.send(modern(1, 'tools/list'));
    await home.startHost();
    expect((await bridge.answer(1)).result).toBeDefined();
  });

  it('of a newer form is not guessed at', async () => {
    await home.forge({ version: 2 });
    expect((await firstAnswer()).answer.error).toMatchObject({
      message: expect.stringContaining('The running Tabularium is newer than this bridge') as string,
      data: { layer: 'handshake' },
    });
  });

  it('of an application that is too old for 2026-07-28', async () => {
    await home.forge({ protocolVersion: '2025-11-25' });
    expect((await firstAnswer()).answer.error).toMatchObject({
      message: 'This build does not speak protocol 2026-07-28. Update Tabularium.',
      data: { layer: 'server' },
    });
  });
});

describe('the challenge', () => {
  const ask = (port: number, body: string, headers: Record<string, string> = {}): Promise<{ status: number; body: string }> =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path: '/proof', method: 'POST', headers, agent: false }, (answer) => {
        void text(answer).then((content) => resolve({ status: answer.statusCode ?? 0, body: content }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  const challenge = async (change: object = {}): Promise<string> =>
    JSON.stringify({ version: 1, instanceId: (await home.handshake()).instanceId, nonce: 'n'.repeat(43), ...change });

  it('is answered for this instance and a fresh nonce, to this machine alone', async () => {
    const { fixture } = await home.startHost();
    const { port } = fixture.address;
    expect((await ask(port, await challenge())).status).toBe(200);
    expect((await ask(port, await challenge({ instanceId: 'another' }))).status).toBe(400);
    expect((await ask(port, await challenge({ nonce: 'short' }))).status).toBe(400);
    expect((await ask(port, await challenge({ nonce: '\n'.repeat(43) }))).status).toBe(400);
    expect((await ask(port, await challenge({ more: 1 }))).status).toBe(400);
    expect((await ask(port, 'x'.repeat(5_000))).status).toBe(400);
    expect((await ask(port, await challenge(), { host: 'evil.example' })).status).toBe(403);
    expect((await ask(port, await challenge(), { origin: 'https://evil.example' })).status).toBe(403);
  });

  it('reveals neither secret nor token', async () => {
    const { fixture } = await home.startHost();
    const { token, proofSecret } = await home.handshake();
    const { body } = await ask(fixture.address.port, await challenge());
    expect(Object.keys(JSON.parse(body) as object)).toEqual(['version', 'proof']);
    expect(body).not.toContain(token);
    expect(body).not.toContain(proofSecret);
  });
});
