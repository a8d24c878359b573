/** A click is answered within this time while work is in progress. */
const SLICE_MILLISECONDS = 40;

export interface SliceOptions {
  readonly signal?: AbortSignal | undefined;
  /** After each slice. @param done - the value that the work yielded last */
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** Runs work that a text of any size may be behind, and lets the window draw and listen in between. @throws the signal's reason where it was cancelled */
export async function inSlices<T>(work: Iterator<number, T>, { signal, onProgress }: SliceOptions = {}): Promise<T> {
  signal?.throwIfAborted();
  let end = performance.now() + SLICE_MILLISECONDS;
  for (;;) {
    const next = work.next();
    if (next.done === true) return next.value;
    if (performance.now() < end) continue;
    onProgress?.(next.value);
    await new Promise((resolve) => setTimeout(resolve));
    signal?.throwIfAborted();
    end = performance.now() + SLICE_MILLISECONDS;
  }
}
