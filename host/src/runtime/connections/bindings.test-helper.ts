import { DatabaseSync } from 'node:sqlite';
import type { SavedConnection } from '../../common/connection.ts';
import type { SendingDriver } from '../drivers/broker/serverDestination.ts';
import { secretReach } from '../drivers/broker/serverDestination.ts';
import type { ConnectionSecrets } from './connectionSecrets.ts';
import { SecretBindings } from './secretBindings.ts';
import { connectionsMigration } from '../storage/migrations/connections.ts';
import { confirmedOriginsMigration } from '../storage/migrations/confirmedOrigins.ts';
import { secretBindingsMigration } from '../storage/migrations/secretBindings.ts';

/** Approvals in a database of their own, in memory. */
export function testBindings(): SecretBindings {
  const connection = new DatabaseSync(':memory:');
  connection.exec(connectionsMigration.sql);
  connection.exec(secretBindingsMigration.sql);
  connection.exec(confirmedOriginsMigration.sql);
  return new SecretBindings(connection, new Uint8Array(32).fill(7));
}

/** The values that a connection would send with this driver, by field. */
export async function valuesSent(
  secrets: ConnectionSecrets,
  connection: SavedConnection,
  driver: SendingDriver,
): Promise<Record<string, string>> {
  const sealed = await secrets.resolve(connection, driver);
  const opened = driver.manifest.connection.fields.flatMap(({ id, type }) => {
    const reach = type === 'secret' ? secretReach(driver, connection.settings, id) : undefined;
    const value = reach === undefined ? undefined : sealed.open(id, reach);
    return value === undefined ? [] : [[id, value] as const];
  });
  return Object.fromEntries(opened);
}
