import { join } from 'node:path';
import { runCreateDriver } from './program.ts';

process.exitCode = await runCreateDriver({
  words: process.argv.slice(2),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  folder: process.cwd(),
  // This file is dist/main.js in the package.
  template: join(import.meta.dirname, '../template'),
});
