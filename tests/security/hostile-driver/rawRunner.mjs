// Replaces the program of a driver's process and writes frames itself, as a driver could that has taken the pipe over. The driver's entry is a JSON
// file that says which scenario to play.

import fs from 'node:fs';
import { Socket } from 'node:net';

/** The text of the driver's entry, which the host delivers before the wire begins. */
function entryText() {
  const { files, entry } = JSON.parse(exactly(exactly(4).readUInt32BE()).toString());
  return files
    .map(({ path, bytes }) => [path, exactly(bytes)])
    .find(([path]) => path === entry)[1]
    .toString();
}
function exactly(length) {
  const bytes = Buffer.alloc(length);
  for (let filled = 0; filled < length;) filled += fs.readSync(3, bytes, filled, length - filled, null);
  return bytes;
}
const text = entryText();

const KINDS = { ready: 0, request: 1, answer: 2, error: 3, cancel: 4, data: 5, end: 6, credit: 7 };
const KIND_NAMES = Object.keys(KINDS);
const wire = new Socket({ fd: 3, readable: true, writable: true });
wire.on('error', () => process.exit(0));
wire.on('close', () => process.exit(0));

function frame(kind, id, head, body = Buffer.alloc(0)) {
  const headBytes = head === undefined ? Buffer.alloc(0) : Buffer.from(typeof head === 'string' ? head : JSON.stringify(head));
  const bytes = Buffer.alloc(13);
  bytes.writeUInt32BE(9 + headBytes.length + body.length, 0);
  bytes.writeUInt8(typeof kind === 'number' ? kind : KINDS[kind], 4);
  bytes.writeUInt32BE(id, 5);
  bytes.writeUInt32BE(headBytes.length, 9);
  return Buffer.concat([bytes, headBytes, body]);
}
const send = (...args) => wire.write(frame(...args));

/** Sends as much as the pipe takes, for ever. */
async function flood(next) {
  for (let index = 0; ; index += 1) {
    if (!wire.write(next(index))) await new Promise((resolve) => wire.once('drain', resolve));
  }
}

const waiting = [];
const arrived = [];
let pending = Buffer.alloc(0);
let reading = true;
wire.on('data', (chunk) => {
  pending = Buffer.concat([pending, chunk]);
  while (pending.length >= 4 && pending.length >= 4 + pending.readUInt32BE(0)) {
    const payload = pending.subarray(4, 4 + pending.readUInt32BE(0));
    pending = pending.subarray(4 + payload.length);
    const headLength = payload.readUInt32BE(5);
    const head = headLength === 0 ? undefined : JSON.parse(payload.subarray(9, 9 + headLength).toString());
    const got = { kind: KIND_NAMES[payload[0]], id: payload.readUInt32BE(1), head, body: payload.subarray(9 + headLength) };
    const wanted = waiting.findIndex(({ test }) => test(got));
    if (wanted >= 0) waiting.splice(wanted, 1)[0].resolve(got);
    else if (reading) arrived.push(got);
  }
});
function next(test) {
  const found = arrived.findIndex(test);
  if (found >= 0) return Promise.resolve(arrived.splice(found, 1)[0]);
  return new Promise((resolve) => waiting.push({ test, resolve }));
}
const request = (method) => next(({ kind, head }) => kind === 'request' && head.method === method);

const READY = { wire: 1, contract: '1.0.0', driver: 'fixture' };
const CONNECTED = { server: { product: 'Raw' }, findings: [], facets: ['console'] };
const json = (value) => Buffer.from(JSON.stringify(value));
const whole = (id, value) => send('answer', id, { body: 'whole', result: {} }, json(value));

async function connected() {
  send('ready', 0, READY);
  const connect = await request('connect');
  whole(connect.id, CONNECTED);
  return connect;
}

/** Connects, and answers the first ping with what the scenario does. */
const onPing = (play) => async () => {
  await connected();
  const ping = await request('ping');
  await play(ping.id);
};
const credit = (bytes) => onPing((id) => send('credit', id, `{"bytes":${bytes}}`));
const httpRequest = (id, params, session = 1) =>
  send('request', id, {
    method: 'http.request',
    session,
    body: 'none',
    params: { method: 'GET', path: '/', headers: {}, repeatable: false, hasBody: false, ...params },
  });

