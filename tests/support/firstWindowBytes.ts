import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../../scripts/paths.ts';

/** Bytes, compressed by gzip, of all that the first window of the built application loads: the page, and the scripts and styles that it names. */
export async function firstWindowBytes(): Promise<number> {
  const folder = join(root, 'host/dist/renderer');
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const named = [...page.matchAll(/(?:src|href)="\.?\/?([^"]+\.(?:js|css))"/g)].map(([, file]) => String(file));
  if (named.length === 0) throw new Error('index.html names no script: build the window first.');
  let bytes = 0;
  for (const file of new Set([...named, 'index.html']))
    bytes += gzipSync(await readFile(join(folder, file)), { level: 9 }).byteLength;
  return bytes;
}
