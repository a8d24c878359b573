const PARENT_MILLISECONDS = 500;

/**
 * Calls `end` for Ctrl-C, for a closed terminal, and when the parent is gone: npm ends on a signal without passing it on to the program that it
 * runs.
 *
 * @param end - gets the reason where no signal asked for it
 */
export function onInterruption(end: (reason?: string) => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end());
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent)
      end('The program that started this one is gone, so it ends, too. Start it with setsid or nohup to keep it.');
  }, PARENT_MILLISECONDS).unref();
}
