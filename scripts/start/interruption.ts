const PARENT_MILLISECONDS = 500;

/**
 * Calls `end` for Ctrl-C, for a closed terminal, and when the parent is gone: npm ends on a signal without passing it on to the program that it
 * runs.
 */
export function onInterruption(end: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, PARENT_MILLISECONDS).unref();
}
