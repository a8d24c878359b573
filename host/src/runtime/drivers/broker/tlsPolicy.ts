import { DriverError } from '@tabularium/sdk';
import { hostDriverError } from '../../errors/hostDriverError.ts';
import { unreadableFile } from '../../storage/unreadableFile.ts';
import type { ServerPermission } from '../../../common/serverPermission.ts';
import type { ChosenFile, ServerPlace, TlsVerification } from './serverDestination.ts';
import { assertTlsFiles } from './tlsFiles.ts';
import type { TlsFile } from './tlsFiles.ts';

/** How a connection is encrypted. */
export interface TlsPolicy {
  readonly verification: TlsVerification;
  /** PEM. Trusted instead of the usual authorities. */
  readonly certificateAuthority?: string;
  /** PEM, shown to a server that asks who we are. */
  readonly clientCertificate?: string;
  readonly clientKey?: string;
}

/** Reads a file that was chosen in the form. */
export type ReadTextFile = (path: string) => Promise<string>;

/**
 * The TLS of a destination, with the files that were chosen; undefined where nothing is encrypted.
 *
 * @throws DriverError `INVALID_INPUT` with the field
 */
export async function tlsPolicyFor(
  tls: ServerPermission['tls'],
  { verification, files }: ServerPlace,
  readFile: ReadTextFile,
): Promise<TlsPolicy | undefined> {
  if (verification === undefined) return undefined;
  const read = async (file: ChosenFile | undefined): Promise<TlsFile | undefined> => {
    if (file === undefined) return undefined;
    try {
      return { ...file, text: await readFile(file.path) };
    } catch (cause) {
      throw hostDriverError('INVALID_INPUT', unreadableFile(file.path, cause), { details: { field: file.field }, cause });
    }
  };
  const authority = await read(files.authority);
  const certificate = await read(files.certificate);
  const key = await read(files.key);
  assertTlsFiles({ authority, certificate, key });
  const [certificateAuthority, clientCertificate, clientKey] = [authority?.text, certificate?.text, key?.text];
  if (clientCertificate !== undefined && clientKey === undefined) {
    throw new DriverError('INVALID_INPUT', 'A client certificate needs its key.', {
      details: { field: tls?.clientKeyFile ?? '' },
    });
  }
  return {
    verification,
    ...(certificateAuthority === undefined ? {} : { certificateAuthority }),
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    ...(clientKey === undefined ? {} : { clientKey }),
  };
}
