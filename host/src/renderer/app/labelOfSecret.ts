import type { CatalogueEntry } from '../../common/drivers.ts';

/** The label of a secret field in the connection's form, as the catalogue has it. */
export function labelOfSecret(entry: CatalogueEntry | undefined, field: string): string {
  return entry?.manifest.connection.fields.find(({ id }) => id === field)?.label ?? field;
}
