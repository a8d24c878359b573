import { join } from 'node:path';
import { buildStale } from './build/buildStale.ts';
import { allTargets } from './build/targets.ts';
import { checkApi } from './checks/apiReport.ts';
import { root, workFolder } from './paths.ts';

// Usage: node scripts/api.ts [--check]. Without --check it rewrites the committed reports of the sdk's public API.

await buildStale({
  root,
  workFolder,
  targets: allTargets(root).filter(({ group }) => group === 'sdk'),
  log: (line) => console.error(line),
});
const faults = checkApi(
  { sdk: join(root, 'sdk'), reference: join(root, 'docs/reference/sdk') },
  { update: !process.argv.includes('--check') },
);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
