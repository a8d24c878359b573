import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Header } from 'tar';
import type { PackedDriver } from '@tabularium/registry';

/** One entry of an archive, also such as no honest tool would write. */
export interface ArchiveEntry {
  readonly path: string;
  readonly content?: Uint8Array | string;
  readonly type?: 'File' | 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'Directory';
  readonly linkpath?: string;
}

/** A tar archive of these entries, byte for byte, without any check. */
export function archiveOf(entries: readonly ArchiveEntry[]): Buffer {
  const parts: Uint8Array[] = [];
  for (const { path, content = '', type = 'File', linkpath } of entries) {
    const bytes = Buffer.from(content);
    const block = Buffer.alloc(512);
    new Header({
      path,
      type,
      mode: 0o777,
      size: bytes.length,
      mtime: new Date(0),
      ...(linkpath === undefined ? {} : { linkpath }),
    }).encode(block, 0);
    parts.push(block, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512));
  }
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)]));
}

/** The archive as something that can be published under the name and version of another package. */
export function packedAs(packed: PackedDriver, tarball: Buffer): PackedDriver {
  return { ...packed, tarball, integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}` };
}
