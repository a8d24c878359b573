import { HostError } from '../../../common/errors.ts';
import { storageFailure } from '../../errors/storageFailure.ts';

/**
 * Why an archive could not be read.
 *
 * @param fault - what was found in it, where that is known
 * @param mostUnpackedBytes - how far it may be unpacked
 */
export function archiveFault(
  cause: unknown,
  about: { readonly packageText: string; readonly fault: string | undefined; readonly mostUnpackedBytes: number },
): HostError {
  const { packageText, fault, mostUnpackedBytes } = about;
  if (cause instanceof HostError) return cause;
  const full = storageFailure(cause);
  if (full !== undefined) return full;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'Z_BUF_ERROR') return new HostError('PACKAGE_TRUNCATED', `${packageText} ends early.`, { cause });
  const why =
    code === 'ERR_BUFFER_TOO_LARGE'
      ? `It unpacks to more than ${mostUnpackedBytes} bytes.`
      : (fault ?? "It isn't a readable archive.");
  return new HostError('PACKAGE_INVALID', `${packageText}: ${why}`, { cause });
}
