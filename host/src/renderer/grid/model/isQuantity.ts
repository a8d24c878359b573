import type { Column } from '@tabularium/sdk';

/** Last words of names whose numbers identify, number or date something: adding them up says nothing. English and German. */
const NOT_ADDED: ReadonlySet<string> = new Set([
  ...['id', 'ids', 'uid', 'gid', 'pid', 'guid', 'key', 'ref', 'hash', 'checksum', 'seed', 'version', 'port', 'schlüssel'],
  ...['code', 'barcode', 'ean', 'gtin', 'isbn', 'upc', 'sku', 'zip', 'zipcode', 'postcode', 'plz', 'iban', 'bic', 'ssn'],
  ...['phone', 'tel', 'telefon', 'mobile', 'fax', 'number', 'no', 'nr', 'nummer', 'index', 'rank', 'rang', 'position', 'ordinal'],
  ...['year', 'jahr', 'month', 'monat', 'day', 'tag', 'week', 'woche', 'quarter', 'quartal', 'weekday'],
  ...['at', 'am', 'on', 'date', 'datum', 'timestamp', 'ts', 'epoch', 'since', 'seit', 'until', 'bis', 'created', 'updated'],
  ...['modified', 'deleted', 'expires', 'birthday', 'lat', 'lng', 'lon', 'latitude', 'longitude', 'breite', 'länge'],
]);
/** First words that say the same: `year_built`. */
const NOT_ADDED_FIRST: ReadonlySet<string> = new Set(['year', 'jahr']);

/** `seller.sinceYear` is seller, since, year. */
function wordsOf(name: string): readonly string[] {
  const lastPart = name.slice(name.lastIndexOf('.') + 1);
  return lastPart
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
}

/** Whether adding up a column's numbers says something: what the driver states, else by kind, key and name. */
export function isQuantity({ name, kind, quantity }: Pick<Column, 'name' | 'kind' | 'quantity'>, isKey: boolean): boolean {
  if (kind !== 'integer' && kind !== 'decimal') return quantity === true;
  if (quantity !== undefined || isKey) return quantity === true;
  const words = wordsOf(name);
  return !NOT_ADDED.has(words.at(-1) ?? '') && !NOT_ADDED_FIRST.has(words[0] ?? '');
}
