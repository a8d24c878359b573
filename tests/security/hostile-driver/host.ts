import { readFileSync } from 'node:fs';
import { NO_FILTER } from '@tabularium/sdk';
import { DriverProcesses } from '../../../host/src/runtime/drivers/processes/driverProcesses.ts';
import type { InstalledDriver } from '../../../host/src/runtime/drivers/packages/installedDriver.ts';

// A host that is there to be killed: opens a session, prints the number of its process, and puts the driver into a busy loop.

const { driver, ...options } = JSON.parse(readFileSync(0, 'utf8')) as {
  readonly driver: InstalledDriver;
  readonly runner: string;
  readonly launcher: string;
  readonly pidFile: string;
  readonly endWithHost: boolean;
};
const processes = new DriverProcesses({ ...options, node: process.execPath, log: () => undefined });
const { signal } = new AbortController();
const session = await processes.connect({ driver, settings: {}, files: {}, signal });
const table = { namespace: [], name: 'busy' };
const { rows: pid } = await session.countRows({ table, filter: NO_FILTER }, { signal });
void session.readPage({ table, filter: NO_FILTER, sorts: [], position: { from: 'start' }, limit: 1 }, { signal });
process.stdout.write(`${pid}\n`);
