import { RunningApplication } from './application.ts';
import { Bridge } from './bridge.ts';
import { supportFolder } from './home.ts';
import { LineReader } from './lines.ts';
import { openApplication } from './opener.ts';
import { Output } from './output.ts';
import { usageAnswer } from './usage.ts';

/** No client sends such a line; it is skipped without being buffered. */
const LONGEST_LINE_BYTES = 64 * 1024 * 1024;
/** Nothing more is read of the client while this much waits to be sent. */
const MOST_UNSENT_BYTES = 64 * 1024 * 1024;

// Otherwise any process of the same user could have Node open its inspector, and read the token through it.
if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined);

const { stdin, stdout, stderr } = process;
const usage = usageAnswer(process.argv.slice(2));
if (usage !== undefined) {
  // Small enough to be written at once, also to a pipe.
  process[usage.to].write(usage.text);
  process.exit(usage.exitCode);
}
const folder = supportFolder(process.env, process.platform);
const output = new Output(stdout);
const bridge = new Bridge({
  folder,
  output,
  application: new RunningApplication({ folder, open: (onProblem) => openApplication(process.platform, onProblem) }),
  log: (line) => void stderr.write(`tabularium-mcp: ${line}\n`),
});
const lines = new LineReader(
  LONGEST_LINE_BYTES,
  (line) => bridge.receive(line),
  () => bridge.refuseLine(),
);

let ending = false;
function end(how: 'end' | 'stop'): void {
  if (ending && how === 'end') return;
  ending = true;
  void bridge[how]().finally(() => process.exit(0));
}

stdin.on('data', (chunk: Buffer) => {
  lines.push(chunk);
  if (bridge.unsentBytes > MOST_UNSENT_BYTES) stdin.pause();
});
bridge.onRoom(() => {
  if (stdin.isPaused() && bridge.unsentBytes <= MOST_UNSENT_BYTES) stdin.resume();
});
stdin.once('end', () => {
  lines.end();
  end('end');
});
stdin.once('error', () => end('end'));
// The client has closed its end, so the bridge has no work left.
stdout.on('error', () => process.exit(0));
stderr.on('error', () => undefined);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end('stop'));
