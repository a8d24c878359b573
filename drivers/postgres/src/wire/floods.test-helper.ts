import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

// A server that floods its client: with one kind of message, at one moment. The client's database names both, as "kind/moment".

export const FLOODED_MOMENTS = ['signIn', 'batch', 'stream', 'parameters', 'copy', 'idle'] as const;
/** A flood in a stream ends after {@link ENDS_AFTER} messages at the moment "ended", and the answer is whole. */
export type FloodedMoment = (typeof FLOODED_MOMENTS)[number] | 'ended';
const ENDS_AFTER = 8;

/** A message as the protocol has it. */
export function message(type: string, body: Uint8Array | string = ''): Buffer {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeUInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}

function row(...values: readonly (Uint8Array | string | null)[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeUInt16BE(values.length);
  const parts = values.map((value) => {
    const length = Buffer.alloc(4);
    if (value === null) length.fill(255);
    else length.writeUInt32BE(Buffer.byteLength(value));
    return Buffer.concat([length, Buffer.from(value ?? '')]);
  });
  return message('D', Buffer.concat([count, ...parts]));
}

/** The description of this many columns without a name. */
function columns(count: number): Buffer {
  const head = Buffer.alloc(2);
  head.writeUInt16BE(count);
  return message('T', Buffer.concat([head, Buffer.alloc(count * 19)]));
}

const READY = message('Z', 'I');

/** @param number - of the connection, by which it is cancelled */
function signedIn(number: number): Buffer {
  const key = Buffer.alloc(8, 1);
  key.writeUInt32BE(number);
  return Buffer.concat([message('R', Buffer.alloc(4)), message('K', key), READY]);
}

const ANSWERED = Buffer.concat([message('1'), message('2'), columns(1), row('x'), message('C', 'SELECT 1\0'), READY]);

const fields = (type: string, text: string): Buffer => message(type, `SNOTICE\0C00000\0M${text}\0\0`);

/** One of the messages of each flood. */
export const FLOODS: Readonly<Record<string, Buffer>> = {
  'rows of a byte': row('x'),
  'rows of two bytes': row('xy'),
  'rows of nothing': row(),
  'rows of many nulls': row(...Array.from({ length: 1_600 }, () => null)),
  'rows of many short values': row(...Array.from({ length: 1_600 }, () => 'ab')),
  'rows of wide characters': row(`${'a'.repeat(50_000)}\u{20AC}`),
  'descriptions of many columns': Buffer.concat([columns(32_000), message('C', 'SELECT 0\0')]),
  'ends of statements': message('C', '\0'),
  'ends of empty statements': message('I'),
  'short notices': fields('N', 'n'),
  'long notices': fields('N', 'noise '.repeat(200)),
  'notices of many fields': message(
    'N',
    `${Array.from({ length: 2_000 }, (_, index) => `${String.fromCodePoint(33 + (index % 90))}v\0`).join('')}\0`,
  ),
  errors: message('E', `SERROR\0CXX000\0M${'wrong '.repeat(200)}\0\0`),
  'parameters of the session': message('S', `name\0${'v'.repeat(100)}\0`),
  notifications: message('A', Buffer.concat([Buffer.alloc(4), Buffer.from('channel\0payload\0')])),
  'states of the transaction': READY,
  'parsed statements': message('1'),
  'descriptions of parameters': message('t', Buffer.concat([Buffer.from([125, 0]), Buffer.alloc(32_000 * 4)])),
  'requests for rows': message('G', Buffer.alloc(3)),
  'copied rows': message('d', 'row\n'),
  'keys to cancel': message('K', Buffer.alloc(8, 1)),
  challenges: message('R', Buffer.concat([Buffer.from([0, 0, 0, 11]), Buffer.from('r=x,s=c2FsdA==,i=99999')])),
};

const wide = (count: number): string => '\u{20AC}'.repeat(count);

/** Columns whose names are this long. */
function longNames(count: number, length: number): Buffer {
  const head = Buffer.alloc(2);
  head.writeUInt16BE(count);
  const column = Buffer.concat([Buffer.from(`${wide(length)}\0`), Buffer.alloc(18)]);
  return message('T', Buffer.concat([head, ...Array.from({ length: count }, () => column)]));
}

/** Floods of messages of megabytes, made when they are asked for. */
export const LARGE_FLOODS: Readonly<Record<string, () => Buffer>> = {
  'rows of 30 MB': () => row('a'.repeat(30_000_000)),
  'rows of 30 MB of wide characters': () => row(wide(10_000_000)),
  'rows of 10 MB of invalid text': () => row(Buffer.alloc(10_000_000, 0xff)),
  'rows of half a megabyte of invalid text': () => row(Buffer.alloc(500_000, 0xff)),
  'rows whose values are longer than their message': () => message('D', Buffer.from([0, 1, 0x7f, 0xff, 0xff, 0xff, 1, 2, 3])),
  'descriptions of columns with long names': () => Buffer.concat([longNames(3_000, 400), message('C', 'SELECT 0\0')]),
  'descriptions of columns with longer names': () => Buffer.concat([longNames(3_000, 3_000), message('C', 'SELECT 0\0')]),
  'errors of 29 MB': () => message('E', `SERROR\0CXX000\0M${'wrong '.repeat(4_000_000)}\0D${'d'.repeat(5_000_000)}\0\0`),
  'errors of many fields': () =>
    message(
      'E',
      `SERROR\0CXX000\0${Array.from({ length: 300_000 }, (_, index) => `${String.fromCodePoint(33 + (index % 90))}vv\0`).join('')}\0`,
    ),
  'errors without an end': () => message('E', `SERROR\0CXX000\0M${'wrong '.repeat(1_000)}`),
  'notices of 30 MB': () => message('N', `SNOTICE\0C00000\0M${wide(9_000_000)}\0H${'h'.repeat(3_000_000)}\0\0`),
  'notices of 200 kB': () => message('N', `SNOTICE\0C00000\0M${wide(30_000)}\0D${'d'.repeat(100_000)}\0\0`),
  'notices without an end': () => message('N', `SNOTICE\0C00000\0M${'noise '.repeat(1_000)}`),
  'parameters of 21 MB': () => message('S', `${'n'.repeat(1_000_000)}\0${'v'.repeat(20_000_000)}\0`),
  'notifications of 30 MB': () =>
    message('A', Buffer.concat([Buffer.alloc(4), Buffer.from(`${'c'.repeat(10_000_000)}\0${'p'.repeat(20_000_000)}\0`)])),
  'copied rows of 20 MB': () => message('d', 'r'.repeat(20_000_000)),
  'tags of 20 MB': () => message('C', `${'S'.repeat(20_000_000)}\0`),
};

/** Writes as fast as the other side takes it, until it closes. */
function flood(socket: Socket, piece: Buffer): void {
  const many = Buffer.concat(Array.from({ length: Math.max(1, Math.floor(65_536 / piece.length)) }, () => piece));
  const more = (): void => {
    while (!socket.destroyed && socket.write(many));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
}

/** A server that floods, or answers everything where the database's name has no flood. */
export async function floodingServer(): Promise<{ readonly server: Server; readonly port: number }> {
  const connections: Socket[] = [];
  const large: Record<string, Buffer | undefined> = {};
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    const number = connections.push(socket) - 1;
    let messages = 0;
    let piece: Buffer | undefined;
    let moment = '';
    socket.on('data', (data: Buffer) => {
      messages += 1;
      if (messages === 1) {
        if (data.length === 16) {
          connections.at(data.readUInt32BE(8))?.destroy();
          return void socket.end();
        }
        const [, database = ''] = /database\0([^\0]*)\0/.exec(data.toString('latin1')) ?? [];
        const [kind = '', when = ''] = database.split('/');
        piece = FLOODS[kind] ?? (large[kind] ??= LARGE_FLOODS[kind]?.());
        moment = when;
        if (piece === undefined || moment !== 'signIn') socket.write(signedIn(number));
        else {
          // A challenge comes where the client has begun to sign in by SCRAM.
          const isChallenge = kind === 'challenges';
          socket.write(isChallenge ? message('R', Buffer.from('\0\0\0\u000ASCRAM-SHA-256\0\0')) : message('R', Buffer.alloc(4)));
          if (!isChallenge) flood(socket, piece);
        }
      } else if (moment === 'signIn' && piece !== undefined) {
        if (messages === 2) flood(socket, piece);
      } else if (messages === 2 || piece === undefined) {
        socket.write(ANSWERED);
        if (moment === 'idle' && piece !== undefined) setTimeout(flood, 50, socket, piece);
      } else if (messages === 3) {
        socket.write(
          Buffer.concat([
            message('1'),
            message('2'),
            ...(moment === 'batch' || moment === 'stream' || moment === 'ended' ? [columns(1)] : []),
          ]),
        );
        if (moment === 'ended') {
          for (let count = 0; count < ENDS_AFTER; count += 1) socket.write(piece);
          socket.write(Buffer.concat([row('x'), message('C', 'SELECT 1\0'), READY]));
        } else flood(socket, piece);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { server, port: typeof address === 'object' && address !== null ? address.port : 0 };
}
