import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

// A server that floods its client: with one kind of message, at one moment. The client's database names both, as "kind/moment".

export const FLOODED_MOMENTS = ['signIn', 'batch', 'stream', 'parameters', 'copy', 'idle'] as const;
export type FloodedMoment = (typeof FLOODED_MOMENTS)[number];

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
        piece = FLOODS[kind];
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
          Buffer.concat([message('1'), message('2'), ...(moment === 'batch' || moment === 'stream' ? [columns(1)] : [])]),
        );
        flood(socket, piece);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { server, port: typeof address === 'object' && address !== null ? address.port : 0 };
}
