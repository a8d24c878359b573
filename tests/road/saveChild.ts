import 'reflect-metadata';
import { startHost, windowOf } from './machine.ts';

// A host in a process of its own that saves what is staged, until it is killed: node saveChild.ts HOME CONNECTION TABLE.

const [home, connectionId, name] = process.argv.slice(2);
if (home === undefined || connectionId === undefined || name === undefined) throw new Error('saveChild.ts HOME CONNECTION TABLE');
const runtime = await startHost({ home, env: process.env });
const window = windowOf(runtime.handler);
const events = await window.editing.save.mutate({ connectionId, table: { namespace: [], name } });
for await (const event of events) process.stdout.write(`${JSON.stringify(event)}\n`);
