import { readFileSync } from 'node:fs';
import { runDriverProgram } from './program.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ending.abort());

process.exitCode = await runDriverProgram({
  words: process.argv.slice(2),
  terminal: process,
  env: process.env,
  folder: process.cwd(),
  version,
  signal: ending.signal,
});
