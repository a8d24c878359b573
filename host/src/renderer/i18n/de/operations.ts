import { formatRowCount } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';
import type { Strings } from '../en/index.ts';

/** Operations on a table as a whole. The driver names them. */
export const operations: Strings['operations'] = {
  menu: (table) => `Aktionen für ${table}`,
  more: 'Weitere Aktionen für diese Tabelle',
  open: 'Öffnen',
  loading: 'Mögliche Aktionen werden ermittelt…',
  none: 'Dieser Treiber hat keine Operationen für ganze Tabellen.',
  listFailed: (reason) => `Die möglichen Aktionen sind nicht bekannt: ${reason}`,
  title: (label, table) => `${label}: ${table}`,
  planFailed: 'Die Auswirkung konnte nicht ermittelt werden',
  runFailed: (label, table) => `${label}: ${table} – nicht ausgeführt`,
  affects: 'Betrifft',
  rows: 'Zeilen',
  count: (count) => formatRowCount(count),
  request: 'Was gesendet wird',
  typeName: (name) => `Zur Bestätigung ${name} eingeben`,
  aliasNotice: (alias, target) => `„${alias}“ steht für „${target}“: Damit geschieht dies.`,
  discardStaged: (count) =>
    formatMessage('{count, plural, one {# vorgemerkte Änderung} other {# vorgemerkte Änderungen}} daran verwerfen', { count }),
  stagedHelp: 'Sie betreffen Zeilen, die es dann nicht mehr gibt. Rückgängig bringt sie zurück.',
  confirm: (label, name) => `${label}: ${name}`,
};
