import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestSocket } from '@tabularium/sdk/testing';
import type { TestSocket } from '@tabularium/sdk/testing';
import type { DriverSocket } from '@tabularium/sdk';
import { readFacts } from '../serverFacts.ts';
import { beginEncryption } from './encryption.ts';
import { message } from './floods.test-helper.ts';
import { Link } from './link.ts';

// A server that means no good: it signs everybody in, and then answers as a test says.

const signal = new AbortController().signal;
let server: Server | undefined;
let sockets: TestSocket | undefined;
afterEach(async () => {
  sockets?.close();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  server = undefined;
});

const READY = message('Z', 'I');
const SIGNED_IN = Buffer.concat([message('R', Buffer.alloc(4)), message('K', Buffer.alloc(8, 1)), READY]);
/** One column `x` of the type text. */
const COLUMN = message(
  'T',
  Buffer.concat([
    Buffer.from([0, 1]),
    Buffer.from('x\0'),
    Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 255, 255, 255, 255, 255, 255, 0, 0]),
  ]),
);

function row(text: string | Uint8Array): Buffer {
  const bytes = Buffer.from(text);
  const head = Buffer.alloc(6);
  head.writeUInt16BE(1, 0);
  head.writeUInt32BE(bytes.length, 2);
  return message('D', Buffer.concat([head, bytes]));
}

const ANSWERED = Buffer.concat([message('1'), message('2'), COLUMN, row('x'), message('C', 'SELECT 1\0'), READY]);

