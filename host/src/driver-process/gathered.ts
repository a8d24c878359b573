/** Bytes after which what was gathered is sent, and more is not waited for. */
const MOST_GATHERED = 64 * 1024;

/**
 * Chunks that are ready one right after the other, as one: each chunk that is sent costs a frame, a write and a wake-up of the host. What comes later is not waited
 * for. An error comes behind the chunks before it.
 */
export async function* gathered(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = chunks[Symbol.asyncIterator]();
  let isOver = false;
  try {
    let next = settled(iterator.next());
    while (!isOver) {
      const parts: Uint8Array[] = [];
      let size = 0;
      let failure: { readonly error: unknown } | undefined;
      let step = await next;
      // All that needs no event of its own, such as an answer of a server, is there before this.
      const turn = new Promise<undefined>((resolve) => setImmediate(resolve, undefined));
      for (;;) {
        if ('error' in step) failure = step;
        if ('error' in step || step.result.done === true) {
          isOver = true;
          break;
        }
        parts.push(step.result.value);
        size += step.result.value.length;
        next = settled(iterator.next());
        if (size >= MOST_GATHERED) break;
        const sooner = await Promise.race([next, turn]);
        if (sooner === undefined) break;
        step = sooner;
      }
      if (parts.length === 1 && parts[0] !== undefined) yield parts[0];
      else if (parts.length > 1) yield Buffer.concat(parts, size);
      if (failure !== undefined) throw failure.error;
    }
  } finally {
    if (!isOver) await iterator.return?.();
  }
}

type Settled = { readonly result: IteratorResult<Uint8Array> } | { readonly error: unknown };

/** Never rejects: it may be left alone before anything waits for it. */
function settled(next: Promise<IteratorResult<Uint8Array>>): Promise<Settled> {
  return next.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
}
