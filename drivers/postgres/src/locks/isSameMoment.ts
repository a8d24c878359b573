/** Numbers that one transaction of a large import may have. */
const MOST_NUMBERS = 1_000n;

interface Snapshot {
  /** The first number that wasn't at its end, nor any after it. */
  readonly end: bigint;
  /** The numbers before that aren't at their end either. */
  readonly running: ReadonlySet<bigint>;
}

/**
 * Whether between two snapshots no transaction has come to its end but such as change nothing that counts.
 *
 * @param before - as the server writes a snapshot: `xmin:xmax:xip,…`
 * @param harmless - the lower 32 bits of the numbers of transactions, and of their parts, that may have ended
 */
export function isSameMoment(before: string, now: string, harmless: ReadonlySet<number> = new Set()): boolean {
  if (before === now) return true;
  const [one, other] = [snapshotOf(before), snapshotOf(now)];
  if (one === undefined || other === undefined || other.end < one.end || other.end - one.end > MOST_NUMBERS) return false;
  const isIgnorable = (number: bigint): boolean => other.running.has(number) || harmless.has(Number(BigInt.asUintN(32, number)));
  for (let number = one.end; number < other.end; number += 1n) if (!isIgnorable(number)) return false;
  return [...one.running].every(isIgnorable);
}

function snapshotOf(text: string): Snapshot | undefined {
  const [, end, running = ''] = /^\d+:(\d+):((?:\d+(?:,\d+)*)?)$/.exec(text) ?? [];
  if (end === undefined) return undefined;
  return { end: BigInt(end), running: new Set(running === '' ? [] : running.split(',').map(BigInt)) };
}
