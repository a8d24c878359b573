// Runs before each npm script that needs the packages. JavaScript, and nothing imported but Node's own: without the packages there is the machine's
// Node, which may be too old for TypeScript and would end with a stack that names neither reason nor remedy.
import { existsSync } from 'node:fs';
import process from 'node:process';
import { URL } from 'node:url';

if (!existsSync(new URL('../node_modules/.package-lock.json', import.meta.url))) {
  process.stderr.write('The packages of this repository are not installed. Run "npm ci" first, then this again.\n');
  process.exitCode = 1;
}
