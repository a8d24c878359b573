import { join } from 'node:path';
import { report, runCreateDriver } from './program.ts';

// Also for what fails outside a call: a folder that was removed, an output that was closed.
process.once('uncaughtException', (error: Error) => {
  process.exit('code' in error && error.code === 'EPIPE' ? 1 : report(error, process.stderr));
});

process.exitCode = await runCreateDriver({
  words: process.argv.slice(2),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  folder: process.cwd(),
  // This file is dist/main.js in the package.
  template: join(import.meta.dirname, '../template'),
});
