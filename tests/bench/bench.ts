import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format } from 'prettier';
import { buildStale } from '../../scripts/build/buildStale.ts';
import { allTargets } from '../../scripts/build/targets.ts';
import { root, workFolder } from '../../scripts/paths.ts';
import type { Budget } from './budget.ts';
import { benchmarksPage, thisMachine } from './benchmarksPage.ts';
import { clientCurve } from './clientCurve.ts';
import { connectionCurve } from './connectionCurve.ts';
import type { Curve } from './curve.ts';
import { curvePicture } from './curvePicture.ts';
import { rowCurve } from './rowCurve.ts';
import { tableCurve } from './tableCurve.ts';
import { bridgeBudgets } from './bridge.ts';
import { bundleBudget } from './bundle.ts';
import { driverBudgets } from './driver.ts';
import { eventLoopBudget } from './eventLoop.ts';
import { exportBudgets } from './export.ts';
import { importBudgets } from './import.ts';
import { gridBudgets } from './grid.ts';
import { mcpCallBudgets } from './mcpCall.ts';
import { pageBudgets } from './page.ts';
import { peerTables } from './peers.ts';
import { postgresBudgets } from './postgres.ts';
import { rankedSearchBudgets } from './rankedSearch.ts';
import { startSurroundings } from './surroundings.ts';
import { tokenBudgets } from './tokens.ts';
import { windowBudgets } from './window.ts';

// npm run bench -- [--json] [--write [--peers FOLDER]]: every metric of the performance budget, taken in one run on one machine. --write also measures costs over sizes,
// and writes docs/benchmarks.md with their pictures; --peers adds programs of others that are installed in a folder, see peers.ts.

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, write: { type: 'boolean', default: false }, peers: { type: 'string' } },
});
const loadBefore = loadavg()[0] ?? NaN;

await buildStale({ root, workFolder, targets: allTargets(root), log: (line) => void process.stderr.write(`${line}\n`) });

const budgets: Budget[] = [];
/** Said at once: a run of half an hour that is ended early has not been for nothing. */
function add(measured: readonly Budget[]): void {
  budgets.push(...measured);
  for (const budget of measured) process.stderr.write(`${lineOf(budget)}\n`);
}

{
  await using surroundings = await startSurroundings({ products: 100_000 });
  add(await pageBudgets(surroundings));
  add(await rankedSearchBudgets(surroundings));
  add(await driverBudgets(surroundings));
  add(await exportBudgets(surroundings));
  add(await importBudgets(surroundings));
  add(await tokenBudgets(surroundings));
}
add(await postgresBudgets());
add(await bridgeBudgets());
add(await mcpCallBudgets());
add(await gridBudgets());
add(await windowBudgets());
add(await bundleBudget());

const curves: Curve[] = [];
if (values.write) for (const measure of [rowCurve, tableCurve, connectionCurve, clientCurve]) curves.push(await measure());
const peers = values.peers === undefined ? [] : await peerTables(values.peers);
// Last: it takes long.
add(await eventLoopBudget());

if (values.write) {
  for (const curve of curves) await writeFile(join(root, `docs/images/benchmarks-${curve.id}.svg`), curvePicture(curve));
  const page = benchmarksPage(budgets, curves, peers, thisMachine([loadBefore, loadavg()[0] ?? NaN]));
  await writeFile(join(root, 'docs/benchmarks.md'), await format(page, { parser: 'markdown' }));
}

if (values.json) process.stdout.write(`${JSON.stringify({ budgets })}\n`);
else for (const budget of budgets) process.stdout.write(`${lineOf(budget)}\n`);
process.exit(budgets.every(({ holds }) => holds) ? 0 : 1);

function lineOf({ name, value, limit, unit, holds, yardstick }: Budget): string {
  const against = yardstick === undefined ? '' : `; ${yardstick.name}: ${yardstick.value} ${unit}`;
  return `${holds ? 'holds ' : 'BROKEN'}  ${name}: ${value} ${unit} (limit ${limit}${against})`;
}
