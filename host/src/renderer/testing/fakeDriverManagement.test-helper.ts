import type { Catalogue, DriverOverview, InstalledDriverInfo, PublisherInfo } from '../../common/drivers.ts';
import type { DriverNetwork } from '../../common/driversApi.ts';
import { HostError } from '../../common/errors.ts';
import type { FakeContext } from './fakeContext.test-helper.ts';

const publisher: PublisherInfo = {
  id: 'tabularium',
  name: 'The Tabularium authors',
  fingerprint: '5c1f 09ab 77de 4410 91c2 0f3a 8bd0 6e55 21aa 4c03 9e7f 1d28 6633 f0b1 c4d9 7a02',
  origin: 'firstParty',
};

/** Installed drivers as the window sees them, in memory: the list follows the catalogue, the switches work, the rest answers at once. */
export function fakeDriverManagement(
  catalogue: () => Catalogue,
  registryManagement: { network(): DriverNetwork },
): FakeContext['driverManagement'] {
  const disabled = new Set<string>();
  const pinned = new Map<string, string>();
  const overviewOf = (): readonly DriverOverview[] =>
    catalogue().entries.map((entry) => {
      const pin = pinned.get(entry.id);
      return {
        ...entry,
        versions:
          entry.installedVersion === undefined
            ? []
            : [
                {
                  version: entry.installedVersion,
                  current: true,
                  installedAt: '2026-11-18T09:30:00.000Z',
                  publisher,
                  usedBy: [],
                },
              ],
        disabled: disabled.has(entry.id),
        ...(pin === undefined ? {} : { pinned: pin }),
        updateOffered: entry.state === 'updateAvailable',
        allowedGrants: [],
        oldSessions: [],
      };
    });
  const info = (id: string): InstalledDriverInfo => {
    const entry = overviewOf().find((candidate) => candidate.id === id);
    if (entry?.installedVersion === undefined) throw new HostError('DRIVER_NOT_INSTALLED');
    return {
      id,
      packageName: entry.packageName,
      version: entry.installedVersion,
      current: true,
      installedAt: '2026-11-18T09:30:00.000Z',
      publisher,
    };
  };
  return {
    overview: async () => {
      const { entries: _entries, ...rest } = catalogue();
      return { ...rest, drivers: overviewOf(), offline: registryManagement.network().offline, policy: [], policySentences: [] };
    },
    details: async (id) => ({
      id,
      readme: '# A driver\n\nIt reads **rows**, see [the guide](docs/guide.md).',
      changelog: '## 1.1.0\n\n- Reads more.',
      source: 'https://github.com/ada/shelf/blob/HEAD/',
      size: 48_213,
      offered: [{ version: '0.1.0', contract: '^1.0' }],
    }),
    allowGrants: () => undefined,
    withdrawGrants: async () => [],
    async *update(id) {
      yield { step: 'installed', version: info(id).version, milliseconds: 1, publisher };
    },
    updatable: async () => [],
    rollback: async (id) => info(id),
    pin: async (id, version) => {
      pinned.set(id, version ?? info(id).version);
      return info(id);
    },
    unpin: (id) => void pinned.delete(id),
    enable: async (id) => void disabled.delete(id),
    disable: async (id) => void disabled.add(id),
    remove: async () => undefined,
    applyToOpen: async () => undefined,
    installArchive: async () => {
      throw new HostError('PACKAGE_UNSIGNED');
    },
    installFile: async () => {
      throw new HostError('PACKAGE_UNSIGNED');
    },
    bundle: async (id) => ({ name: `${id}.tgz`, content: new Uint8Array() }),
    bundleTo: async (_id, _version, file) => ({ file, bytes: 0 }),
    loadFolder: async () => {
      throw new HostError('PACKAGE_INVALID');
    },
    forgetFolder: async () => undefined,
    keys: async () => [{ ...publisher, keyId: publisher.fingerprint.replaceAll(' ', '') }],
    trustKey: async () => publisher,
    revokeKey: async () => undefined,
  };
}

/** No registries, and a network that can be set. */
export function fakeRegistryManagement() {
  let network: DriverNetwork = { offline: false, proxy: '', certificateAuthorityFile: '' };
  return {
    registries: async () => [],
    saveRegistry: async () => undefined,
    removeRegistry: async () => undefined,
    network: () => network,
    setNetwork: (next: DriverNetwork) => {
      network = next;
    },
  } satisfies FakeContext['registryManagement'];
}
