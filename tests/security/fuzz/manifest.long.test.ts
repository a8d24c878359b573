import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseManifest } from '@tabularium/sdk/manifest';
import { readDriverPackageJson } from '@tabularium/sdk/package';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearBytes, nearJson } from './mutations.ts';

const packages = ['postgres', 'search', 'sqlite'].map((name) =>
  readFileSync(join(import.meta.dirname, `../../../drivers/${name}/package.json`)),
);
const parsed = packages.map((bytes) => JSON.parse(bytes.toString('utf8')) as { tabularium: unknown });
const runs = 6_000;

/** Nothing that was read may have changed what every object inherits. */
function expectNothingPolluted(): void {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
}

describe('a manifest near a valid one', () => {
  it.each(parsed)('is read or refused with sentences, and never throws', ({ tabularium }) => {
    fc.assert(
      fc.property(nearJson(tabularium), (value) => {
        const result = parseManifest(value);
        expectNothingPolluted();
        if (result.ok) return;
        expect(result.problems.length).toBeGreaterThan(0);
        for (const problem of result.problems) expect(problem).toMatch(/\S/);
      }),
      { numRuns: runs },
    );
  });

  it.each(packages)('is read from the bytes of a package.json or refused, and never throws', (bytes) => {
    fc.assert(
      fc.property(nearBytes(bytes), (changed) => {
        const result = readDriverPackageJson(new Uint8Array(changed));
        expectNothingPolluted();
        if (!result.ok) expect(result.problems.length).toBeGreaterThan(0);
      }),
      { numRuns: runs },
    );
  });

  it('is a fixed point: what a manifest was read as is read as itself', () => {
    let accepted = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...parsed).chain(({ tabularium }) => nearJson(tabularium)),
        (value) => {
          const first = parseManifest(value);
          if (!first.ok) return;
          accepted += 1;
          expect(parseManifest(JSON.parse(JSON.stringify(first.manifest)))).toEqual(first);
        },
      ),
      { numRuns: runs },
    );
    // Otherwise the property held because nothing was accepted.
    expect(accepted).toBeGreaterThan(runs / 100);
  });
});
