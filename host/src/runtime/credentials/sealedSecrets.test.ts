import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { httpGrantFor } from '../drivers/broker/httpGrant.ts';
import { sealedFor, testSender } from '../drivers/broker/sealed.test-helper.ts';
import { testManifest } from '../drivers/processes/processes.test-helper.ts';
import { SealedSecrets } from './sealedSecrets.ts';

const driver = testSender(testManifest());
const settings = { host: 'db.example', port: 8_108 };
const noFiles = (): Promise<string> => Promise.reject(new Error('no files'));

describe('sealed secrets', () => {
  it('give no grant for another origin, publisher or driver than was approved', async () => {
    const sealed = sealedFor(driver, settings, { key: 'the-secret' });
    expect((await httpGrantFor(driver, settings, sealed, noFiles)).secretHeaders()[0]?.[1]).toBe('the-secret');
    const publisher = { id: 'o', name: 'O', fingerprint: 'cccc', origin: 'thirdParty' as const };
    const attempts = [
      httpGrantFor(driver, { ...settings, host: 'evil.example' }, sealed, noFiles),
      httpGrantFor(driver, { ...settings, port: 1 }, sealed, noFiles),
      httpGrantFor({ ...driver, publisher }, settings, sealed, noFiles),
      httpGrantFor({ ...driver, id: 'other' }, settings, sealed, noFiles),
    ];
    for (const attempt of attempts) await expect(attempt).rejects.toMatchObject({ code: 'SECRET_NOT_CONFIRMED' });
  });

  it('stay closed without an approval, and show no value', async () => {
    const sealed = new SealedSecrets(new Map([['key', { value: 'the-secret', approved: undefined }]]));
    await expect(httpGrantFor(driver, settings, sealed, noFiles)).rejects.toMatchObject({ code: 'SECRET_NOT_CONFIRMED' });
    expect(`${inspect(sealed, { depth: 9, showHidden: true })}${JSON.stringify(sealed)}`).not.toContain('the-secret');
  });
});