/** Opens a link to a server that answers the first message after the sign-in as usual, and later ones by `answer`. */
async function open(
  answer: (socket: Socket) => void,
  first: (socket: Socket) => void = (socket) => void socket.write(SIGNED_IN),
): Promise<Link> {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    let messages = 0;
    socket.on('data', () => {
      messages += 1;
      if (messages === 1) first(socket);
      else if (messages === 2) socket.write(ANSWERED);
      else answer(socket);
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  sockets = createTestSocket({ host: '127.0.0.1', port: typeof address === 'object' && address !== null ? address.port : 0 });
  return await Link.open(sockets, { user: 'u', password: 'p', database: 'd' }, signal);
}

/** Writes as fast as the other side takes it, until it closes. */
function flood(socket: Socket, piece: Buffer): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
}

it('ends a connection whose server announces a message of gigabytes, before it is read', async () => {
  const link = await open((socket) => {
    socket.write(Buffer.from([68, 127, 255, 255, 255]));
    flood(socket, Buffer.alloc(64 * 1024));
  });
  await expect(link.run('SELECT 1', [], signal)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  expect(link.isOpen).toBe(false);
});

it('ends an answer of rows without end that is kept as a whole, in bounded memory', async () => {
  const rows = Buffer.concat([message('1'), message('2'), COLUMN]);
  const link = await open((socket) => {
    socket.write(rows);
    flood(socket, Buffer.concat(Array.from({ length: 50 }, () => row('y'.repeat(20_000)))));
  });
  await expect(link.run('SELECT 1', [], signal)).rejects.toMatchObject({ code: 'TOO_LARGE' });
});

it('takes endless rows of a stream only as fast as they are wanted', async () => {
  let sent = 0;
  let sentMeanwhile = 0;
  const piece = Buffer.concat(Array.from({ length: 50 }, () => row('y'.repeat(20_000))));
  const link = await open((socket) => {
    socket.write(Buffer.concat([message('1'), message('2'), COLUMN]));
    const more = (): void => {
      while (!socket.destroyed && socket.write(piece)) sent += piece.length;
      if (!socket.destroyed) socket.once('drain', more);
    };
    more();
  });
  const run = link.stream([{ text: 'SELECT 1' }], 0);
  for await (const { rows } of run.pieces(signal)) {
    expect(rows.length).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    sentMeanwhile = sent;
    break;
  }
  expect(sentMeanwhile).toBeLessThan(20_000_000);
});

it('keeps a thousand of a flood of notices at most, and ends it', async () => {
  const link = await open((socket) => flood(socket, message('N', `SNOTICE\0C00000\0M${'noise '.repeat(200)}\0\0`)));
  await expect(link.run('SELECT 1', [], signal)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  expect(link.notices.take().length + link.notices.takeLast().last.length).toBeLessThanOrEqual(1_000);
});

it('says that something else than PostgreSQL answers', async () => {
  for (const answer of [
    'HTTP/1.1 400 Bad Request\r\n\r\n',
    '\x0a\x05\x00\x005.7.1',
    '-ERR unknown command\r\n',
    '\0\0\0\0\0\0\0\0',
    // The length of a message that is not this long at the start.
    'E\x7f\xff\xff\xff',
    'R\xff\xff\xff\xff',
  ])
    await expect(
      open(
        () => undefined,
        (socket) => void socket.end(Buffer.from(answer, 'latin1')),
      ),
      answer,
    ).rejects.toMatchObject({ code: 'BAD_ANSWER' });
});

it('blames the server for a description of columns that is cut short', async () => {
  const link = await open(
    (socket) => void socket.write(Buffer.concat([message('1'), message('2'), message('T', Buffer.alloc(2, 255))])),
  );
  await expect(link.run('SELECT 1', [], signal)).rejects.toMatchObject({ code: 'BAD_ANSWER' });
});

it('ends a statement whose server never answers when it is cancelled, although the server ignores the cancel', async () => {
  const link = await open(() => undefined);
  const own = new AbortController();
  const running = expect(link.run('SELECT 1', [], own.signal)).rejects.toMatchObject({ code: 'CANCELLED' });
  setTimeout(() => own.abort(), 50);
  await running;
  expect(link.isOpen).toBe(false);
});

it('reports a connection that breaks in the middle of a row', async () => {
  const link = await open(
    (socket) => void socket.end(Buffer.concat([message('1'), message('2'), COLUMN, row('abc').subarray(0, 8)])),
  );
  await expect(link.run('SELECT 1', [], signal)).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
});

it('reads bytes that are not valid UTF-8, and messages out of turn, without ending the process', async () => {
  const odd = Buffer.concat([
    message('A', Buffer.concat([Buffer.alloc(4), Buffer.from('channel\0payload\0')])),
    message('S', 'odd\0value\0'),
    message('1'),
    message('2'),
    COLUMN,
    row(Buffer.from([255, 254, 0, 65])),
    message('C', 'SELECT 1\0'),
    READY,
  ]);
  const link = await open((socket) => void socket.write(odd));
  expect((await link.run('SELECT 1', [], signal)).rows).toEqual([['\ufffd\ufffd\0A']]);
  const unasked = await open((socket) => void socket.write(Buffer.concat([READY, row('x'), READY])));
  await unasked.run('SELECT 1', [], signal).catch(() => undefined);
});

it('ends the connection alone for a message that cannot be read, also where it waited behind rows', async () => {
  const link = await open((socket) => {
    const rows = Array.from({ length: 120 }, () => row('y'.repeat(10_000)));
    socket.write(Buffer.concat([message('1'), message('2'), COLUMN, ...rows, message('T', Buffer.alloc(2, 255))]));
  });
  const read = async (): Promise<void> => {
    for await (const { rows } of link.stream([{ text: 'SELECT 1' }], 0).pieces(signal)) {
      expect(rows.length).toBeGreaterThan(0);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  await expect(read()).rejects.toMatchObject({ code: 'BAD_ANSWER' });
});

it('names a server that says nothing when it is asked for TLS', async () => {
  const said = (): AsyncIterator<Uint8Array> => ({ next: () => new Promise(() => undefined) });
  const socket = { write: async () => undefined } as unknown as DriverSocket;
  await expect(beginEncryption(socket, said(), 'db.example:5432', 50)).rejects.toMatchObject({
    code: 'TIMEOUT',
    message: expect.stringContaining('db.example:5432') as string,
  });
});

it('takes no server that does not say its version', async () => {
  for (const version of [null, '', '18.4']) {
    const answer = { rows: [[version, version === '18.4' ? 'x' : '180004', 'u', 'd', 't', '[]', 'UTF8', 'f', 't']] };
    const link = { run: async () => answer } as unknown as Link;
    await expect(readFacts(link, signal)).rejects.toMatchObject({ code: 'BAD_ANSWER' });
  }
  await expect(readFacts({ run: async () => ({ rows: [] }) } as unknown as Link, signal)).rejects.toMatchObject({
    code: 'BAD_ANSWER',
  });
});

it('starts no encryption behind bytes that came before it', async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => void socket.write('Ssmuggled'));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  sockets = createTestSocket({
    host: '127.0.0.1',
    tls: 'upgrade',
    port: typeof address === 'object' && address !== null ? address.port : 0,
  });
  await expect(Link.open(sockets, { user: 'u', password: 'p', database: 'd' }, signal)).rejects.toMatchObject({
    code: 'TLS_FAILED',
  });
});

describe('a server that asks for the password', () => {
  const method = (code: number, rest: Uint8Array | string = ''): Buffer => {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(code);
    return message('R', Buffer.concat([head, Buffer.from(rest)]));
  };
  const CLEAR = method(3);
  const MD5 = method(5, 'salt');
  const SCRAM = method(10, 'SCRAM-SHA-256\0\0');
  const heard: string[] = [];

  /** Signs in at a server that answers the messages of the sign-in one after the other, and notes what it gets. */
  async function signIn(...answers: readonly ((received: string) => Buffer)[]): Promise<Link> {
    heard.length = 0;
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      let at = 0;
      socket.on('data', (data) => {
        heard.push(data.toString('latin1'));
        const answer = answers[at];
        at += 1;
        if (answer !== undefined) socket.write(answer(data.toString('latin1')));
      });
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    sockets = createTestSocket({ host: '127.0.0.1', port: typeof address === 'object' && address !== null ? address.port : 0 });
    return await Link.open(sockets, { user: 'u', password: 'MARKED', database: 'd' }, signal);
  }

  /** The server's first message of SCRAM, with the client's own random text continued. */
  const challenge = (received: string): Buffer =>
    method(11, `r=${/r=([^,\0]+)/.exec(received)?.[1] ?? ''}more,s=${Buffer.from('saltsalt').toString('base64')},i=4096`);

  it.each([
    ['a signature that is false', [() => SCRAM, challenge, () => method(12, `v=${Buffer.alloc(32).toString('base64')}`)]],
    ['random text that is not ours', [() => SCRAM, () => method(11, 'r=other,s=c2FsdHNhbHQ=,i=4096')]],
    [
      'a billion rounds',
      [() => SCRAM, (got: string) => method(11, challenge(got).toString('latin1').slice(9).replace('4096', '1000000000'))],
    ],
    [
      'no salt',
      [
        () => SCRAM,
        (got: string) =>
          method(
            11,
            challenge(got)
              .toString('latin1')
              .slice(9)
              .replace(/s=[^,]*/, 's='),
          ),
      ],
    ],
  ] as const)('and sends %s may be another one: the credentials are not to blame', async (_title, answers) => {
    await expect(signIn(...answers)).rejects.toMatchObject({
      code: 'ACCESS_REFUSED',
      message: expect.stringContaining('may be another one') as string,
      details: { advice: expect.stringContaining('host') as string },
    });
  });

  it.each([
    ['unencrypted over an unencrypted connection', [() => CLEAR], /unencrypted password/],
    ['unencrypted after SCRAM was begun', [() => SCRAM, () => CLEAR], /second time/],
    ['unencrypted after the proof of SCRAM', [() => SCRAM, challenge, () => CLEAR], /second time/],
    ['by MD5 after the proof of SCRAM', [() => SCRAM, challenge, () => MD5], /second time/],
    ['by SCRAM, and proves nothing itself', [() => SCRAM, challenge, () => SIGNED_IN], /prove/],
    ['unencrypted after the sign-in', [() => Buffer.concat([SIGNED_IN, CLEAR])], /second time/],
  ] as const)('%s does not get it', async (_title, answers, words) => {
    const outcome = await signIn(...answers).then(
      async (link) => {
        await expect.poll(() => link.isOpen).toBe(false);
        return await link.run('SELECT 1', [], signal).catch((error: unknown) => error);
      },
      (error: unknown) => error,
    );
    expect(outcome).toMatchObject({ code: 'ACCESS_REFUSED', message: expect.stringMatching(words) as string });
    expect(heard.join('')).not.toContain('MARKED');
    expect(heard.join('')).not.toContain('md5');
  });
});
