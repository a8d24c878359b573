import { ABSENT } from '@tabularium/sdk';
import type { ConformancePlan, KnownRow } from '@tabularium/sdk/testing';
import packageJson from '../package.json' with { type: 'json' };
import { driver } from '../src/index.ts';

/** Every row of the table, with a cell for each column. */
const planets: KnownRow[] = [
  { id: 3, name: 'Earth', moons: 1 },
  { id: 1, name: 'Mercury', moons: 0 },
  { id: 4, name: 'Mars', moons: 2 },
  { id: 2, name: 'Venus', moons: 0 },
  { id: 9, name: 'Pluto "the ninth"', moons: 5 },
  { id: 10, name: null, moons: null },
  { id: 11, name: "Planet o'Nine", moons: ABSENT },
];

export const plan: ConformancePlan = {
  driver,
  manifest: packageJson.tabularium,
  tables: [{ ref: { namespace: [], name: 'planets' }, rows: planets }],
  textComparison: 'exact',
  open: () => ({ settings: { numbers: 5 }, context: {} }),
};
