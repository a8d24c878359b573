import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Repetitions of a call that seems to block: another program may have had the processor meanwhile. */
const REPEATS = 4;

/**
 * The longest time, in milliseconds, that a piece of work keeps the event loop of this process from turning: the longest turn, and no more
 * than the processor time of this thread, since a turn also waits while other programs have the processor.
 */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const before = process.threadCpuUsage();
  await work();
  // The delay of the last turn is noted in the next.
  await new Promise((resolve) => setTimeout(resolve, 3));
  delay.disable();
  const { user, system } = process.threadCpuUsage(before);
  return Math.min(delay.max / 1e6, (user + system) / 1e3);
}

/** As {@link longestBlock}; above `limit` the least of several runs. */
export async function steadyBlock(work: () => Promise<unknown>, limit: number): Promise<number> {
  let least = await longestBlock(work);
  for (let repeat = 0; repeat < REPEATS && least > limit; repeat += 1) least = Math.min(least, await longestBlock(work));
  return least;
}
