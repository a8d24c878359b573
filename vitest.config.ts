import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const conditions = ['tabularium:source', 'node', 'import', 'default'];

/** Files that start a browser, npm or a whole application: begun after the others. */
const inOwnWindow = ['tests/e2e/**/*.test.{ts,tsx}'];
/** Of these each is one long way: its tests are its steps. */
const ways = ['tests/{packaging,road}/**/*.test.{ts,tsx}'];
const serial = [...inOwnWindow, ...ways];
/** Run by scripts/test.ts inside a session with a real Secret Service, and nowhere else. */
const keyring = ['**/*.keyring.test.ts'];
/** Fuzz and chaos: `npm run test:long`. */
const long = ['**/*.long.test.ts'];

/** Tests with a PostgreSQL server: `npm run test:long` runs them with older versions too. */
const ofPostgres = ['drivers/postgres/src/**/*.test.ts'];
/** Those of them that start a browser or a whole application. */
const acrossPostgres = globSync('tests/**/*.test.ts', { cwd: import.meta.dirname, exclude: ['**/node_modules/**'] }).filter(
  (file) => readFileSync(join(import.meta.dirname, file), 'utf8').includes('drivers/postgres/src/server.test-helper.ts'),
);

/** Those that try a share of a sweep (scripts/testing/shareOf.ts): `npm run test:long` tries the whole of it. */
const sweeps = globSync('{drivers,tests}/**/*.test.ts', { cwd: import.meta.dirname, exclude: ['**/node_modules/**'] }).filter(
  (file) => readFileSync(join(import.meta.dirname, file), 'utf8').includes('scripts/testing/shareOf.ts'),
);

/** Components in a real browser: a project of its own. */
const components = ['**/*.browser.test.tsx'];

/** Set by scripts/test.ts where no Chromium can be had; it says so in its output. */
const withoutBrowser = process.env['TABULARIUM_TESTS_WITHOUT_BROWSER'] === '1';
const browser = withoutBrowser ? ['tests/e2e/**'] : [];
/** The same where no InfluxDB can be had. */
const influxd = process.env['TABULARIUM_TESTS_WITHOUT_INFLUXD'] === '1' ? ['tests/conformance/influxdb-example.test.ts'] : [];

/** And where no disk can be mounted to be filled; single tests of tests/e2e look at the variable themselves. */
const mounts = process.env['TABULARIUM_TESTS_WITHOUT_MOUNTS'] === '1' ? ['tests/security/home-disk-full.test.ts'] : [];

/**
 * Tests beside the code, and those of several packages. They share the modules that a process has loaded: to load them for each file took more than
 * a second of processor time where a file needs the whole host.
 */
const sharing = ['{sdk,create-driver,host,drivers,registry,scripts,tests}/**/*.test.{ts,tsx}'];
/** Files below `tests` and `scripts` that start programs: what one leaves running would meet the next file of its process. */
const starting = [
  'scripts/{build,dev,package,start}/**/*.test.ts',
  'scripts/{checks/apiReport,npmScripts,testing/{boundedTestRunner,outsideTestsReporter}}.test.ts',
  'tests/conformance/{bridge,copied-rows,documents,found-rows,drivers-in-processes,influxdb-example,oldest-sdk,postgres,report,search-driver,sqlite}*.test.ts',
  'tests/conformance/{faulty,suite}/**/*.test.ts',
  'tests/security/{bridge,driver,home,secret-bindings}*.test.ts',
  'tests/security/{fuzz,input-bounds,package-installation,package-kills}.test.ts',
];
/** Files with a process of their own: these, the window, which has one state in each process, and files that replace something for all others. */
const alone = globSync(sharing, { cwd: import.meta.dirname, exclude: ['**/node_modules/**', '**/dist/**'] }).filter(
  (file) =>
    file.startsWith('host/src/renderer/') ||
    starting.some((pattern) => matchesGlob(file, pattern)) ||
    /\bvi\.(?:mock|stub)/.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
);

const chosen = process.env['TABULARIUM_TEST_SET'] ?? 'ordinary';
const never = [...components, '**/node_modules/**', '**/dist/**', '**/.tsbuild/**', '**/.local/**', 'create-driver/template/**'];

