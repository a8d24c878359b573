import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildStale } from './build/buildStale.ts';
import { cataloguePath, readCatalogue, renderCatalogue } from './build/catalogue.ts';
import { allTargets } from './build/targets.ts';
import { checkApi } from './checks/apiReport.ts';
import { faultsOfInstallScripts } from './checks/installScripts.ts';
import { faultsOfLockFile } from './checks/lockFile.ts';
import { directLoopback } from './directLoopback.ts';
import { root, workFolder } from './paths.ts';
import { OLDER_SERVERS_FOLDER } from './postgres/olderServers.ts';
import { TEST_MINUTES, deadlineOf } from './testing/deadline.ts';
import { check, command, inPool, runSteps } from './testing/steps.ts';
import type { Outcome, Step } from './testing/steps.ts';
import { findInfluxd } from './testing/influxd.ts';
import { canMount, findChromium, hasOpener, hasSecretService, installTools } from './testing/tools.ts';
import { runVitest } from './testing/vitest.ts';

// `npm test`: everything there is to hold, in the order in which a failure is cheapest to see.

// Every test has its servers on this machine.
Object.assign(process.env, directLoopback(process.env));

// Until then tests of the window begin: a slow machine leaves out the rest, and says so at the end.
const deadline = readDeadline();

const inCi = (process.env['CI'] ?? '') !== '';
const bin = (name: string): string => join(root, 'node_modules', name);
const node = process.execPath;

/** Tests that this machine cannot run are listed at the end again, and fail where no person watches. */
const notRun: string[] = [];

const mounts = canMount();

function readDeadline(): Record<string, string> {
  try {
    return deadlineOf(process.env[TEST_MINUTES], Date.now());
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return process.exit(1);
  }
}

const nothing: Outcome = { passed: 0, failed: 0, faults: [] };

const build = (group?: string): Promise<string[]> =>
  buildStale({
    root,
    workFolder,
    targets: allTargets(root).filter((target) => group === undefined || target.group === group),
    log: console.log,
  });

const steps: Step[] = [
  check('lock file', () => {
    return [root, OLDER_SERVERS_FOLDER].flatMap((folder) => {
      const [lock, own] = ['package-lock.json', 'package.json'].map((file) => readFileSync(join(folder, file), 'utf8'));
      return [...faultsOfLockFile(lock ?? '', own ?? ''), ...faultsOfInstallScripts(lock ?? '', own ?? '')];
    });
  }),
  check('tools', () => {
    installTools();
    if (findChromium() === undefined) notRun.push('everything in a browser: there is no Chromium');
    if (!hasSecretService()) notRun.push('the credential store against a real Secret Service: there is no dbus or gnome-keyring');
    if (!hasOpener()) notRun.push('starting the application through the desktop: there is no xdg-utils');
    if (findInfluxd() === undefined) notRun.push('the example driver against a real InfluxDB: there is no influxd');
    if (!mounts) notRun.push('a full disk: this user may mount none');
    return inCi ? notRun.map((what) => `Cannot run ${what}.`) : [];
  }),
  // One core looks at the code and then at the window's components, while the other builds and then tests it; the tests get both for the rest.
  inPool(
    [
      [
        command(
          'format',
          node,
          [bin('prettier/bin/prettier.cjs'), '--check', '--cache', '--cache-location', join(workFolder, 'prettier'), '.'],
          root,
        ),
        command(
          'lint',
          node,
          [
            // As in "npm run lint": the types of everything, in one program.
            '--max-semi-space-size=64',
            '--max-old-space-size=4096',
            bin('eslint/bin/eslint.js'),
            '--max-warnings',
            '0',
            '--cache',
            '--cache-strategy',
            'content',
            '--cache-location',
            join(workFolder, 'eslint'),
            '.',
          ],
          root,
        ),
        command('unused code', node, [bin('knip/bin/knip.js'), '--no-progress', '--treat-config-hints-as-errors'], root),
        {
          name: 'tests of components',
          run: async () => (findChromium() === undefined ? nothing : runVitest({ set: 'browser' })),
        },
      ],
      [
        // In one thread: the other core has its own work, and four threads check again what the others have: 29 s of processor time instead of 20.
        command('types', node, [bin('@typescript/native/bin/tsc'), '--build', '--singleThreaded'], root),
        check('public API of the sdk', async () => {
          await build('sdk');
          return checkApi(
            { sdk: join(root, 'sdk'), reference: join(root, 'docs/reference/sdk'), types: ['node'] },
            { update: false },
          );
        }),
        check('catalogue', () =>
          readCatalogue(root) === renderCatalogue(root)
            ? []
            : [`${cataloguePath} differs from drivers/*/package.json. Run "npm run build" and commit it.`],
        ),
        check('build', async () => {
          await build();
          return [];
        }),
        {
          name: 'tests',
          run: () =>
            runVitest({
              set: 'ordinary',
              projects: ['ordinary', 'ordinary-alone', 'packed', 'serial'],
              env: {
                ...deadline,
                ...(findChromium() === undefined ? { TABULARIUM_TESTS_WITHOUT_BROWSER: '1' } : {}),
                ...(findInfluxd() === undefined ? { TABULARIUM_TESTS_WITHOUT_INFLUXD: '1' } : {}),
                ...(mounts ? {} : { TABULARIUM_TESTS_WITHOUT_MOUNTS: '1' }),
              },
            }),
        },
      ],
    ],
    console.log,
  ),
  {
    name: 'tests with a Secret Service',
    run: async () =>
      hasSecretService()
        ? runVitest({
            set: 'keyring',
            within: ['dbus-run-session', '--', 'bash', join(root, 'scripts/testing/secret-service.sh')],
          })
        : nothing,
  },
];

const { passed, failed, faults, unsteady = [], leftOut = [] } = await runSteps(steps, console.log);
for (const fault of faults) console.log(`FAILED ${fault}`);
for (const test of unsteady) console.log(`UNSTEADY, passed only alone: ${test}`);
for (const { file, count, of } of leftOut) console.log(`LEFT OUT for want of time: ${file}: ${count} of its ${of} tests`);
if (leftOut.length > 0) {
  const files = leftOut.map(({ file }) => file);
  console.log(`To run them: TABULARIUM_TEST_SET=serial npx vitest run ${files.join(' ')}`);
  console.log(`To run all of them with the others, however long it takes: ${TEST_MINUTES}=0 npm test`);
}
for (const what of notRun) console.log(`NOT RUN on this machine: ${what}.`);
// The last line, alone: CI reads it.
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
