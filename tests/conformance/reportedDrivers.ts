import { join } from 'node:path';
import type { ConformancePlan } from '@tabularium/sdk/testing';
import { searchPlan } from '../../drivers/search/src/plan.test-helper.ts';
import { httpOf, startFixture } from '../../drivers/search/src/fixture.test-helper.ts';
import sqlitePackage from '../../drivers/sqlite/package.json' with { type: 'json' };
import { driver as sqlite } from '../../drivers/sqlite/src/index.ts';
import * as sqliteFixture from '../../drivers/sqlite/src/fixture.test-helper.ts';
import { guidePlan } from '../fixtures/guide-driver/guideDriver.test-helper.ts';
import { ledgerPlan } from '../fixtures/ledger-driver/plan.test-helper.ts';
import { orchardDriver } from './faulty/orchard/driver.ts';
import { orchardPlan } from './faulty/orchard/plan.ts';

/** A plan, and how to remove what it was made of. */
export interface OpenedPlan {
  readonly plan: ConformancePlan;
  close?(): Promise<void> | void;
}

async function search(): Promise<OpenedPlan> {
  const sandbox = await startFixture();
  const http = httpOf(sandbox);
  const plan = searchPlan(() => ({ sandbox, http }));
  return {
    plan,
    async close() {
      http.close();
      await plan.end();
      await sandbox.close();
    },
  };
}

async function ledger(): Promise<OpenedPlan> {
  const plan = await ledgerPlan();
  return { plan, close: plan.remove };
}

async function guide(): Promise<OpenedPlan> {
  const plan = guidePlan();
  return { plan, close: plan.remove };
}

async function sqliteFile(): Promise<OpenedPlan> {
  const folder = await sqliteFixture.temporaryFolder();
  const file = join(folder.path, 'shelf.db');
  sqliteFixture.writeFixture(file);
  return {
    close: () => folder.close(),
    plan: {
      driver: sqlite,
      manifest: sqlitePackage.tabularium,
      tables: sqliteFixture.knownTables,
      edits: sqliteFixture.knownEdits,
      imports: sqliteFixture.knownImports,
      newTable: sqliteFixture.knownNewTable,
      console: sqliteFixture.knownConsole,
      large: sqliteFixture.knownLarge,
      operations: sqliteFixture.knownOperations(() => file),
      textComparison: 'ignoresCase',
      open: () => ({ settings: {}, context: { file: { paths: { file } } } }),
    },
  };
}

/** The drivers that are reported of, by the name of their report. A new one is one line. */
export const REPORTED: Readonly<Record<string, () => Promise<OpenedPlan>>> = {
  search,
  sqlite: sqliteFile,
  ledger,
  guide,
  orchard: async () => ({ plan: orchardPlan(orchardDriver()) }),
};
