import { readFileSync } from 'node:fs';
import { runDriverProgram } from './program.ts';
import { currentFolder } from './currentFolder.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
const ending = new AbortController();
const LONGEST_END_MILLISECONDS = 10_000;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (ending.signal.aborted) return;
    ending.abort();
    // A call of the system that doesn't return, such as one to a network drive that is gone, holds process.exit up as well; a signal ends it.
    setTimeout(() => {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }, LONGEST_END_MILLISECONDS).unref();
  });

process.exitCode = await runDriverProgram({
  words: process.argv.slice(2),
  terminal: process,
  env: process.env,
  get folder() {
    return currentFolder();
  },
  version,
  signal: ending.signal,
});
