import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runConformance } from '@tabularium/sdk/testing';
import { workFolder } from '../../scripts/paths.ts';
import { REPORTED } from './reportedDrivers.ts';

// Usage: npm run conformance -- [--out FOLDER] [driver …]. Runs the conformance kit with the drivers of this repository, all or the named
// ones, and writes a report of each, NAME.json and NAME.md. Ends with 1 when a driver breaks its contract.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: join(workFolder, 'conformance') } },
});
const names = positionals.length === 0 ? Object.keys(REPORTED) : positionals;
const unknown = names.filter((name) => !Object.hasOwn(REPORTED, name));
if (unknown.length > 0) {
  console.error(`There is no driver ${unknown.join(', ')}. There are ${Object.keys(REPORTED).join(', ')}.`);
  process.exit(2);
}

const folder = resolve(values.out);
for (const name of names) {
  const opened = await REPORTED[name]?.();
  if (opened === undefined) continue;
  try {
    const files = { json: join(folder, `${name}.json`), markdown: join(folder, `${name}.md`) };
    const { report } = await runConformance(opened.plan, { title: name, files });
    const { kept, broken, untried, absent } = report.counts;
    console.log(
      `${name}: ${report.score} of 100 (${kept} kept, ${broken} broken, ${untried} not tried, ${absent} absent) ${files.markdown}`,
    );
    if (broken > 0) process.exitCode = 1;
    for (const { rule, table, outcome, message } of report.checks) {
      if (outcome === 'broken' || outcome === 'untried')
        console.log(`  ${outcome}: ${rule}${table === undefined ? '' : ` (${table})`}: ${message ?? ''}`);
    }
  } finally {
    await opened.close?.();
  }
}
