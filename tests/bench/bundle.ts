import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../../scripts/paths.ts';
import type { Budget } from './budget.ts';
import { atMost } from './budget.ts';

/** Everything that the first window loads: the files in index.html, and their static imports. */
export async function bundleBudget(): Promise<readonly Budget[]> {
  const folder = join(root, 'host/dist/renderer');
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const named = [...page.matchAll(/(?:src|href)="\.?\/?([^"]+\.(?:js|css))"/g)].map(([, file]) => String(file));
  if (named.length === 0) throw new Error('index.html names no script: build the window first.');
  const files = new Set([...named, ...(await readdir(folder)).filter((file) => file === 'index.html')]);
  let bytes = 0;
  for (const file of files) bytes += gzipSync(await readFile(join(folder, file)), { level: 9 }).byteLength;
  return [atMost('renderer bundle, gzip, first window', bytes / 1000, 400, 'kilobytes')];
}
