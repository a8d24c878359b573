import { expect, it } from 'vitest';
import { firstWindowBytes } from '../support/firstWindowBytes.ts';

// A size, not a time: it is the same on every machine. A component that is imported where it should be loaded on demand brought the editor and the charts along.
it('loads at most 400 kB for the first window: editors, charts and the grid come when they are first shown', async () => {
  const bytes = await firstWindowBytes();
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThanOrEqual(400_000);
});
