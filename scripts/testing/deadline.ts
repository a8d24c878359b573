/** Milliseconds since 1970 after which no test of the window begins; never unless given. scripts/test.ts gives it to the processes of tests. */
export const TEST_DEADLINE = 'TABULARIUM_TEST_DEADLINE';

/** Chosen by who runs `npm test`: after how many minutes no further test of the window begins; 0 for never. */
export const TEST_MINUTES = 'TABULARIUM_TEST_MINUTES';

/** Two cores that are fast have everything behind them by then; where they are slow, the tests of components take about as long. */
const MINUTES = 65;

/**
 * The environment of tests that begin until the deadline.
 *
 * @param chosen - what {@link TEST_MINUTES} holds
 * @throws Error when it holds no number of minutes
 */
export function deadlineOf(chosen: string | undefined, start: number): Record<string, string> {
  const minutes = chosen === undefined || chosen === '' ? MINUTES : Number(chosen);
  if (!(minutes >= 0)) throw new Error(`${TEST_MINUTES} is a number of minutes, 0 for no end, not "${String(chosen)}".`);
  return minutes === 0 ? {} : { [TEST_DEADLINE]: String(start + minutes * 60_000) };
}

/** Whether the deadline of this process has passed. */
export function isPast(deadline = process.env[TEST_DEADLINE], now = Date.now()): boolean {
  return deadline !== undefined && now > Number(deadline);
}
