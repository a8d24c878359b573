import { stat } from 'node:fs/promises';

/** A file that changed less than this many milliseconds ago is read again: a second change may fall within the same tick of its time stamps. */
const TOO_RECENT = 2_000;

/**
 * Reads a file again only when it has changed. One `stat` answers that: a process can set the modification time of a file, but not the time
 * of the change, which the kernel keeps.
 *
 * @param path - of the file that `read` reads
 * @returns what `read` returned last, or returns now; a failure is not remembered
 */
export function whileUnchanged<T>(path: string, read: () => Promise<T>): () => Promise<T> {
  let remembered: { readonly identity: string; readonly value: T } | undefined;
  return async () => {
    const before = await identityOf(path);
    if (before !== undefined && before === remembered?.identity) return remembered.value;
    const value = await read();
    remembered = before === undefined ? undefined : { identity: before, value };
    return value;
  };
}

/** @returns undefined for a file that is missing, unreadable or too fresh */
async function identityOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino, size, uid, mode, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    const age = Date.now() - Number(ctimeNs / 1_000_000n);
    return age < TOO_RECENT ? undefined : [dev, ino, size, uid, mode, mtimeNs, ctimeNs].join(' ');
  } catch {
    return undefined;
  }
}
