import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * tsc rewrites `./x.ts` to `./x.js` in the JavaScript it emits but leaves it in declarations, where it only resolves for consumers
 * who allow `.ts` imports. tsc writes declarations in one form, so a pattern is enough.
 */
export function withJsSpecifiers(declarations: string): string {
  return declarations.replaceAll(/(\bfrom |\bimport |\bimport\()(["'])(\.{1,2}\/[^"'\n]+)\.ts\2/g, '$1$2$3.js$2');
}

/** @param outputFolder - absolute; emptied by the caller */
export async function buildSdk(root: string, outputFolder: string): Promise<void> {
  try {
    await run(process.execPath, [
      join(root, 'node_modules/@typescript/native/bin/tsc'),
      '--project',
      join(root, 'sdk/tsconfig.build.json'),
      '--outDir',
      outputFolder,
    ]);
  } catch (error) {
    const output = (error as { stdout?: string }).stdout;
    throw new Error(`The sdk does not compile:\n${output ?? String(error)}`, { cause: error });
  }
  for (const name of readdirSync(outputFolder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = join(outputFolder, name);
    writeFileSync(file, withJsSpecifiers(readFileSync(file, 'utf8')));
  }
}
