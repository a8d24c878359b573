import type { FilesFault } from '../../package/files.ts';

const ADVICE: Readonly<Record<FilesFault['kind'], string>> = {
  hidden: 'Remove it from the folder: files whose name begins with a dot do not ship, because they often hold secrets.',
  path: 'Rename it: letters, digits and . _ @ + - have the same meaning on every system.',
  deep: 'Put it into fewer folders.',
  case: 'Rename one of the two: on many systems they are one file.',
  count: 'Ship fewer files.',
  size: 'Ship a smaller file, for example without debugging symbols.',
  total: 'Ship fewer or smaller files.',
};

/** Advice for an author whose files no package may have as they are. */
export function adviceForFiles({ kind }: FilesFault): string {
  return ADVICE[kind];
}
