import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Sandbox } from '@tabularium/sandbox';
import { defineDriver } from '@tabularium/sdk';
import { parseManifest } from '@tabularium/sdk/manifest';
import type { Manifest } from '@tabularium/sdk/manifest';
import { describeDriverConformance } from '@tabularium/sdk/testing';
import type { ConformancePlan } from '@tabularium/sdk/testing';
import searchPackage from '../../drivers/search/package.json' with { type: 'json' };
import {
  ADMIN_KEY,
  knownEdits,
  knownPrincipals,
  knownTables,
  startFixture,
} from '../../drivers/search/src/fixture.test-helper.ts';
import { approvedGrant } from '../../host/src/runtime/drivers/broker/sealed.test-helper.ts';
import type { InstalledDriver } from '../../host/src/runtime/drivers/packages/installedDriver.ts';
import type { DriverProcesses } from '../../host/src/runtime/drivers/processes/driverProcesses.ts';
import { ProcessBench } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import { bundleAlone } from '../../scripts/build/bundles.ts';
import { root } from '../../scripts/paths.ts';
import { ledgerBook, ledgerEdits, ledgerTables } from '../fixtures/ledger-driver/book.test-helper.ts';
import ledgerPackage from '../fixtures/ledger-driver/package.json' with { type: 'json' };

let bench: ProcessBench;
let processes: DriverProcesses;
let sandbox: Sandbox;
let book: string;
let search: InstalledDriver;
let ledger: InstalledDriver;

function manifestOf(value: unknown): Manifest {
  const result = parseManifest(value);
  if (!result.ok) throw new Error(result.problems.join());
  return result.manifest;
}

/** A driver as it is shipped: one file, in a folder of its own. */
async function installed(source: string, manifest: unknown): Promise<InstalledDriver> {
  const folder = join(bench.folder, 'bundles', source);
  await bundleAlone(root, { index: source }, folder);
  return bench.driver(await readFile(join(folder, 'index.js'), 'utf8'), manifestOf(manifest));
}

beforeAll(async () => {
  bench = await ProcessBench.open();
  processes = await bench.processes();
  sandbox = await startFixture();
  book = join(bench.folder, 'book.json');
  await writeFile(book, JSON.stringify(ledgerBook));
  search = await installed('drivers/search/src/index.ts', searchPackage.tabularium);
  ledger = await installed('tests/fixtures/ledger-driver/src/index.ts', ledgerPackage.tabularium);
});

afterAll(async () => {
  await bench.close();
  await sandbox.close();
});

const noFile = (): Promise<string> => Promise.reject(new Error('No file is chosen.'));

/** The search driver, reaching its server through the broker only. */
const searchPlan: ConformancePlan = {
  driver: defineDriver({
    id: 'search',
    async connect(settings, _context, { signal }) {
      const http = await approvedGrant(search.manifest, settings, { apiKey: ADMIN_KEY }, noFile);
      return processes.connect({ driver: search, settings, files: {}, http, signal });
    },
  }),
  manifest: searchPackage.tabularium,
  tables: knownTables,
  edits: knownEdits,
  principals: knownPrincipals,
  secrets: [ADMIN_KEY],
  open: () => ({ settings: { host: '127.0.0.1', port: sandbox.port, sslMode: 'disabled' }, context: {} }),
  console: {
    script: { text: 'GET /collections\n\nPOST /multi_search\n{"searches":[]}', statements: 2 },
    classified: [
      { statement: 'GET /collections', effect: 'read' },
      { statement: 'DELETE /collections/bookcase', effect: 'destructive' },
    ],
    reads: [
      { statement: 'GET /collections/shelf/documents/export', rows: [24] },
      { statement: 'GET /collections/many/documents/export', rows: [640] },
    ],
    refused: ['SELECT * FROM shelf', 'GET //evil.example/x'],
  },
};

/** The ledger driver, reading the one file that it was granted. */
const ledgerPlan: ConformancePlan = {
  driver: defineDriver({
    id: 'ledger',
    connect: (settings, _context, { signal }) => processes.connect({ driver: ledger, settings, files: { book }, signal }),
  }),
  manifest: ledgerPackage.tabularium,
  tables: ledgerTables,
  edits: ledgerEdits,
  open: () => ({ settings: {}, context: {} }),
  console: {
    script: { text: "SELECT * FROM main.entry; SELECT * FROM main.account WHERE title = ';'", statements: 2 },
    classified: [{ statement: 'DROP TABLE archive.entry', effect: 'destructive' }],
    reads: [{ statement: 'CALL report()', rows: [3, 2] }],
    refused: ['GET /collections'],
  },
};

describeDriverConformance('the search driver in a process', searchPlan, { describe, it });
describeDriverConformance('the ledger driver in a process', ledgerPlan, { describe, it });