const scenarios = {
  // The first frame
  notReady: () => send('answer', 2, { body: 'none' }),
  garbage: () => wire.write(Buffer.alloc(1000, 'GET / HTTP/1.1\r\n')),
  readyTwice: async () => {
    await connected();
    send('ready', 0, READY);
  },
  newerWire: () => send('ready', 0, { wire: 99, something: 'else' }),
  newerContract: () => send('ready', 0, { ...READY, contract: '2.1.0' }),
  otherDriver: () => send('ready', 0, { ...READY, driver: 'other' }),
  neverReady: () => undefined,

  // Sizes
  hugeFrame: onPing(() => {
    const start = Buffer.alloc(13, 0xff);
    wire.write(start);
    return flood(() => Buffer.alloc(1024 * 1024));
  }),
  longHead: onPing((id) => send('answer', id, JSON.stringify({ body: 'none', result: 'x'.repeat(70_000) }))),
  dishonestHead: onPing((id) => {
    const bytes = frame('answer', id, { body: 'none' });
    bytes.writeUInt32BE(60_000, 9);
    wire.write(bytes);
  }),
  largeBody: onPing((id) => send('answer', id, { body: 'whole' }, Buffer.alloc(300 * 1024))),
  hugeMessage: onPing((id) => {
    send('answer', id, { body: 'stream' });
    return flood(() => frame('data', id, undefined, Buffer.alloc(256 * 1024)));
  }),
  tinyFrames: onPing(async (id) => {
    send('answer', id, { body: 'stream' });
    await flood(() => frame('data', id, undefined, Buffer.alloc(1)));
  }),
  endlessAnswer: onPing(async (id) => {
    send('answer', id, { body: 'stream' });
    for (let allowed = 1024 * 1024; ;) {
      while (allowed >= 65_536) {
        send('data', id, undefined, Buffer.alloc(65_536));
        allowed -= 65_536;
      }
      const given = await next(({ kind, id: of }) => of === id && (kind === 'credit' || kind === 'cancel'));
      if (given.kind === 'cancel') return send('error', id, { code: 'CANCELLED', message: 'stopped' });
      allowed += given.head.bytes;
    }
  }),

  // Credit
  creditNaN: credit('NaN'),
  creditNull: credit('null'),
  creditString: credit('"65536"'),
  creditFraction: credit('0.5'),
  creditNegative: credit('-1'),
  creditZero: credit('0'),
  creditHuge: credit('1e12'),
  creditUnearned: credit('1048576'),

  // Answers
  twoAnswers: onPing((id) => {
    whole(id, {});
    whole(id, {});
  }),
  twoStreams: onPing((id) => {
    send('answer', id, { body: 'stream' });
    send('answer', id, { body: 'stream' });
  }),
  answerThenError: onPing((id) => {
    whole(id, {});
    send('error', id, { code: 'NOT_FOUND', message: 'x' });
  }),
  dataBeforeAnswer: onPing((id) => send('data', id, undefined, Buffer.alloc(1))),
  endBeforeAnswer: onPing((id) => send('end', id)),
  emptyData: onPing((id) => {
    send('answer', id, { body: 'stream' });
    wire.write(frame('data', id));
  }),
  answerToNothing: onPing(() => whole(1000, {})),
  unannouncedBody: onPing((id) => send('answer', id, { body: 'none' }, Buffer.alloc(5))),
  unknownKind: onPing((id) => send(8, id)),
  notJson: onPing((id) => send('answer', id, { body: 'whole' }, Buffer.from('{"a":'))),
  wrongShape: async () => {
    await connected();
    const list = await request('listTables');
    whole(list.id, [{ ref: { namespace: 'x', name: 1 } }]);
  },
  deepHead: onPing((id) => send('answer', id, '['.repeat(60_000))),
  deepParams: onPing(() =>
    send('request', 1, `{"method":"log","body":"none","params":${'['.repeat(30_000)}${']'.repeat(30_000)}}`),
  ),
  deepAnswer: async () => {
    await connected();
    const list = await request('listTables');
    send('answer', list.id, { body: 'whole' }, Buffer.from('['.repeat(120_000) + ']'.repeat(120_000)));
  },

  // Requests
  unknownMethod: onPing(() => send('request', 1, { method: 'secrets.read', body: 'none' })),
  protoMethod: onPing(() => send('request', 1, { method: '__proto__', body: 'none' })),
  constructorMethod: onPing(() => send('request', 1, { method: 'constructor', body: 'none' })),
  toStringMethod: onPing(() => send('request', 1, { method: 'toString', body: 'none' })),
  evenNumber: onPing(() => send('request', 1000, { method: 'log', body: 'none' })),
  numberTwice: onPing(() => {
    const log = { method: 'log', body: 'none', params: { level: 'info', message: 'x' } };
    send('request', 1, log);
    send('request', 1, log);
  }),
  fractionalSession: onPing(() => send('request', 1, { method: 'log', session: 1.5, body: 'none' })),
  tooManyRequests: onPing(() => {
    for (let index = 0; index < 65; index += 1) httpRequest(2 * index + 1, { path: '/slow' });
  }),
  dataAfterEnd: onPing(() => {
    send('request', 1, {
      method: 'http.request',
      session: 1,
      body: 'stream',
      params: { method: 'POST', path: '/slow', headers: {}, repeatable: false, hasBody: true },
    });
    send('end', 1);
    send('data', 1, undefined, Buffer.alloc(1));
  }),
  uploadWithoutCredit: onPing(() => {
    send('request', 1, {
      method: 'http.request',
      session: 1,
      body: 'stream',
      params: { method: 'POST', path: '/slow', headers: {}, repeatable: false, hasBody: true },
    });
    return flood(() => frame('data', 1, undefined, Buffer.alloc(256 * 1024)));
  }),
  lateFrames: onPing(() => {
    send('request', 1, { method: 'log', body: 'none', params: { level: 'info', message: 'x' } });
    return flood(() => frame('cancel', 1));
  }),
  pollution: onPing(async (id) => {
    send(
      'request',
      1,
      '{"method":"log","body":"none","__proto__":{"polluted":1},"params":{"level":"info","message":"x","__proto__":{"polluted":1}}}',
    );
    send(
      'request',
      3,
      `{"method":"http.request","session":1,"body":"none","params":{"method":"GET","path":"/headers","headers":{"__proto__":"x","constructor":"y"},"repeatable":false,"hasBody":false,"__proto__":{"hasBody":true}}}`,
    );
    await next(({ kind, id: of }) => of === 3 && kind !== 'credit');
    send('answer', id, '{"body":"whole","__proto__":{"polluted":1}}', Buffer.from('{"__proto__":{"polluted":1}}'));
  }),
  foreignSession: onPing(async (id) => {
    httpRequest(1, {}, 2);
    const { head } = await next(({ id: of }) => of === 1);
    send('error', id, { code: 'SERVER_ERROR', message: head.code });
  }),
  unknownCode: onPing((id) =>
    send('error', id, { code: 'NO_SUCH_CODE', message: 'x'.repeat(3_000), details: { request: 'r', extra: 1 } }),
  ),
  longMessage: onPing((id) => send('error', id, { code: 'NOT_FOUND', message: 'x'.repeat(5_000) })),

  // Floods: what is asked for is never read.
  requestFlood: onPing(() => {
    reading = false;
    wire.pause();
    let id = -1;
    return flood(() =>
      Buffer.concat(
        Array.from({ length: 50 }, () =>
          frame('request', (id += 2), { method: 'log', session: 1, body: 'none', params: { level: 'info', message: 'flood' } }),
        ),
      ),
    );
  }),
  answersUnread: onPing(() => {
    wire.pause();
    for (let index = 0; index < 64; index += 1) httpRequest(2 * index + 1, { path: '/large' });
  }),
  // Answers the cancelling of a call, but only after the work that was already in progress.
  lateButHonest: async () => {
    await connected();
    for (;;) {
      const page = await request('readPage');
      await next(({ kind, id }) => kind === 'cancel' && id === page.id);
      send('answer', page.id, { body: 'stream', result: { rowCount: 0, atEnd: true, droppedSorts: [] } });
      for (let index = 0; index < 4; index += 1) send('data', page.id, undefined, Buffer.alloc(256 * 1024));
      send('end', page.id);
    }
  },
};

const { scenario } = JSON.parse(text);
void scenarios[scenario]();
// Without this a scenario that waits for nothing would end.
setInterval(() => undefined, 60_000);
