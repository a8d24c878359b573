import { packPackage, signPackage } from '@tabularium/sdk/cli';
import type { RunningRegistry } from '@tabularium/registry';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorReport } from '../../host/src/runtime/errors/errorReport.ts';
import { Drivers } from '../../host/src/runtime/drivers/drivers.ts';
import { registrySource } from '../../host/src/runtime/drivers/trust/registrySource.ts';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import { createPackageHost, createRegistry } from './packageHost.ts';
import type { PackageHost } from './packageHost.ts';
import { createRegistryProxy } from './registryProxy.ts';

const never = new AbortController().signal;
let registry: RunningRegistry;
let host: PackageHost;

beforeAll(async () => {
  registry = await createRegistry();
  await registry.publish(tinyDriver({ version: '1.0.0' }));
  await registry.publish(tinyDriver({ version: '1.1.0' }));
});
afterAll(() => registry.close());
beforeEach(async () => {
  host = await createPackageHost({ registryFile: registry.registryJsonPath });
  await host.trust.trust(registry.publisher);
  await host.install('tiny');
});
afterEach(() => host.close());

async function archiveOf(version: string): Promise<Uint8Array> {
  const signed = await signPackage(tinyDriver({ version }), registry.publisher, registry.signingKey);
  return (await packPackage(signed)).tarball;
}

const current = (): string | undefined => host.installed.currentInfo('tiny')?.version;

/** Every way by which an older version could come into use, without a person's consent. */
const WAYS: Readonly<Record<string, () => Promise<unknown>>> = {
  'installing it by its number': () => host.install('tiny', '1.0.0'),
  'installing a file': async () => host.management.installArchive(await archiveOf('1.0.0'), 'older.tgz', never),
  'pinning it': () => host.management.pin('tiny', '1.0.0', never),
  'consent to another version': () =>
    host.installer.install('tiny', { version: '1.0.0', allowDowngrade: '0.9.0', signal: never }),
  'a connection that is opened': async () => {
    const { catalogue, installed, installer } = host;
    await new Drivers({ catalogue, installed, installer }).ensureInstalled('tiny', { signal: never });
    throw (await host.install('tiny', '1.0.0').catch((error: unknown) => error)) as Error;
  },
};

describe('an older version', () => {
  it.each(Object.keys(WAYS))('is not used without consent: %s', async (way) => {
    for (const isInstalled of [false, true]) {
      if (isInstalled) {
        await host.installer.install('tiny', { version: '1.0.0', allowDowngrade: true, signal: never });
        await host.install('tiny', '1.1.0');
      }
      const error: unknown = await WAYS[way]?.().catch((reason: unknown) => reason);
      expect(errorReport(error)).toMatchObject({
        code: 'DRIVER_DOWNGRADE',
        downgradeQuestion: { driver: { id: 'tiny' }, from: '1.1.0', to: '1.0.0' },
      });
      expect(current()).toBe('1.1.0');
    }
  });

  it('is used when a person agrees to that very version', async () => {
    await host.management.installArchive(await archiveOf('1.0.0'), 'older.tgz', never, '1.0.0');
    expect(current()).toBe('1.0.0');
  });

  it('is used by a rollback, which names no other purpose', async () => {
    await host.installer.install('tiny', { version: '1.0.0', allowDowngrade: true, signal: never });
    await host.install('tiny', '1.1.0');
    await host.management.rollback('tiny');
    expect(current()).toBe('1.0.0');
  });

  it('does not come by an update or an installation when a registry hides the newer one', async () => {
    await using proxy = await createRegistryProxy({
      target: registry.url,
      meddle: (url, outgoing, answer) => {
        // Without a signed catalogue, which would say that a version is hidden.
        if (url.pathname.startsWith('/-/tabularium/')) {
          outgoing.writeHead(404).end();
          return true;
        }
        if (!url.pathname.endsWith('driver-tiny')) return false;
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const document = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { versions: Record<string, unknown> };
          delete document.versions['1.1.0'];
          outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
        });
        return true;
      },
    });
    const { home } = host;
    await host.stop();
    host = await createPackageHost({ home, registries: () => [registrySource(proxy.url)] });
    await host.trust.trust(registry.publisher);
    await expect(host.install('tiny')).rejects.toMatchObject({ code: 'DRIVER_DOWNGRADE' });
    for await (const step of host.management.update('tiny', never)) expect(step.step).not.toBe('downloading');
    expect(current()).toBe('1.1.0');
  });
});
