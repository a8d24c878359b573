import { ABSENT } from '@tabularium/sdk';
import type { ConformancePlan, KnownRow } from '@tabularium/sdk/testing';
import packageJson from '../package.json' with { type: 'json' };
import { SAMPLE_KEY } from '../sample-server.mjs';
import { driver } from '../src/index.ts';
import { openServer } from './server.ts';
// {{knownImports}}

/** Every row of the tables, with a cell for each column. */
const planets: KnownRow[] = [
  { id: 3, name: 'Earth', moons: 1 },
  { id: 1, name: 'Mercury', moons: 0 },
  { id: 4, name: 'Mars', moons: 2 },
  { id: 2, name: 'Venus', moons: 0 },
  { id: 9, name: 'Pluto "the ninth"', moons: 5 },
  { id: 10, name: null, moons: null },
  { id: 11, name: "Planet o'Nine", moons: ABSENT },
];
const moons: KnownRow[] = [
  { id: 1, name: 'Moon', planet: 3 },
  { id: 2, name: 'Phobos', planet: 4 },
  { id: 3, name: 'Deimos', planet: 4 },
];

export const plan: ConformancePlan = {
  driver,
  manifest: packageJson.tabularium,
  tables: [
    { ref: { namespace: [], name: 'planets' }, rows: planets },
    { ref: { namespace: [], name: 'moons' }, rows: moons },
  ],
  textComparison: 'exact',
  open: () => openServer(),
  wrongCredentials: () => openServer('another key'),
  secrets: [SAMPLE_KEY],
  // {{known}}
};
