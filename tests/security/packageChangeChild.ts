// Changes an installed driver in a process of its own and stops for ever before its n-th change to database or disk, so that a test can
// kill it there. Says "the end" when there were fewer.
import fs from 'node:fs/promises';
import { flushCompileCache, syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';

const [home = '', operation = '', at = ''] = process.argv.slice(2);
let counting = false;
let changes = 0;

/** The message leaves before the thread stops: the channel is a pipe, written at once. */
function step(): void {
  if (!counting) return;
  changes += 1;
  if (changes !== Number(at)) return;
  process.send?.('stopped');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** The same function, announced first. */
function watched<Work extends (...values: never[]) => unknown>(work: Work): Work {
  return new Proxy(work, {
    apply: (target, self, values): unknown => {
      step();
      return Reflect.apply(target, self, values);
    },
  });
}

DatabaseSync.prototype.exec = watched(DatabaseSync.prototype.exec);
StatementSync.prototype.run = watched(StatementSync.prototype.run);
fs.rm = watched(fs.rm);
fs.rmdir = watched(fs.rmdir);
fs.rename = watched(fs.rename);
syncBuiltinESMExports();

// Imported now, so that they see the functions above.
const { DriverError } = await import('@tabularium/sdk');
const { SealedSecrets } = await import('../../host/src/runtime/credentials/sealedSecrets.ts');
const { DriverUse } = await import('../../host/src/runtime/drivers/driverUse.ts');
const { silentLogger } = await import('../../host/src/runtime/storage/logger.ts');
const { createPackageHost } = await import('./packageHost.ts');
// A killed process passes nothing on at its end: the next one is to load what this one compiled.
flushCompileCache();
const host = await createPackageHost({ home });
const signal = new AbortController().signal;
const { management, installed, records, choices } = host;

async function crashAtFirstUse(): Promise<void> {
  const connector = { connect: () => Promise.reject(new DriverError('DRIVER_CRASHED')) };
  const use = new DriverUse({ connector, installed, records, choices, logger: silentLogger });
  const driver = await installed.current('tiny');
  await use.connect({ driver, settings: {}, secrets: new SealedSecrets(new Map()), signal }).catch(() => undefined);
}

const operations: Record<string, () => Promise<unknown>> = {
  rollback: () => management.rollback('tiny'),
  pin: () => management.pin('tiny', '1.0.0', signal, true),
  remove: () => management.remove('tiny'),
  crashAtFirstUse,
};
// The first read prepares nothing that counts.
await installed.current('tiny');
counting = true;
await operations[operation]?.();
counting = false;
await host.stop();
process.send?.('the end');
