import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes that go through between two collections. */
const COLLECT_EVERY = 8 * 1024 * 1024;

type Collect = (options: { readonly type: 'minor' }) => void;
let collect: Collect | undefined;

function collector(): Collect {
  if (collect !== undefined) return collect;
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  // Where this engine has no such function, streams run with more garbage.
  collect = typeof gc === 'function' ? (gc as Collect) : () => undefined;
  return collect;
}

/**
 * Keeps the garbage of a long stream small. V8 counts the memory of buffers outside its heap and collects only when some 64 MB of them have
 * come together; a collection of the young ones takes about a millisecond and finds nearly all of them dead.
 */
export class YoungGarbage {
  #bytes = 0;

  passed(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < COLLECT_EVERY) return;
    this.#bytes = 0;
    collector()({ type: 'minor' });
  }
}
