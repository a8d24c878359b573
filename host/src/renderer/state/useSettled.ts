import { useEffect, useState } from 'react';

type Outcome<Value> = { readonly value: Value } | { readonly error: unknown };

/**
 * The value that a promise gives, undefined until then; throws what it rejects with. The promise is the same each time. React's own way, `use` within a
 * `Suspense`, shows what waited at least 300 ms after its fallback, however soon it was there; this shows it at once.
 */
export function useSettled<Value>(promise: Promise<Value>): Value | undefined {
  const [outcome, setOutcome] = useState<Outcome<Value>>();
  useEffect(() => {
    let isShown = true;
    const settle = (settled: Outcome<Value>): void => {
      if (isShown) setOutcome(settled);
    };
    promise.then(
      (value) => settle({ value }),
      (error: unknown) => settle({ error }),
    );
    return () => {
      isShown = false;
    };
  }, [promise]);
  if (outcome === undefined) return undefined;
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}
