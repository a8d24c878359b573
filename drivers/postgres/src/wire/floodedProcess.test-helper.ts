import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createTestSocket } from '@tabularium/sdk/testing';
import { isDriverError } from '@tabularium/sdk';
import type { FloodedMoment } from './floods.test-helper.ts';
import { Link } from './link.ts';

// A process with connections to a server that floods some of them, and one beside them that it doesn't flood. It is started with the memory that a
// driver's process has. Arguments: the port of the server, and the floods as "kind/moment", each of which may be several times at once: "2*kind/moment".

/** The outcome of one flood. */
export interface FloodOutcome {
  readonly flood: string;
  /** Codes of the errors that the flooded calls ended with. */
  readonly codes: readonly string[];
  readonly messages: readonly string[];
  readonly milliseconds: number;
  /** The longest time in which nothing else could run. */
  readonly longestPause: number;
  /** Answers that the other connection had meanwhile, and after. */
  readonly otherAnswers: number;
  /** The most megabytes that the process had in memory meanwhile, in the heap and outside of it. */
  readonly resident: number;
}

const port = Number(process.argv[2]);
const sockets = createTestSocket({ host: '127.0.0.1', port, maxSockets: 20 });
const never = new AbortController().signal;
const open = (database: string): Promise<Link> => Link.open(sockets, { user: 'u', password: 'p', database }, never);
/** Milliseconds. A flood of which nothing is kept may last as long as a person likes. */
const STOP_AFTER = 1_500;
/** Of several at once, of which each takes its share. */
const STOP_SEVERAL_AFTER = 800;

async function meet(link: Link, moment: FloodedMoment, stopAfter: number): Promise<void> {
  const stopping = AbortSignal.timeout(stopAfter);
  switch (moment) {
    case 'signIn':
      return;
    case 'batch':
      await link.run('SELECT 1', [], stopping);
      return;
    case 'stream':
    case 'ended':
      for await (const { rows } of link.stream([{ text: 'SELECT 1' }], 0).pieces(stopping)) void rows;
      return;
    case 'parameters':
      await link.parametersOf('SELECT $1', stopping);
      return;
    case 'copy':
      await link.copyIn('COPY t FROM STDIN', Buffer.alloc(1_000_000, 120), stopping);
      return;
    case 'idle':
      for (const end = performance.now() + stopAfter; link.isOpen && performance.now() < end;)
        await new Promise((resolve) => void setTimeout(resolve, 20));
      if (!link.isOpen) await link.run('SELECT 1', [], stopping);
  }
}

const other = await open('quiet');
for (const flood of process.argv.slice(3)) {
  const [, times = '1', kind = '', moment = ''] = /^(?:(\d+)\*)?(.*)\/(\w+)$/.exec(flood) ?? [];
  const stopAfter = times === '1' ? STOP_AFTER : moment === 'batch' || moment === 'ended' ? 60_000 : STOP_SEVERAL_AFTER;
  let resident = 0;
  // Not the process's own peak: that begins with the one of the process that started it.
  const watching = setInterval(() => {
    resident = Math.max(resident, process.memoryUsage.rss());
  }, 5);
  const pauses = monitorEventLoopDelay({ resolution: 10 });
  pauses.enable();
  const began = performance.now();
  let otherAnswers = 0;
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      await other.run('SELECT 1', [], never);
      otherAnswers += 1;
      await new Promise((resolve) => void setTimeout(resolve, 20));
    }
  })();
  const ends = await Promise.all(
    Array.from({ length: Number(times) }, async () => {
      let link: Link | undefined;
      try {
        link = await open(`${kind}/${moment}`);
        await meet(link, moment as FloodedMoment, stopAfter);
        return { code: 'none', message: '' };
      } catch (error) {
        return isDriverError(error) ? error : { code: 'foreign', message: String(error) };
      } finally {
        link?.destroy();
      }
    }),
  );
  const milliseconds = performance.now() - began;
  clearInterval(watching);
  isOver = true;
  await asking;
  await other.run('SELECT 1', [], never);
  const outcome: FloodOutcome = {
    flood,
    codes: ends.map(({ code }) => code),
    messages: ends.map(({ message }) => message),
    milliseconds,
    longestPause: pauses.max / 1e6,
    otherAnswers: otherAnswers + 1,
    resident: Math.round(resident / 1024 / 1024),
  };
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
sockets.close();
