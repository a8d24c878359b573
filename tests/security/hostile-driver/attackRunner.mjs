// Stands in for the program of a driver's process: nothing was removed from it before the attack. It says in lines of standard error what
// came of each attempt. The names, and what there is to reach, are in a file in the driver's folder.

import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { attempts } from './attempts.mjs';
import { deadlyAttempts, rawAttempts } from './rawAttempts.mjs';

const all = { ...attempts, ...rawAttempts, ...deadlyAttempts };
const { names, target } = JSON.parse(fs.readFileSync(join(dirname(process.argv[2]), 'target.json'), 'utf8'));
for (const name of names) {
  let outcome = 'reached';
  try {
    await all[name](target);
  } catch (error) {
    outcome = `${error?.code ?? ''} ${error?.message ?? error}`.trim().slice(0, 200) || 'refused';
  }
  fs.writeSync(2, `OUTCOME ${JSON.stringify([name, outcome])}\n`);
}
fs.writeSync(2, 'DONE\n');
process.exit(0);
