/** Turns events of a callback into an async iteration: those of {@link work}, in order, then its result or error. */
export async function* progressStream<Step>(work: (notify: (step: Step) => void) => Promise<void>): AsyncGenerator<Step> {
  const steps: Step[] = [];
  let wake = Promise.withResolvers<void>();
  let over = false;
  const done = work((step) => {
    steps.push(step);
    wake.resolve();
  }).finally(() => {
    over = true;
    wake.resolve();
  });
  // The error is thrown by the await below; this keeps Node from calling it unhandled meanwhile.
  done.catch(() => undefined);
  for (;;) {
    while (steps.length > 0) yield steps.shift() as Step;
    if (over) break;
    await wake.promise;
    wake = Promise.withResolvers();
  }
  await done;
}
