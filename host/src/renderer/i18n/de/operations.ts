import { formatCount, formatRowCount } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';
import type { Strings } from '../en/index.ts';

/** Operations on a table as a whole. The driver names them. */
export const operations: Strings['operations'] = {
  menu: (table) => `Aktionen für ${table}`,
  more: 'Weitere Aktionen für diese Tabelle',
  open: 'Öffnen',
  loading: 'Operationen werden geladen…',
  none: 'Dieser Treiber hat keine Operationen für ganze Tabellen.',
  listFailed: (reason) => `Die Operationen konnten nicht geladen werden: ${reason}`,
  title: (label, table) => `${label}: ${table}`,
  planFailed: 'Die Auswirkung konnte nicht ermittelt werden',
  runFailed: (label, table) => `${label}: ${table} – nicht ausgeführt`,
  affects: 'Betrifft',
  rows: 'Zeilen',
  count: (count) => formatRowCount(count),
  request: 'Was gesendet wird',
  typeName: (name) => `Zur Bestätigung ${name} eingeben`,
  aliasNotice: (alias, target) => `„${alias}“ ist ein Alias von „${target}“. Betroffen ist deshalb „${target}“.`,
  discardStaged: (count) =>
    formatMessage('{count, plural, one {# vorgemerkte Änderung} other {# vorgemerkte Änderungen}} daran verwerfen', { count }),
  stagedHelp: 'Ihre Zeilen werden gelöscht. „Rückgängig“ stellt nur die vorgemerkten Änderungen wieder her.',
  discardStagedOf: (count, tables) =>
    formatMessage('{count, plural, one {# vorgemerkte Änderung} other {# vorgemerkte Änderungen}} von {tables} verwerfen', {
      count,
      tables,
    }),
  stagedStay: 'Sonst bleiben sie vorgemerkt und werden dort gespeichert, wohin der Name dann führt.',
  preset: 'Beginnen mit',
  input: 'Eingabe',
  formFailed: (label) => `${label}: Das Formular konnte nicht gelesen werden`,
  startFailed: (label) => `${label}: nicht begonnen`,
  discardInput: (label) => `Ihre Eingabe für „${label}“ geht verloren.`,
  steps: 'Schritte und ihre Anfragen',
  server: (label) => `${label}…`,
  serverMenu: 'Aktionen für den Server',
  runs: 'Operationen, die auf eine Entscheidung warten',
  resume: 'Fortsetzen',
  leave: 'Belassen',
  undo: 'Rückgängig…',
  rejected: (count) =>
    formatMessage('{count, plural, one {# Zeile wurde abgelehnt} other {# Zeilen wurden abgelehnt}}', { count }),
  cancelled: (title) => `${title}: abgebrochen`,
  failed: (title, reason) => `${title}: ${reason}`,
  interrupted: (title, canResume) =>
    canResume
      ? `${title} wurde unterbrochen. Setzen Sie dort fort, oder belassen Sie alles, wie es ist.`
      : `${title} wurde unterbrochen und kann schon geschehen sein. Sehen Sie die Tabellen an, und belassen Sie es dann.`,
  progress: (title, step, done, of, unit) => {
    const name = step === '' ? title : `${title}: ${step}`;
    if (done === undefined) return name;
    return of === undefined
      ? `${name}, ${formatCount(done)} ${unit}`
      : `${name}, ${formatCount(done)} von ${formatCount(of)} ${unit}`;
  },
  confirm: (label, name) => `${label}: ${name}`,
};
