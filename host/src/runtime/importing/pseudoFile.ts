import { statfs } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

/** Kinds of file systems of Linux that hold no files of a disk, by the number that `statfs` gives them. */
const PSEUDO_SYSTEMS: ReadonlySet<number> = new Set([
  0x9fa0, // proc
  0x62656572, // sysfs
  0x73636673, // securityfs
  0x64626720, // debugfs
  0x74726163, // tracefs
  0x27e0eb, // cgroup
  0x63677270, // cgroup2
  0xcafe4a11, // bpf
  0x62656570, // configfs
  0x6165676c, // pstore
  0xde5e81e4, // efivarfs
  0xf97cff8c, // selinuxfs
  0x42494e4d, // binfmt_misc
  0x1cd1, // devpts
  0x19800202, // mqueue
]);

/**
 * Whether the system makes up the content of an open file when it is read, as it does in `/proc` and `/sys`: environment variables and memory of programs
 * are such files, and their type says that they are regular ones. By the open file and not by its path, which may be a link.
 */
export async function isPseudoFile({ fd }: Pick<FileHandle, 'fd'>): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const { type } = await statfs(`/proc/self/fd/${fd}`);
  return PSEUDO_SYSTEMS.has(type);
}
