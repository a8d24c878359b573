import { appendFileSync } from 'node:fs';
import { BridgeHost } from './bridgeHome.ts';

// A host in a process of its own, to be killed at any moment. Everything that its database is asked is written down at once, before it is done.

const [folder = '', record = ''] = process.argv.slice(2);
const host = new BridgeHost(folder, { limits: { stopMilliseconds: 100, requestsPerMinute: 1_000_000 } });
const { session, connections } = host.fixture;
for (const connection of connections) Object.assign(connection.access, { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' });
session.onBegin = () => appendFileSync(record, `${session.calls.at(-1) ?? ''}\n`);
await host.fixture.server.start({ port: 0 });
process.stdout.write('ready\n');
process.on('SIGTERM', () => {
  void host[Symbol.asyncDispose]().then(() => process.exit(0));
});
