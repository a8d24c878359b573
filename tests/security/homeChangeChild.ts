import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';

// Backs up or restores a data directory and kills itself before the n-th change of the file system that is made through Node.

const [folder = '', operation = '', step = '', source = '', known = '[]'] = process.argv.slice(2);
let left = Number(step);

const CHANGES = ['renameSync', 'rmSync', 'linkSync', 'copyFileSync', 'chmodSync', 'openSync', 'fsyncSync'] as const;
const functions: Record<string, unknown> = fs;
function arm(): void {
  for (const name of CHANGES) {
    const real = functions[name] as (...args: unknown[]) => unknown;
    functions[name] = (...args: unknown[]) => {
      left -= 1;
      if (left === 0) process.kill(process.pid, 'SIGKILL');
      return real(...args);
    };
  }
  syncBuiltinESMExports();
}

const { Backups } = await import('../../host/src/runtime/storage/backups.ts');
const { restoreDatabase } = await import('../../host/src/runtime/storage/restoreDatabase.ts');

const migrations = z.array(z.string()).parse(JSON.parse(known));
const backups = new Backups({ folder: join(folder, 'backups'), migrations });
const file = join(folder, 'tabularium.db');
await turn();
if (operation === 'restore') {
  arm();
  restoreDatabase({ file, source, backups, migrations });
} else {
  const connection = new DatabaseSync(file);
  connection.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL');
  arm();
  await backups.create(connection, 'manual');
  connection.close();
}
