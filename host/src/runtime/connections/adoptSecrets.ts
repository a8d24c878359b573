import type { AllProvided } from '../container/inject.ts';
import type { SendingDriver } from '../drivers/broker/serverDestination.ts';
import { InstalledDrivers } from '../drivers/versions/installedDrivers.ts';
import type { BindingKey } from './bindingKey.ts';
import { ConnectionStore } from './connectionStore.ts';
import { reachOrNothing } from './heldSecret.ts';
import { SecretBindings } from './secretBindings.ts';

/** The services of {@link adoptSecrets}. */
export const adoptingServices = {
  bindings: SecretBindings,
  connections: ConnectionStore,
  installed: InstalledDrivers,
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

async function bindToInstalled({ bindings, connections, installed }: Adopting): Promise<void> {
  for (const { id, driver: driverId, settings, secrets } of connections.list()) {
    const driver = await unchangedDriver(installed, driverId);
    if (driver === undefined) continue;
    for (const [field, from] of Object.entries(secrets)) {
      const reach = reachOrNothing(driver, settings, field);
      if (reach === undefined) continue;
      bindings.set(id, field, { reach, publisherName: driver.publisher?.name ?? '', from, sealed: from.kind !== 'store' });
    }
  }
}

/** The driver that is installed; undefined where there is none that can be relied on, so that a person is asked. */
async function unchangedDriver(installed: InstalledDrivers, id: string): Promise<SendingDriver | undefined> {
  const before = installed.currentInfo(id)?.version;
  const driver = await installed.current(id).catch(() => undefined);
  // A developer's folder that was changed since it was last used is a change like any other.
  return driver?.version === before ? driver : undefined;
}
