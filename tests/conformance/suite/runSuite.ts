import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SUITE = fileURLToPath(new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url));

/** How a run of the public conformance package ended. */
export interface SuiteRun {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the public conformance package against a server. */
export async function runSuite(args: readonly string[]): Promise<SuiteRun> {
  const child = spawn(process.execPath, [SUITE, 'server', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