const sets: Record<string, { include: string[]; exclude: string[] }> = {
  ordinary: { include: sharing, exclude: [...never, ...alone, ...serial, ...keyring, ...long] },
  'ordinary-alone': { include: alone, exclude: [...never, ...serial, ...keyring, ...long, ...influxd, ...mounts] },
  // Vitest begins with the projects in the order of their names: on a slow machine, where some tests are left out, installations are tried before the window.
  packed: { include: ways, exclude: [...never, ...keyring, ...long] },
  serial: { include: inOwnWindow, exclude: [...never, ...keyring, ...long, ...browser] },
  keyring: { include: keyring, exclude: never },
  long: { include: long, exclude: never },
  sweeps: { include: sweeps, exclude: [...never, ...long] },
  postgres: { include: ofPostgres, exclude: [...never, ...long] },
  'postgres-across': { include: acrossPostgres, exclude: [...never, ...long, ...browser] },
};

/** Those that run in Node; by default the serial ones and the components' follow the ordinary ones. */
const serialSets = ['packed', 'serial'];
const inNode =
  chosen === 'ordinary'
    ? ['ordinary', 'ordinary-alone', ...serialSets]
    : chosen === 'serial'
      ? serialSets
      : chosen === 'postgres'
        ? ['postgres', 'postgres-across']
        : [chosen].filter((name) => name !== 'browser');
const inBrowser = chosen === 'browser' || (chosen === 'ordinary' && !withoutBrowser);

export default defineConfig(async () => ({
  resolve: {
    conditions,
    alias: { electron: fileURLToPath(new URL('./host/src/electron/electronStub.test-helper.ts', import.meta.url)) },
  },
  ssr: { resolve: { conditions } },
  test: {
    pool: 'forks',
    // A busy machine takes its time; what never comes fails all the same. No test measures time by these.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Each look at a page of hundreds of cells costs it processor time.
    expect: { poll: { timeout: 120_000, interval: 100 } },
    // The message of a failure names what differs, not "Array(1)": often it is all that a run on another machine leaves.
    chaiConfig: { truncateThreshold: 2_000 },
    setupFiles: ['reflect-metadata', './scripts/testing/patientWaits.ts'],
    // Objects of tests die young. V8 begins with little space for the young ones: to move them again and again took a tenth of the processor time.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    // Hosts in tests are not to be what this machine's desktop starts.
    env: { TABULARIUM_REGISTER_URL: 'never' },
    // Pictures of component tests that failed.
    attachmentsDir: '.tsbuild/browser-tests',
    passWithNoTests: false,
    allowOnly: false,
    projects: [
      ...inNode.map((name) => ({
        extends: true as const,
        test: {
          name,
          ...sets[name],
          // Of its time a file works half and waits half, the serial ones too: three of them keep two cores busy, and a fourth takes processor time from
          // them by its turns. One group for both, so that no core waits until the last of the ordinary ones is done.
          isolate: name === 'ordinary-alone' || name === 'postgres-across',
          ...(serialSets.includes(name) ? { runner: join(import.meta.dirname, 'scripts/testing/boundedTestRunner.ts') } : {}),
          // Each of these tests begins with a window of its own; another order in each run finds one that leans on the test before it.
          ...(name === 'serial' ? { sequence: { shuffle: { tests: true } } } : {}),
          ...(['ordinary', 'postgres'].includes(chosen) || serialSets.includes(name)
            ? { maxWorkers: Math.min(4, availableParallelism() + 1) }
            : { fileParallelism: false, sequence: { groupOrder: 1 } }),
          // A field that a procedure's schema doesn't name fails there: host/src/runtime/api/strictAnswers.ts.
          ...(['ordinary', 'postgres'].includes(chosen) && !serialSets.includes(name)
            ? { env: { TABULARIUM_STRICT_ANSWERS: '1' } }
            : {}),
          // Fuzz targets run for minutes on a busy machine.
          ...(['long', 'sweeps'].includes(name) ? { testTimeout: 600_000 } : {}),
        },
      })),
      ...(inBrowser ? [(await import('./scripts/testing/browserProject.ts')).browserProject()] : []),
    ],
  },
}));
