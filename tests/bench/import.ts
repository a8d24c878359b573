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

const ROUNDS = 5;
const DOCUMENTS = 1_000_000;
const run = promisify(execFile);
const never = new AbortController().signal;

/**
 * A million small documents from a file of JSON lines, against curl, taken in turns; and how much host and driver grow meanwhile. Where TABULARIUM_BENCH_SERVER
 * has the port of a server with the key of the bench, into that one; else into a receiver that does nothing with them.
 */
export async function importBudgets(surroundings: Surroundings): Promise<readonly Budget[]> {
  await using stack = new AsyncDisposableStack();
  const runtime = await surroundings.newRuntime();
  stack.defer(() => runtime[Symbol.asyncDispose]());
  const home = await homeOf(runtime);
  const file = join(dirname(home), 'bench-import.jsonl');
  stack.defer(() => rm(file, { force: true }));
  await writeDocuments(file);
  const { size } = await stat(file);
  const given = process.env['TABULARIUM_BENCH_SERVER'];
  const port = given === undefined ? await startReceiver(surroundings.sandboxUrl, stack) : Number(given);
  const url = `http://127.0.0.1:${port}`;
  const key = ['-H', `x-typesense-api-key: ${API_KEY}`];
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
  const through = (): Promise<void> => importOnce(runtime, connectionId, file);
  await runtime.sessions.use(connectionId, ({ session }) => session.ping({ signal: never }), { signal: never });
  await curl();
  await using memory = await MemoryWatch.start(home);
  const times: { curl: number[]; through: number[] } = { curl: [], through: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
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
  return [
    // At least 0.90 of curl's throughput is at most 1 / 0.90 of its time.
    atMost('import of JSONL, time against curl', throughTime / curlTime, 1.111, 'ratio'),
    atMost('import: growth of host and driver', growth / 1_000, 16_000, 'kilobytes'),
  ];
}

async function importOnce(runtime: Runtime, connectionId: string, path: string): Promise<void> {
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
    if (one.state === 'done' && one.written !== DOCUMENTS) throw new Error(`${one.written} documents were written.`);
  }
  await runtime.imports.clear(info.id);
}

async function writeDocuments(file: string): Promise<void> {
  const stream = createWriteStream(file);
  for (let from = 0; from < DOCUMENTS; from += 10_000) {
    const text = Array.from(
      { length: 10_000 },
      (_, index) => `{"id":"${from + index}","n":${from + index},"name":"Document ${from + index}"}\n`,
    );
    if (!stream.write(text.join(''))) await once(stream, 'drain');
  }
  stream.end();
  await finished(stream);
}

async function startReceiver(sandboxUrl: string, stack: AsyncDisposableStack): Promise<number> {
  const receiver = spawn(process.execPath, [join(root, 'tests/bench/importReceiver.ts'), sandboxUrl], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  stack.defer(async () => {
    receiver.stdin.end();
    if (receiver.exitCode === null) await once(receiver, 'exit');
  });
  const [line] = (await once(createInterface({ input: receiver.stdout }), 'line')) as [string];
  return z.object({ port: z.number() }).parse(JSON.parse(line)).port;
}
