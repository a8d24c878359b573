import type { TestStep } from '../../common/connection.ts';

/** A step is told when it begins and again when it ends: the later telling takes the place of the earlier. */
export function withStep(steps: readonly TestStep[], step: TestStep): readonly TestStep[] {
  return steps.some((known) => known.id === step.id)
    ? steps.map((known) => (known.id === step.id ? step : known))
    : [...steps, step];
}
