import { execFile } from 'node:child_process';
import { rm, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Runtime } from '../../host/src/runtime/runtime.ts';
import { startExportSchema } from '../../host/src/common/transfer.ts';
import type { Budget } from './budget.ts';
import { atMost, median, timed } from './budget.ts';
import { homeOf } from './homeOf.ts';
import { MemoryWatch } from './memoryWatch.ts';
import type { Surroundings } from './surroundings.ts';
import { API_KEY } from './surroundings.ts';

const ROUNDS = 5;
/** As many documents in one write of the server as the driver asks for in an export of this size. */
const BATCH_SIZE = 2_000;
const run = promisify(execFile);
const never = new AbortController().signal;

/** A whole collection to a file of JSON lines, against curl, taken in turns; and how much host and driver grow meanwhile. */
export async function exportBudgets(surroundings: Surroundings): Promise<readonly Budget[]> {
  const runtime = await surroundings.newRuntime();
  const home = await homeOf(runtime);
  // Beside the data directory: nothing may be exported into it.
  const file = join(dirname(home), 'bench.jsonl');
  try {
    const connectionId = await surroundings.connect(runtime);
    const curl = async (): Promise<void> => {
      const url = `${surroundings.sandboxUrl}/collections/products/documents/export?batch_size=${BATCH_SIZE}`;
      await run('curl', ['-sS', '--fail', '-H', `x-typesense-api-key: ${API_KEY}`, '-o', file, url]);
    };
    const through = (): Promise<void> => exportOnce(runtime, connectionId, file);
    await curl();
    const { size } = await stat(file);
    // The driver's process has to run for its memory to be looked at.
    await runtime.sessions.use(connectionId, ({ session }) => session.ping({ signal: never }), { signal: never });
    await using memory = await MemoryWatch.start(home);
    await through();
    // With the line feed that the server leaves out at the end.
    if ((await stat(file)).size !== size + 1) throw new Error('The export is not what curl got.');
    const times: { curl: number[]; through: number[] } = { curl: [], through: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      await settle();
      times.curl.push(await timed(curl));
      await settle();
      times.through.push(await timed(through));
    }
    const { growth } = memory;
    const [curlTime, throughTime] = [median(times.curl), median(times.through)];
    const rate = (milliseconds: number): string => (size / 1_000 / milliseconds).toFixed(1);
    process.stderr.write(
      `export of ${(size / 1e6).toFixed(1)} MB (${availableParallelism()} cores): curl ${rate(curlTime)} MB/s, host and driver ${rate(throughTime)} MB/s; ` +
        `host and driver grew by ${(growth / 1e6).toFixed(1)} MB\n`,
    );
    return [
      // At least 0.95 of curl's throughput is at most 1 / 0.95 of its time.
      atMost('export to JSONL, time against curl', throughTime / curlTime, 1.053, 'ratio'),
      atMost('export: growth of host and driver', growth / 1_000, 16_000, 'kilobytes'),
    ];
  } finally {
    await runtime[Symbol.asyncDispose]();
    await rm(file, { force: true });
  }
}

/** The export puts its file on the disk, which on many file systems has to write first what another program left in memory. */
async function settle(): Promise<void> {
  await run('sync').catch(() => undefined);
}

async function exportOnce(runtime: Runtime, connectionId: string, file: string): Promise<void> {
  const { id } = await runtime.exports.start(
    startExportSchema.parse({
      connectionId,
      table: { namespace: [], name: 'products' },
      format: 'jsonl',
      file,
      overwrite: true,
    }),
  );
  await runtime.exports.outcome(id);
}
