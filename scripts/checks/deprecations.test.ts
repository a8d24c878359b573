import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SDK_CONTRACT } from '@tabularium/sdk';
import { root } from '../paths.ts';
import { deprecationFaults, readSdk } from './deprecations.ts';

const GOOD = 'since 1.1 (2026-03-31), removed in 2.0, not before 2027-03-31. Use {@link other} instead.';

/** The faults of one deprecated function, with its report. */
function faultsOf(
  notice: string,
  { contract = '1.4.0', report = '// @public @deprecated\nexport function old(): void;' } = {},
): string[] {
  const source = `/**\n * Does it.\n *\n * @deprecated ${notice}\n * @returns nothing\n */\nexport async function old(): void {}\n`;
  return deprecationFaults(new Map([['a.ts', source]]), new Map([['index', report]]), contract);
}

describe('deprecations', () => {
  it('of the SDK name their version, their end and their replacement, and appear in its reports', () => {
    const { sources, reports } = readSdk(join(root, 'sdk'));
    expect(sources.has('driver.ts')).toBe(true);
    expect(reports.has('index.api.md')).toBe(true);
    expect(deprecationFaults(sources, reports, SDK_CONTRACT)).toEqual([]);
  });

  it('are let pass when they say all of it, on more than one line too', () => {
    expect(faultsOf(GOOD)).toEqual([]);
    expect(faultsOf(GOOD.replace('. Use', '.\n * Use'))).toEqual([]);
  });

  it.each([
    ['Use other.', /say it like this: @deprecated since/],
    [GOOD.replace(' Use {@link other} instead.', ''), /say it like this/],
    [GOOD.replace('1.1', '1.5'), /1\.5 is not there yet/],
    [GOOD.replace('2027-03-31', '2026-12-31'), /stays for 12 months, until 2027-03-31/],
    [GOOD.replace('2026-03-31', '2026-99-31'), /one of its dates is none/],
    [GOOD.replace('2.0', '1.0'), /only a next major version/],
  ])('are refused when they say %s', (notice, fault) => {
    expect(faultsOf(notice)).toEqual([expect.stringMatching(fault)]);
  });

  it('are refused when their time is over', () => {
    expect(faultsOf(GOOD, { contract: '2.0.0' })).toEqual([expect.stringMatching(/was to be removed in 2\.0/)]);
  });

  it('are refused when source and report differ', () => {
    expect(faultsOf(GOOD, { report: '// @public\nexport function old(): void;' })).toEqual([
      expect.stringMatching(/a\.ts:1 old: no report/),
    ]);
    expect(
      deprecationFaults(
        new Map(),
        new Map([['index', '    // @deprecated (undocumented)\n    readonly gone: string;']]),
        '1.4.0',
      ),
    ).toEqual([expect.stringMatching(/^gone: a report of the API calls it deprecated/)]);
  });
});
