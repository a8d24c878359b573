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
import { pageBudgets } from './page.ts';
import { postgresBudgets } from './postgres.ts';
import { rankedSearchBudgets } from './rankedSearch.ts';
import { startSurroundings } from './surroundings.ts';
import { tokenBudgets } from './tokens.ts';
import { windowBudgets } from './window.ts';

// npm run bench -- [--json] [--write]: every metric of the performance budget, taken in one run on one machine. --write also measures costs over sizes,
// and writes docs/benchmarks.md with their pictures.

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
});
const loadBefore = loadavg()[0] ?? NaN;

await buildStale({ root, workFolder, targets: allTargets(root), log: (line) => void process.stderr.write(`${line}\n`) });

const budgets: Budget[] = [];
{
  await using surroundings = await startSurroundings({ products: 100_000 });
  budgets.push(...(await pageBudgets(surroundings)));
  budgets.push(...(await rankedSearchBudgets(surroundings)));
  budgets.push(...(await driverBudgets(surroundings)));
  budgets.push(...(await exportBudgets(surroundings)));
  budgets.push(...(await importBudgets(surroundings)));
  budgets.push(...(await tokenBudgets(surroundings)));
}
budgets.push(...(await postgresBudgets()));
budgets.push(...(await bridgeBudgets()));
budgets.push(...(await gridBudgets()));
budgets.push(...(await windowBudgets()));
budgets.push(...(await bundleBudget()));
budgets.push(...(await eventLoopBudget()));

if (values.write) {
  const curves: Curve[] = [];
  for (const measure of [rowCurve, tableCurve, connectionCurve, clientCurve]) curves.push(await measure());
  for (const curve of curves) await writeFile(join(root, `docs/images/benchmarks-${curve.id}.svg`), curvePicture(curve));
  const page = benchmarksPage(budgets, curves, thisMachine([loadBefore, loadavg()[0] ?? NaN]));
  await writeFile(join(root, 'docs/benchmarks.md'), await format(page, { parser: 'markdown' }));
}

if (values.json) {
  process.stdout.write(`${JSON.stringify({ budgets })}\n`);
} else {
  for (const { name, value, limit, unit, holds, yardstick } of budgets) {
    const against = yardstick === undefined ? '' : `; ${yardstick.name}: ${yardstick.value} ${unit}`;
    process.stdout.write(`${holds ? 'holds ' : 'BROKEN'}  ${name}: ${value} ${unit} (limit ${limit}${against})\n`);
  }
}
process.exit(budgets.every(({ holds }) => holds) ? 0 : 1);
