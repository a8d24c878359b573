import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildStale } from './build/buildStale.ts';
import { allTargets } from './build/targets.ts';
import { checkApi } from './checks/apiReport.ts';
import { floors } from './eslint/floorTable.ts';
import { roomLists } from './eslint/roomTable.ts';
import { root, workFolder } from './paths.ts';
import { architectureImage } from './reference/architectureImage.ts';
import { pageTestArguments } from './reference/pageTests.ts';

// Usage: node scripts/api.ts [--check]. Without --check it rewrites what is generated and committed: the reports of the sdk's public API, the
// picture of the floors, and the references of the command line and of the API. Tests compare them.

await buildStale({
  root,
  workFolder,
  targets: allTargets(root).filter(({ group }) => group === 'sdk'),
  log: (line) => console.error(line),
});
const update = !process.argv.includes('--check');
if (update) writeFileSync(join(root, 'docs/images/architecture.svg'), architectureImage(floors, roomLists));
const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), ...pageTestArguments(update)];
const pages = spawnSync(process.execPath, vitest, { cwd: root, stdio: 'inherit' });
const faults = checkApi({ sdk: join(root, 'sdk'), reference: join(root, 'docs/reference/sdk'), types: ['node'] }, { update });
for (const fault of faults) console.error(fault);
if (faults.length > 0 || pages.status !== 0) process.exitCode = 1;
