import { X509Certificate, createPrivateKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { HostSentence } from '../../../common/hostSentences.ts';
import { hostSentence } from '../../../common/hostSentences.ts';
import { hostDriverError } from '../../errors/hostDriverError.ts';
import type { ChosenFile } from './serverDestination.ts';

/** A file of the SSL settings with its text. */
export interface TlsFile extends ChosenFile {
  readonly text: string;
}

const CERTIFICATE = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/;
const KEY = /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/;
/** PKCS #8, and the older form. */
const ENCRYPTED = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: *4, *ENCRYPTED/m;

/**
 * Whether the files of the SSL settings are what they are chosen as, before any is used: afterwards OpenSSL names neither the file nor what is wrong with it.
 *
 * @throws DriverError `INVALID_INPUT` with the field
 */
export function assertTlsFiles(files: {
  readonly authority?: TlsFile | undefined;
  readonly certificate?: TlsFile | undefined;
  readonly key?: TlsFile | undefined;
}): void {
  if (files.authority !== undefined) certificateIn(files.authority);
  const certificate = files.certificate === undefined ? undefined : certificateIn(files.certificate);
  if (files.key === undefined) return;
  const key = keyIn(files.key);
  if (certificate !== undefined && files.certificate !== undefined && !certificate.checkPrivateKey(key))
    throw unusable(files.key, hostSentence('tlsKeyOther', { path: files.key.path, certificate: files.certificate.path }));
}

function certificateIn(file: TlsFile): X509Certificate {
  const { path, text } = file;
  if (CERTIFICATE.test(text)) {
    try {
      return new X509Certificate(text);
    } catch {
      throw unusable(file, hostSentence('tlsCertificateUnusable', { path }));
    }
  }
  throw unusable(file, hostSentence(KEY.test(text) ? 'tlsCertificateIsKey' : 'tlsCertificateUnusable', { path }));
}

function keyIn(file: TlsFile): KeyObject {
  const { path, text } = file;
  if (ENCRYPTED.test(text)) throw unusable(file, hostSentence('tlsKeyEncrypted', { path }));
  if (!KEY.test(text))
    throw unusable(file, hostSentence(CERTIFICATE.test(text) ? 'tlsKeyIsCertificate' : 'tlsKeyUnusable', { path }));
  try {
    return createPrivateKey(text);
  } catch {
    throw unusable(file, hostSentence('tlsKeyUnusable', { path }));
  }
}

function unusable({ field }: ChosenFile, sentence: HostSentence): Error {
  return hostDriverError('INVALID_INPUT', sentence, { details: { field } });
}
