import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { addedHeaders } from '../drivers/broker/broker.test-helper.ts';
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
    expect((await addedHeaders(await httpGrantFor(driver, settings, sealed, noFiles)))[0]?.[1]).toBe('the-secret');
    const publisher = { id: 'o', name: 'O', fingerprint: 'cccc', origin: 'thirdParty' as const };
    const attempts = [
      httpGrantFor(driver, { ...settings, host: 'evil.example' }, sealed, noFiles),
      httpGrantFor(driver, { ...settings, port: 1 }, sealed, noFiles),
      httpGrantFor({ ...driver, publisher }, settings, sealed, noFiles),
      httpGrantFor({ ...driver, id: 'other' }, settings, sealed, noFiles),
    ];
    for (const attempt of attempts) await expect(attempt).rejects.toMatchObject({ code: 'SECRET_NOT_CONFIRMED' });
  });

  it('give no grant for a further node or a path that was not approved, also where a new manifest brings it', async () => {
    const { http } = driver.manifest.permissions;
    if (http === undefined) throw new Error('no http');
    const text = { label: 'Text', type: 'text' as const, pane: 'options' as const, required: false, maxLength: 100 };
    const withCluster = (nodesDefault?: string): typeof driver => ({
      ...driver,
      manifest: {
        ...driver.manifest,
        connection: {
          fields: [
            ...driver.manifest.connection.fields,
            { ...text, id: 'nodes', ...(nodesDefault === undefined ? {} : { default: nodesDefault }) },
            { ...text, id: 'path' },
          ],
        },
        permissions: {
          ...driver.manifest.permissions,
          http: { ...http, origin: { ...http.origin, nodes: { field: 'nodes' }, pathPrefix: { field: 'path' } } },
        },
      },
    });
    const before = sealedFor(driver, settings, { key: 'the-secret' });
    expect((await httpGrantFor(withCluster(), settings, before, noFiles)).nodes).toEqual([]);
    const cluster = { ...settings, nodes: 'two.example' };
    const attempts = [
      httpGrantFor(withCluster(), cluster, before, noFiles),
      httpGrantFor(withCluster('evil.example'), settings, before, noFiles),
      httpGrantFor(withCluster(), { ...settings, path: '/other' }, before, noFiles),
      httpGrantFor(
        withCluster(),
        { ...cluster, nodes: 'two.example three.example' },
        sealedFor(withCluster(), cluster, { key: 'k' }),
        noFiles,
      ),
      httpGrantFor(
        withCluster(),
        { ...cluster, nodes: 'two.example:9' },
        sealedFor(withCluster(), cluster, { key: 'k' }),
        noFiles,
      ),
    ];
    for (const attempt of attempts) await expect(attempt).rejects.toMatchObject({ code: 'SECRET_NOT_CONFIRMED' });
  });

  it('stay closed without an approval, and show no value', async () => {
    const sealed = new SealedSecrets(new Map([['key', { value: 'the-secret', approved: undefined }]]));
    await expect(httpGrantFor(driver, settings, sealed, noFiles)).rejects.toMatchObject({ code: 'SECRET_NOT_CONFIRMED' });
    expect(`${inspect(sealed, { depth: 9, showHidden: true })}${JSON.stringify(sealed)}`).not.toContain('the-secret');
  });
});
