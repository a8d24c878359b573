/** The project could not be written. */
export class WriteFailure extends Error {
  override readonly name = 'WriteFailure';
}

const WHY: Readonly<Record<string, (folder: string) => string>> = {
  EEXIST: (folder) => `${folder} is a file, not a folder. Name another folder, or move the file away.`,
  ENOTDIR: (folder) => `${folder} is a file, or lies below one. Name another folder, or move the file away.`,
  ENAMETOOLONG: () => 'The name of the folder is too long for this file system. Name a shorter one.',
  EACCES: (folder) => `You may not write to ${folder}. Name a folder of your own, or change its permissions.`,
  EPERM: (folder) => `You may not write to ${folder}. Name a folder of your own, or change its permissions.`,
  EROFS: (folder) => `${folder} is on a file system that is only read. Name a folder elsewhere.`,
  ENOSPC: (folder) => `The disk of ${folder} is full. Free some space, remove the folder, and try again.`,
  ELOOP: (folder) => `${folder} is a symbolic link that leads back to itself. Remove the link, or name another folder.`,
  ENOENT: (folder) => `${folder} can't be made: what it lies in is missing. Name a folder in one that is there.`,
};

/**
 * The sentence for a failed system call on the folder of the project: what is wrong, and what to do.
 *
 * @returns the error itself where no system call failed
 */
export function writeFailure(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return error;
  const code = String(error.code);
  const sentence = Object.hasOwn(WHY, code) ? WHY[code]?.(folder) : undefined;
  return new WriteFailure(sentence ?? `The project can't be written to ${folder} (${code}). Name another folder.`, {
    cause: error,
  });
}
