import type { DriverContext, Settings } from '@tabularium/sdk';
import type { Row } from './rows.ts';

/** Where the rows come from. */
export interface Source {
  readonly product: string;
  /** What connecting found, one sentence. */
  readonly finding: string;
  tables(signal: AbortSignal): Promise<readonly string[]>;
  /** Undefined: there is no such table. */
  rows(table: string, signal: AbortSignal): Promise<readonly Row[] | undefined>;
}

const PLANETS: readonly Row[] = [
  { id: 3, name: 'Earth', moons: 1 },
  { id: 1, name: 'Mercury', moons: 0 },
  { id: 4, name: 'Mars', moons: 2 },
  { id: 2, name: 'Venus', moons: 0 },
  { id: 9, name: 'Pluto "the ninth"', moons: 5 },
  { id: 10, name: null, moons: null },
  { id: 11, name: "Planet o'Nine" },
];

/** Sample rows: nothing is connected to. */
export async function openSource(settings: Settings, _context: DriverContext, _signal: AbortSignal): Promise<Source> {
  const { numbers = 100 } = settings;
  const tables = new Map<string, readonly Row[]>([
    ['planets', PLANETS],
    ['numbers', Array.from({ length: Number(numbers) }, (_, id) => ({ id, square: id * id, text: `number ${id}` }))],
  ]);
  return {
    product: 'Sample rows',
    finding: `There are ${tables.size} tables.`,
    tables: async () => [...tables.keys()],
    rows: async (table) => tables.get(table),
  };
}
