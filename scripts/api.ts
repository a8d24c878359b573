import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildStale } from './build/buildStale.ts';
import { allTargets } from './build/targets.ts';
import { checkApi } from './checks/apiReport.ts';
import { floors } from './eslint/floorTable.ts';
import { roomLists } from './eslint/roomTable.ts';
import { root, workFolder } from './paths.ts';
import { architectureImage } from './reference/architectureImage.ts';

// Usage: node scripts/api.ts [--check]. Without --check it rewrites the committed reports of the sdk's public API and the picture of the
// floors, which a test compares.

await buildStale({
  root,
  workFolder,
  targets: allTargets(root).filter(({ group }) => group === 'sdk'),
  log: (line) => console.error(line),
});
const update = !process.argv.includes('--check');
if (update) writeFileSync(join(root, 'docs/images/architecture.svg'), architectureImage(floors, roomLists));
const faults = checkApi({ sdk: join(root, 'sdk'), reference: join(root, 'docs/reference/sdk') }, { update });
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
