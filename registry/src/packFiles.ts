import { createGzip } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import type { PackageFiles } from '@tabularium/sdk/package';
import { Header } from 'tar';

const BLOCK = 512;
/** npm's own: every file of every package bears this date, so that the same content gives the same archive. */
const MODIFIED = new Date('1985-10-26T08:15:00.000Z');

/**
 * An npm tarball of files in memory. tar writes archives of files on disk only; these are packed as they were signed, so its header is
 * used and the blocks are laid one after another.
 */
export async function packFiles(files: PackageFiles): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for (const [path, bytes] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const block = Buffer.alloc(BLOCK);
    const header = new Header({ path: `package/${path}`, mode: 0o644, size: bytes.length, mtime: MODIFIED, type: 'File' });
    if (header.encode(block, 0)) throw new Error(`The path ${JSON.stringify(path)} is too long for a package.`);
    parts.push(block, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK));
  }
  parts.push(Buffer.alloc(2 * BLOCK));
  return buffer(Readable.from([Buffer.concat(parts)]).pipe(createGzip({ level: 9 })));
}
