import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runConformance } from '@tabularium/sdk/testing';
import type { ConformancePlan } from '@tabularium/sdk/testing';
import packageJson from '../package.json' with { type: 'json' };
import { driver } from './index.ts';
import {
  knownConsole,
  knownEdits,
  knownImports,
  knownLarge,
  knownNewTable,
  knownOperations,
  knownTables,
  temporaryFolder,
  writeFixture,
} from './fixture.test-helper.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const file = (): string => join(folder.path, 'fixture.db');

beforeAll(async () => {
  folder = await temporaryFolder();
  writeFixture(file());
});
afterAll(() => folder.close());

const plan = (settings: Record<string, boolean> = {}): ConformancePlan => ({
  driver,
  manifest: packageJson.tabularium,
  tables: knownTables,
  edits: knownEdits,
  console: knownConsole,
  imports: knownImports,
  newTable: knownNewTable,
  large: knownLarge,
  operations: knownOperations(file),
  textComparison: 'ignoresCase',
  open: () => ({ settings, context: { file: { paths: { file: file() } } } }),
});

describe('the SQLite driver', () => {
  it('keeps the whole contract', async () => {
    const { report } = await runConformance(plan());
    expect(report.checks.filter(({ outcome }) => outcome === 'broken' || outcome === 'untried')).toEqual([]);
    expect(report.score).toBe(100);
  }, 1_800_000);
});
