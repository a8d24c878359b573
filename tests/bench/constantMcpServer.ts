import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { sendAnswer, toRequest } from '../../host/src/runtime/http/fetchAdapter.ts';

// The protocol's library behind Node's HTTP server, in a process of its own: one session, whose one tool answers a constant. The argument is that answer, so that
// as many bytes are written as by what is compared with it.

const result = JSON.parse(process.argv[2] ?? '') as { content: [] };
const server = new Server({ name: 'constant', version: '1' }, { capabilities: { tools: {} } });
server.setRequestHandler('tools/call', () => result);
const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => 'bench' });
await server.connect(transport);

const http = createServer((asked, answer) => {
  const url = `http://127.0.0.1${asked.url ?? '/'}`;
  const body = asked.method === 'POST' ? asked : undefined;
  transport
    .handleRequest(toRequest(asked, { url, passes: () => true, body }))
    .then((response) => sendAnswer(answer, response))
    .catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      answer.destroy();
    });
});
http.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (http.address() as AddressInfo).port })}\n`);
});
process.stdin.resume().on('end', () => process.exit(0));
