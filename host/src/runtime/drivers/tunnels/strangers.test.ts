import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync, chmodSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { hostKeysFor } from './tunnels.test-helper.ts';
import { SocksTunnel } from './socksTunnel.ts';
import { sshCredential } from './sshCredential.ts';
import { SshGreeting } from './sshGreeting.ts';
import { SshTunnel } from './sshTunnel.ts';

// Servers of other kinds at the address of an SSH server or a proxy.

const never = new AbortController().signal;
let server: Server | undefined;
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  server?.close();
});

async function listen(answer: (socket: Socket) => void): Promise<number> {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.resume();
    answer(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function flood(socket: Socket, piece: string): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece, 'latin1'));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
}

describe('at the address of an SSH server', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['a web server', (socket) => void socket.write('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')],
    ['a mail server', (socket) => void socket.write('220 mail.example ESMTP\r\n')],
    ['an old SSH server', (socket) => void socket.write('SSH-1.5-old\r\n')],
    ['a server of PostgreSQL', (socket) => void socket.end(Buffer.from('E\0\0\0\u0010SFATAL\0C0A000\0', 'latin1'))],
    ['lines without end', (socket) => flood(socket, 'hello\r\n'.repeat(1_000))],
    ['a line without end', (socket) => flood(socket, 'A'.repeat(65_536))],
    ['noise', (socket) => flood(socket, '\u00fe\u0001\n\u0000'.repeat(10_000))],
    [
      'noise behind the version',
      (socket) => {
        socket.write('SSH-2.0-OpenSSH_9.6\r\n');
        flood(socket, '\0'.repeat(65_536));
      },
    ],
    [
      'a packet of gigabytes',
      (socket) => {
        socket.write('SSH-2.0-OpenSSH_9.6\r\n\u00ff\u00ff\u00ff\u00ff\u0001', 'latin1');
        flood(socket, '\0'.repeat(65_536));
      },
    ],
  ])('%s is named as none, at once', async (_title, answer) => {
    const port = await listen(answer);
    const tunnel = new SshTunnel({
      ...{ host: '127.0.0.1', port, address: `127.0.0.1:${port}`, user: 'u' },
      credential: { kind: 'password', password: 'p' },
      hostKeys: hostKeysFor(),
      limits: { connect: 8_000 },
    });
    tunnel.hold();
    const began = performance.now();
    await expect(tunnel.ready(never)).rejects.toMatchObject({
      code: 'BAD_ANSWER',
      message: `127.0.0.1:${port} did not answer as an SSH server does.`,
    });
    expect(performance.now() - began).toBeLessThan(6_000);
    tunnel.release();
  });

  it('a server may say something before its version, in pieces of any size', () => {
    const greeting = new SshGreeting();
    for (const byte of Buffer.from('Welcome.\r\nUse is logged.\r\nSSH-2.0-OpenSSH_9.6\r\n'))
      expect(greeting.isOther(Buffer.of(byte))).toBe(false);
    expect(greeting.isOver).toBe(true);
    expect(greeting.isOther(Buffer.from('HTTP/1.1 200\n'))).toBe(false);
  });
});

it('a silent proxy is named, and not the server behind it', async () => {
  const port = await listen(() => undefined);
  const tunnel = new SocksTunnel(`127.0.0.1:${port}`, { host: '127.0.0.1', port }, undefined, 100);
  tunnel.hold();
  await expect(tunnel.open('db.example', 5432, never)).rejects.toMatchObject({
    code: 'TIMEOUT',
    message: `The SOCKS proxy 127.0.0.1:${port} did not answer within 0.1 s.`,
  });
  tunnel.release();
});

describe('the file of a private key', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-ssh-key-'));
  it.each([
    ['a public key', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI me@host\n', /is a public key/],
    ['a public key in PEM', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n', /is a public key/],
    ['a public key of RFC 4716', '---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n---- END SSH2 PUBLIC KEY ----\n', /is a public key/],
    ['another file', 'Hello.\n', /is not a private key/],
    [
      'an open private key',
      '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n',
      /Other users can read/,
    ],
  ])('that is %s, open to other users, is named as what it is', async (_title, text, words) => {
    const path = join(folder, 'key');
    writeFileSync(path, text);
    chmodSync(path, 0o644);
    const settings = { kind: 'ssh', signIn: 'key', keyFile: path } as unknown as Parameters<typeof sshCredential>[0];
    await expect(sshCredential(settings, () => '', {})).rejects.toThrow(words);
    rmSync(path);
  });

  it.each([
    ['/nowhere/key', /does not exist\.$/],
    ['~/.ssh/id_ed25519', /Enter the whole path/],
    [tmpdir(), /is not a file/],
  ])('says why %s cannot be read', async (path, words) => {
    const settings = { kind: 'ssh', signIn: 'key', keyFile: path } as unknown as Parameters<typeof sshCredential>[0];
    await expect(sshCredential(settings, () => '', {})).rejects.toThrow(words);
  });
});
