import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../fixture.test-helper.ts';
import { holdClassifier } from './lossProperty.test-helper.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.close());

it('a read changes nothing and a write loses no row, in thousands of schemas', { timeout: 1_800_000 }, async () => {
  const seen = await holdClassifier(folder.path, 6_000);
  // The test has looked at something only if each kind came, and did something.
  for (const kind of ['read', 'write changed', 'destructive lost', 'unknown']) expect(seen[kind] ?? 0).toBeGreaterThan(0);
});
