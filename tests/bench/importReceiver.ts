import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

// A server that takes imports and does nothing with them, in a process of its own, so that the host and the driver are what is measured. Everything else is
// the sample server's, whose address is the first argument. The second one is the time that a document takes, in microseconds; none by default.

const upstream = new URL(process.argv[2] ?? '');
const documentMilliseconds = Number(process.argv[3] ?? 0) / 1_000;
/** One document is written after the other, whichever request they come in. */
let writtenAt = 0;
const WRITTEN = Buffer.from('{"success":true}');
const LINE_FEED = 0x0a;

const server = createServer((asked, answer) => {
  if (asked.url?.includes('/documents/import') === true) {
    const began = performance.now();
    let lines = 0;
    let last = LINE_FEED;
    asked.on('data', (chunk: Buffer) => {
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1;
      last = chunk.at(-1) ?? last;
    });
    asked.on('end', () => {
      if (last !== LINE_FEED) lines += 1;
      const whole = Buffer.alloc(lines * (WRITTEN.length + 1), Buffer.concat([WRITTEN, Buffer.from('\n')]));
      // Writing begins with the first document that has come, not with the last.
      writtenAt = Math.max(writtenAt, began) + lines * documentMilliseconds;
      const send = (): void => void answer.writeHead(200, { 'content-type': 'text/plain' }).end(whole.subarray(0, -1));
      const wait = writtenAt - performance.now();
      if (wait <= 0) send();
      else void delay(wait).then(send);
    });
    return;
  }
  const { host: _host, ...headers } = asked.headers;
  const passed = request(
    { host: upstream.hostname, port: upstream.port, method: asked.method, path: asked.url, headers },
    (from) => from.pipe(answer.writeHead(from.statusCode ?? 502, from.headers)),
  );
  passed.on('error', () => answer.destroy());
  asked.pipe(passed);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});
process.stdin.resume().on('end', () => process.exit(0));
