import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { sentenceOfDriverError } from '../../errors/hostDriverError.ts';
import { unreadableFile } from '../../storage/unreadableFile.ts';
import { readRegularText } from '../../storage/regularFile.ts';
import { TestCertificates } from './broker.test-helper.ts';
import type { ServerPlace } from './serverDestination.ts';
import { tlsPolicyFor } from './tlsPolicy.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabularium-tls-files-'));
afterAll(() => rmSync(folder, { recursive: true }));
const certificates = new TestCertificates(folder);
certificates.issue('mine', 'DNS:mine');
certificates.issue('other', 'DNS:other');
const at = (name: string): string => join(folder, name);
const openssl = (...words: string[]): void => void execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' });
openssl('pkey', '-in', 'mine.key', '-out', 'mine.enc', '-aes256', '-passout', 'pass:secret');
openssl('ec', '-in', 'mine.key', '-out', 'mine.old.enc', '-aes256', '-passout', 'pass:secret');
writeFileSync(at('both.pem'), `${readFileSync(at('mine.key'), 'utf8')}${readFileSync(at('mine.crt'), 'utf8')}`);
writeFileSync(at('bundle.pem'), `# Authorities\n${readFileSync(at('ca.crt'), 'utf8')}\n${readFileSync(at('mine.crt'), 'utf8')}`);
writeFileSync(at('text'), 'Hello.');
writeFileSync(at('damaged.crt'), readFileSync(at('mine.crt'), 'utf8').replace(/\n[A-Za-z0-9+/]{20}/, '\nAAAAAAAAAAAAAAAAAAAA'));
writeFileSync(at('damaged.key'), readFileSync(at('mine.key'), 'utf8').replace(/\n[A-Za-z0-9+/]{20}/, '\nAAAAAAAAAAAAAAAAAAAA'));

/** The sentence about files, and its field; empty where they are taken. */
async function said(authority: string | undefined, certificate?: string, key?: string): Promise<readonly string[]> {
  const file = (field: string, name: string | undefined) => (name === undefined ? undefined : { field, path: at(name) });
  const files = { authority: file('caFile', authority), certificate: file('certFile', certificate), key: file('keyFile', key) };
  try {
    await tlsPolicyFor(undefined, { verification: 'none', files } as unknown as ServerPlace, readRegularText);
    return [];
  } catch (error) {
    const { details } = error as { readonly details: { readonly field?: string } };
    return [details.field ?? '', sentenceOfDriverError(error as never)?.id ?? ''];
  }
}

it.each([
  [undefined, 'mine.crt', 'mine.key', []],
  [undefined, 'both.pem', 'both.pem', []],
  ['ca.crt', undefined, undefined, []],
  ['bundle.pem', 'mine.crt', 'mine.key', []],
  [undefined, 'mine.crt', 'mine.enc', ['keyFile', 'tlsKeyEncrypted']],
  [undefined, 'mine.crt', 'mine.old.enc', ['keyFile', 'tlsKeyEncrypted']],
  [undefined, 'mine.crt', 'other.key', ['keyFile', 'tlsKeyOther']],
  [undefined, 'mine.key', 'mine.crt', ['certFile', 'tlsCertificateIsKey']],
  [undefined, 'mine.crt', 'mine.crt', ['keyFile', 'tlsKeyIsCertificate']],
  [undefined, 'mine.crt', 'text', ['keyFile', 'tlsKeyUnusable']],
  [undefined, 'mine.crt', 'damaged.key', ['keyFile', 'tlsKeyUnusable']],
  [undefined, 'text', 'mine.key', ['certFile', 'tlsCertificateUnusable']],
  [undefined, 'damaged.crt', 'mine.key', ['certFile', 'tlsCertificateUnusable']],
  ['mine.key', undefined, undefined, ['caFile', 'tlsCertificateIsKey']],
  ['text', undefined, undefined, ['caFile', 'tlsCertificateUnusable']],
  ['damaged.crt', undefined, undefined, ['caFile', 'tlsCertificateUnusable']],
  ['absent', undefined, undefined, ['caFile', 'fileAbsent']],
  [undefined, 'absent', 'mine.key', ['certFile', 'fileAbsent']],
] as const)('authority %s, certificate %s and key %s: %j', async (authority, certificate, key, outcome) => {
  expect(await said(authority, certificate, key)).toEqual(outcome);
});

it('says why a file cannot be read', async () => {
  mkdirSync(at('a folder'));
  writeFileSync(at('closed'), '');
  chmodSync(at('closed'), 0);
  const why = async (path: string) => unreadableFile(path, await readRegularText(path).catch((error: unknown) => error)).id;
  expect(await why(at('absent'))).toBe('fileAbsent');
  expect(await why(at('text/below'))).toBe('fileAbsent');
  expect(await why(at('a folder'))).toBe('fileNoFile');
  expect(await why('~/key')).toBe('fileTilde');
  expect(await why('~')).toBe('fileTilde');
  // For root nothing is closed.
  if (process.getuid?.() !== 0) expect(await why(at('closed'))).toBe('fileForbidden');
  expect(unreadableFile('/x', Object.assign(new Error('x'), { code: 'EACCES' })).id).toBe('fileForbidden');
  expect(unreadableFile('/x', Object.assign(new Error('x'), { code: 'EIO' }))).toEqual({
    id: 'fileUnreadable',
    values: { path: '/x', reason: 'EIO' },
  });
});
