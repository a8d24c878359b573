import { formatBytes, formatCount } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';
import type { Strings } from '../en/index.ts';

/** Exports. */
export const transfer: Strings['transfer'] = {
  open: 'Exportieren…',
  unavailable: 'Dieser Treiber exportiert nicht.',
  title: (table) => `${table} exportieren`,
  format: 'Format',
  formats: { jsonl: 'JSON-Zeilen', json: 'JSON', csv: 'CSV' },
  rows: 'Zeilen',
  allRows: 'Alle Zeilen',
  filteredRows: 'Zeilen, die dem Filter entsprechen',
  noFilter: 'Kein Filter ist angewendet.',
  selectedRows: (count) => (count === 0 ? 'Ausgewählte Zeilen' : `Ausgewählte Zeilen (${formatCount(count)})`),
  selectedHelp: 'Wie sie zu sehen sind, mit vorgemerkten Änderungen.',
  noSelection: 'Zuerst mehr als eine Zelle im Raster auswählen.',
  tooManySelected: (most) =>
    formatMessage(
      'Höchstens {most, plural, one {# ausgewählte Zeile} other {# ausgewählte Zeilen}}; stattdessen die gefilterten Zeilen exportieren.',
      { most },
    ),
  columns: 'Spalten',
  allColumns: 'Alle, auch die, welche die Struktur nicht nennt',
  allColumnsSelected: 'Alle',
  chosenColumns: 'Ausgewählte Spalten',
  columnsChosen: 'Zu exportierende Spalten',
  noColumns: 'Mindestens eine Spalte auswählen.',
  header: 'Erste Zeile mit den Spaltennamen',
  guardFormulas: 'Apostroph vor Text setzen, den eine Tabellenkalkulation als Formel ausführen würde',
  file: 'Datei',
  fileHelp: 'Vollständiger Pfad auf dem Computer, auf dem Tabularium läuft.',
  fileMissing: 'Den Pfad der Datei eingeben.',
  choose: 'Ort wählen…',
  chosen: (file) => `${file}, im gewählten Ordner`,
  chosenHelp: 'Dieses Fenster speichert die Datei. Bis zum Ende des Exports offen lassen.',
  typePath: 'Stattdessen einen Pfad eingeben',
  chooseFailed: 'Der Browser hat keinen Dialog für die Datei geöffnet',
  windowFailed: (file, reason) => `${file} konnte nicht gespeichert werden: ${reason}`,
  start: 'Exportieren',
  overwriteTitle: 'Diese Datei gibt es schon',
  overwrite: (file) => `${file} ersetzen`,
  failed: 'Der Export konnte nicht gestartet werden',
  running: (table, rows, all, bytesPerSecond) =>
    formatMessage('{table} wird exportiert: {rows} {of, plural, one {Zeile} other {Zeilen}}, {bytesPerSecond}/s', {
      table,
      rows: all === undefined ? formatCount(rows) : `${formatCount(rows)} von ${all}`,
      of: all === undefined ? rows : 2,
      bytesPerSecond: formatBytes(Math.round(bytesPerSecond)),
    }),
  waiting: (table) => `Der Export von ${table} wartet auf die anderen dieser Verbindung`,
  done: (table, rows, bytes, file) =>
    formatMessage('{table} exportiert: {rows, plural, one {# Zeile} other {# Zeilen}} ({bytes}) nach {file}', {
      table,
      rows,
      bytes: formatBytes(bytes),
      file,
    }),
  openFolder: 'Ordner öffnen',
  failedWith: (table, reason) => `Der Export von ${table} ist fehlgeschlagen: ${reason}`,
  cancelled: (table) => `Der Export von ${table} wurde abgebrochen; die unfertige Datei wurde entfernt.`,
  undecided: 'Exporte, die eine Entscheidung brauchen',
  rowsMissing: (file, table, got, counted) =>
    formatMessage(
      '{file} hat {got, plural, one {# Zeile} other {# Zeilen}} von {table}, aber die Datenbank zählt {counted}. Vielleicht fehlen Zeilen.',
      {
        file,
        table,
        got,
        counted: formatCount(counted),
      },
    ),
  rowsBeyond: (file, table, got, counted) =>
    formatMessage(
      '{file} hat {got, plural, one {# Zeile} other {# Zeilen}} von {table}, aber die Datenbank zählt {counted}. Vielleicht gibt es manche Zeilen in der Datenbank nicht mehr.',
      { file, table, got, counted: formatCount(counted) },
    ),
  keep: 'Datei behalten',
  remove: 'Datei löschen',
  removed: (table) => `Die exportierte Datei von ${table} wurde gelöscht.`,
};
