import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

function collector(): () => void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    const found: unknown = runInNewContext('gc');
    collect = typeof found === 'function' ? (found as () => void) : () => undefined;
  }
  return collect;
}

/** Bytes that this process holds on to and cannot let go: what is left after a collection, buffers included. */
export function liveBytes(): number {
  collector()();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
