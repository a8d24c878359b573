import { HostError } from '../../common/errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  EACCES: "you don't have permission there",
  EPERM: "you don't have permission there",
  EROFS: 'the disk is read only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  ENAMETOOLONG: 'its name is too long',
};

/** The file of an export exists, and replacing it was not agreed to. */
export function exists(file: string): HostError {
  return new HostError('FILE_EXISTS', `${file} exists.`);
}

/** An error of the operating system as one of a file of an export. */
export function unwritable(file: string, cause: unknown): HostError {
  if (cause instanceof HostError) return cause;
  const code = systemCode(cause) ?? 'unknown';
  return new HostError('FILE_UNWRITABLE', `${file} cannot be written: ${REASONS[code] ?? code}.`, { cause });
}

/** The code of an error of the operating system, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
