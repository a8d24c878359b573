/** Runs with scroll events that reach no listener, as in a window too busy to draw what was scrolled to. */
export async function withoutScrollEvents(run: () => Promise<void>): Promise<void> {
  const hold = (event: Event): void => event.stopImmediatePropagation();
  window.addEventListener('scroll', hold, { capture: true });
  try {
    await run();
  } finally {
    window.removeEventListener('scroll', hold, { capture: true });
  }
}
