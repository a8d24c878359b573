import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Runtime } from '../../host/src/runtime/runtime.ts';
import { startImportSchema } from '../../host/src/common/imports.ts';
import { root } from '../../scripts/paths.ts';
import type { Budget } from './budget.ts';
import { atMost, median, timed } from './budget.ts';
import { homeOf } from './homeOf.ts';
import { MemoryWatch } from './memoryWatch.ts';
import type { Surroundings } from './surroundings.ts';
import { API_KEY } from './surroundings.ts';

/** A million documents, as fast as they go. */
const UNPACED = { documents: 1_000_000, rounds: 5 };
/** Fewer of them and fewer rounds, since both ways take seconds of waiting each. */
const PACED = { documents: 200_000, rounds: 3 };
/** A real 29.0 on two cores took 36 seconds for a million of these documents. */
const DOCUMENT_MICROSECONDS = 36;
const run = promisify(execFile);
const never = new AbortController().signal;

/**
 * Small documents from a file of JSON lines, against curl, taken in turns; and how much host and driver grow meanwhile: into a receiver that takes as long as a real
 * server, and into one that does nothing with them. Where TABULARIUM_BENCH_SERVER has the port of a server with the key of the bench, into that one instead.
 */
export async function importBudgets(surroundings: Surroundings): Promise<readonly Budget[]> {
  const given = process.env['TABULARIUM_BENCH_SERVER'];
  if (given !== undefined) {
    const { ratio } = await importInto(surroundings, async () => Number(given), UNPACED);
    return [atMost('import of JSONL, time against curl', ratio, MOST_OF_CURL, 'ratio')];
  }
  const unpaced = await importInto(surroundings, (stack) => startReceiver(surroundings, stack, 0), UNPACED);
  const paced = await importInto(surroundings, (stack) => startReceiver(surroundings, stack, DOCUMENT_MICROSECONDS), PACED);
  return [
    atMost('import of JSONL into a server at the pace of a real one, time against curl', paced.ratio, MOST_OF_CURL, 'ratio'),
    atMost('import of JSONL into a receiver that does nothing, time against curl', unpaced.ratio, MOST_OF_CURL, 'ratio'),
    // Not of the paced one: most of what a process gathers that waits is what the measurement itself leaves behind.
    atMost('import: growth of host and driver', unpaced.growth / 1_000, 16_000, 'kilobytes'),
  ];
}

/** At least 0.90 of curl's throughput is at most 1 / 0.90 of its time. */
const MOST_OF_CURL = 1.111;

interface Importing {
  readonly documents: number;
  readonly rounds: number;
}

async function importInto(
  surroundings: Surroundings,
  start: (stack: AsyncDisposableStack) => Promise<number>,
  { documents, rounds }: Importing,
): Promise<{ readonly ratio: number; readonly growth: number }> {
  await using stack = new AsyncDisposableStack();
  const runtime = await surroundings.newRuntime();
  stack.defer(() => runtime[Symbol.asyncDispose]());
  const home = await homeOf(runtime);
  const file = join(dirname(home), 'bench-import.jsonl');
  stack.defer(() => rm(file, { force: true }));
  await writeDocuments(file, documents);
  const { size } = await stat(file);
  const port = await start(stack);
  const url = `http://127.0.0.1:${port}`;
  const key = ['-H', `x-typesense-api-key: ${API_KEY}`];
  // A second receiver finds the collection of the first one.
  await run('curl', [
    '-sS',
    ...key,
    `${url}/collections`,
    '-d',
    '{"name":"bench_import","fields":[{"name":"n","type":"int64"}]}',
  ]);
  const curl = async (): Promise<void> => {
    await run('curl', [
      ...['-sS', '--fail', ...key, '-o', '/dev/null', '-X', 'POST', '-H', 'content-type: text/plain'],
      ...['--data-binary', `@${file}`, `${url}/collections/bench_import/documents/import?action=upsert&dirty_values=reject`],
    ]);
  };
  const connectionId = await surroundings.connect(runtime, { port });
  const through = (): Promise<void> => importOnce(runtime, connectionId, file, documents);
  await runtime.sessions.use(connectionId, ({ session }) => session.ping({ signal: never }), { signal: never });
  await curl();
  await using memory = await MemoryWatch.start(home);
  const times: { curl: number[]; through: number[] } = { curl: [], through: [] };
  for (let round = 0; round < rounds; round += 1) {
    times.curl.push(await timed(curl));
    times.through.push(await timed(through));
    process.stderr.write(`round ${round + 1}: growth so far ${(memory.growth / 1e6).toFixed(1)} MB\n`);
  }
  const { growth } = memory;
  const [curlTime, throughTime] = [median(times.curl), median(times.through)];
  const rate = (milliseconds: number): string => (size / 1_000 / milliseconds).toFixed(1);
  process.stderr.write(
    `import of ${(size / 1e6).toFixed(1)} MB: curl ${rate(curlTime)} MB/s, host and driver ${rate(throughTime)} MB/s; ` +
      `host and driver grew by ${(growth / 1e6).toFixed(1)} MB\n`,
  );
  return { ratio: throughTime / curlTime, growth };
}

async function importOnce(runtime: Runtime, connectionId: string, path: string, documents: number): Promise<void> {
  const info = await runtime.imports.start(
    startImportSchema.parse({
      ...{ connectionId, table: { namespace: [], name: 'bench_import' }, source: { is: 'file', path } },
      ...{ format: { format: 'jsonl' }, mode: 'upsert' },
    }),
    never,
  );
  for await (const one of runtime.imports.follow(info.id, never)) {
    if (one.state !== 'done' && one.state !== 'running')
      throw new Error(`The import is ${one.state}: ${JSON.stringify(one.error)}`);
    if (one.state === 'done' && one.written !== documents) throw new Error(`${one.written} documents were written.`);
  }
  await runtime.imports.clear(info.id);
}

async function writeDocuments(file: string, documents: number): Promise<void> {
  const stream = createWriteStream(file);
  for (let from = 0; from < documents; from += 10_000) {
    const text = Array.from(
      { length: 10_000 },
      (_, index) => `{"id":"${from + index}","n":${from + index},"name":"Document ${from + index}"}\n`,
    );
    if (!stream.write(text.join(''))) await once(stream, 'drain');
  }
  stream.end();
  await finished(stream);
}

async function startReceiver(
  { sandboxUrl }: Surroundings,
  stack: AsyncDisposableStack,
  documentMicroseconds: number,
): Promise<number> {
  const program = join(root, 'tests/bench/importReceiver.ts');
  const receiver = spawn(process.execPath, [program, sandboxUrl, String(documentMicroseconds)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  stack.defer(async () => {
    receiver.stdin.end();
    if (receiver.exitCode === null) await once(receiver, 'exit');
  });
  const [line] = (await once(createInterface({ input: receiver.stdout }), 'line')) as [string];
  return z.object({ port: z.number() }).parse(JSON.parse(line)).port;
}
