import type { SavedConnection } from '../../common/connection.ts';
import type { CatalogueEntry } from '../../common/drivers.ts';
import { connectionFields } from '../connections/connectionFields.ts';
import { strings } from '../i18n/index.ts';

/** The label of a secret field in the connection's form, as the catalogue has it. */
export function labelOfSecret(entry: CatalogueEntry | undefined, field: string): string {
  if (entry === undefined) return field;
  return connectionFields(entry.manifest).find(({ id }) => id === field)?.label ?? field;
}

/** Why a connection has no value for a secret field, and what to do. */
export function missingSecretText(connection: SavedConnection, entry: CatalogueEntry | undefined, field: string): string {
  const { secretMissing, secretText } = strings.opening;
  const kind = connection.secrets[field]?.kind;
  const why = kind === undefined ? secretMissing.nowhere : secretMissing[kind];
  return `${why(connection.name, labelOfSecret(entry, field))} ${secretText}`;
}
