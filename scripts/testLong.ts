import { parseArgs } from 'node:util';
import { buildStale } from './build/buildStale.ts';
import { allTargets } from './build/targets.ts';
import { directLoopback } from './directLoopback.ts';
import { root, workFolder } from './paths.ts';
import { installOlderServers } from './postgres/olderServers.ts';
import { WHOLE_SWEEPS } from './testing/shareOf.ts';
import { findChromium } from './testing/tools.ts';
import { runVitest } from './testing/vitest.ts';

// `npm run test:long`: fuzz, chaos and whole sweeps, which take longer than anybody waits for, and the tests of the PostgreSQL driver with older servers.
// `npm run test:long -- --postgres 15,16` runs those of these versions alone.

const chosen = parseArgs({ options: { postgres: { type: 'string' } } })
  .values.postgres?.split(',')
  .map(Number);

// Every test has its servers on this machine.
Object.assign(process.env, directLoopback(process.env));

const [results, faults]: [string[], string[]] = [[], []];
let hasFailed = false;

async function run(name: string, options: Parameters<typeof runVitest>[0]): Promise<void> {
  console.log(`\n${name}`);
  const outcome = await runVitest(options);
  results.push(`${name}: ${outcome.passed} passed, ${outcome.failed} failed`);
  faults.push(
    ...outcome.faults.map((fault) => `FAILED with ${name}: ${fault}`),
    ...(outcome.unsteady ?? []).map((test) => `UNSTEADY with ${name}, passed only alone: ${test}`),
  );
  hasFailed ||= outcome.failed > 0;
}

if (chosen === undefined) {
  await run('Fuzz and chaos', { set: 'long' });
  await run('Sweeps', { set: 'sweeps', env: { [WHOLE_SWEEPS]: '1' } });
}

const servers = await installOlderServers();
const installed = servers.installed.filter(({ major }) => chosen?.includes(major) ?? true);
const unknown = (chosen ?? []).filter((major) => !installed.some((server) => server.major === major));
// Whole applications run what was built.
if (installed.length > 0) await buildStale({ root, workFolder, targets: allTargets(root), log: console.log });
const hasBrowser = findChromium() !== undefined;
for (const { major, binaries } of installed)
  await run(`PostgreSQL ${major}`, {
    set: 'postgres',
    env: {
      TABULARIUM_TEST_POSTGRES: binaries,
      ...(hasBrowser ? {} : { TABULARIUM_TESTS_WITHOUT_BROWSER: '1' }),
    },
  });

for (const line of [...faults, ...results, ...servers.notTried, ...servers.faults]) console.log(line);
for (const major of unknown)
  console.log(`PostgreSQL ${major} was not tried: tests/postgres-versions has none that is installed.`);
if (!hasBrowser) console.log('With older PostgreSQL servers nothing was tried in a browser: there is no Chromium.');
process.exitCode = hasFailed || servers.faults.length > 0 || unknown.length > 0 ? 1 : 0;
