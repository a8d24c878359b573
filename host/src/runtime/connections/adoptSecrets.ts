import type { AllProvided } from '../container/inject.ts';
import { InstalledDrivers } from '../drivers/versions/installedDrivers.ts';
import type { BindingKey } from './bindingKey.ts';
import { ConnectionSecrets } from './connectionSecrets.ts';
import { ConnectionStore } from './connectionStore.ts';
import { SecretBindings } from './secretBindings.ts';

/** The services of {@link adoptSecrets}. */
export const adoptingServices = {
  bindings: SecretBindings,
  connections: ConnectionStore,
  installed: InstalledDrivers,
  secrets: ConnectionSecrets,
} as const;
type Adopting = AllProvided<typeof adoptingServices>;

/**
 * Binds the secrets of a home that an older version has left to the drivers that are installed at this moment, before any other can come. Once
 * for a home: neither a database nor a key that went missing later makes it happen again.
 *
 * @param key - of the home; kept when the approvals that it makes are in the database
 */
export async function adoptSecrets(services: Adopting, key: BindingKey): Promise<void> {
  const { bindings } = services;
  if (!bindings.isAdopted) {
    if (key.isNew) await bindToInstalled(services);
    bindings.setAdopted();
  }
  await key.save();
}

async function bindToInstalled({ connections, installed, secrets }: Adopting): Promise<void> {
  await secrets.adopt(connections.list(), async (id) => {
    const before = installed.currentInfo(id)?.version;
    const driver = await installed.current(id).catch(() => undefined);
    // A developer's folder that was changed since it was last used is a change like any other.
    return driver?.version === before ? driver : undefined;
  });
}
