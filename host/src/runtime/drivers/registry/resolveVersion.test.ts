import { describe, expect, it } from 'vitest';
import { tinyManifest } from '../../../../../registry/src/tinyDriver.test-helper.ts';
import type { RegistryVersion } from './registryDocument.ts';
import { englishOf, hostSentence } from '../../../common/hostSentences.ts';
import { contractFault } from './contractFault.ts';
import { resolveVersion } from './resolveVersion.ts';

function version(number: string, sdk: string, manifest: Readonly<Record<string, unknown>> = {}): RegistryVersion {
  return {
    version: number,
    tabularium: { ...tinyManifest('tiny', sdk), ...manifest },
    dist: { tarball: 'http://127.0.0.1/x.tgz' },
  };
}

const versions = [
  version('1.9.0', '^1.0'),
  version('1.10.0', '>=1.0 <3'),
  version('0.1.0', '^0.9'),
  version('2.0.0', '^2.0'),
  version('1.11.0-rc.1', '^1.0'),
];
const resolve = (options: Parameters<typeof resolveVersion>[1]) => {
  const { best, reason } = resolveVersion(versions, { contract: '1.0.0', ...options });
  return { version: best?.version.version, reason: reason === undefined ? undefined : englishOf(reason) };
};

describe('the version that is offered', () => {
  it('is the newest that this host can run, and says why a newer one cannot', () => {
    expect(resolve({})).toEqual({
      version: '1.10.0',
      reason: 'Version 2.0.0 needs a newer Tabularium (contract ^2.0; this one has 1.0.0). Update Tabularium.',
    });
  });

  it('follows the contract of the host, not the highest number', () => {
    expect(resolve({ contract: '2.3.0' })).toEqual({ version: '2.0.0', reason: undefined });
    expect(resolve({ contract: '0.9.5' })).toMatchObject({ version: '0.1.0' });
    expect(resolve({ contract: '3.0.0' })).toEqual({
      version: undefined,
      reason:
        'Version 2.0.0 was made for an older Tabularium (contract ^2.0; this one has 3.0.0). Ask its author for a newer version.',
    });
  });

  it('is a pre-release only when asked for, by the flag or by its exact number', () => {
    expect(resolve({ prerelease: true }).version).toBe('1.11.0-rc.1');
    expect(resolve({ version: '1.11.0-rc.1' })).toEqual({ version: '1.11.0-rc.1', reason: undefined });
  });

  it('is exactly the one that was asked for, or none', () => {
    expect(resolve({ version: '1.9.0' }).version).toBe('1.9.0');
    expect(resolve({ version: '2.0.0' })).toMatchObject({
      version: undefined,
      reason: expect.stringContaining('2.0.0') as string,
    });
    expect(resolve({ version: '7.0.0' })).toEqual({ version: undefined, reason: undefined });
  });

  it('passes over manifests that are newer than this host, and those that are broken', () => {
    const newer = resolveVersion([version('1.1.0', '^1.0', { manifestVersion: 2 }), version('1.0.0', '^1.0')]);
    expect(newer.best).toMatchObject({ version: { version: '1.0.0' } });
    expect(newer.reason).toEqual(hostSentence('manifestNewer', { driver: 'Version 1.1.0' }));
    const broken = resolveVersion([version('1.1.0', '^1.0', { title: '' }), version('1.0.0', '^1.0')]);
    expect(broken).toMatchObject({
      best: { version: { version: '1.0.0' } },
      reason: { values: { problem: expect.stringContaining('title') as string } },
    });
  });

  it("rejects a contract that isn't a range", () => {
    expect(contractFault('X', 'whatever', '1.0.0')?.id).toBe('contractInvalid');
    expect(contractFault('X', '^1.0', '1.4.2')).toBeUndefined();
  });
});
