import { lstat } from 'node:fs/promises';

/** Values that differ between two files of the same name. */
export interface FileIdentity {
  readonly device: string;
  readonly inode: string;
  /** Nanoseconds. */
  readonly born: string;
}

/** A file and its content, as far as that can be seen without reading it. */
export interface FileState extends FileIdentity {
  readonly size: string;
  /** Nanoseconds. */
  readonly modified: string;
}

/** @throws Error for anything but a regular file, also for a link; an error of the operating system */
export async function fileState(path: string): Promise<FileState> {
  const entry = await lstat(path, { bigint: true });
  if (!entry.isFile()) throw new Error(`${path} is not a regular file`);
  return {
    device: String(entry.dev),
    inode: String(entry.ino),
    born: String(entry.birthtimeNs),
    size: String(entry.size),
    modified: String(entry.mtimeNs),
  };
}

export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return one.device === other.device && one.inode === other.inode && one.born === other.born;
}

/** The same file, and no program wrote into it. */
export function isUnchanged(one: FileState, other: FileState): boolean {
  return isSameFile(one, other) && one.size === other.size && one.modified === other.modified;
}
