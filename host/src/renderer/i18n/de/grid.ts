import { formatBytes, formatCount, formatMilliseconds, formatRowCount } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';
import type { Strings } from '../en/index.ts';

/** The grid, its pages, and the structure of a table. */
export const grid: Strings['grid'] = {
  label: (name) => `Zeilen von ${name}`,
  null: 'null',
  absent: '—',
  empty: 'leer',
  nullTitle: 'Null: Das Feld ist da und enthält nichts.',
  absentTitle: 'Fehlt: Diese Zeile hat das Feld nicht.',
  emptyTitle: 'Leerer Text: Das Feld enthält einen Text ohne Zeichen.',
  bytes: (count) => formatBytes(count),
  dimensions: (count) => formatMessage('{count, plural, one {# Dimension} other {# Dimensionen}}', { count }),
  numbers: (count) => formatMessage('{count, plural, one {# Zahl} other {# Zahlen}}', { count }),
  pictureTitle: 'Adresse eines Bildes. Das Menü der Zelle und der Inspektor öffnen es in einem neuen Tab.',
  longTitle: (count) => formatMessage('{count, plural, one {# Zeichen} other {# Zeichen}}. Der Inspektor zeigt alle.', { count }),
  unread: 'nicht gelesen',
  unreadTitle: 'Nicht mit der Seite gelesen, weil der Wert lang oder ausgeblendet ist. Der Inspektor liest ihn.',
  follow: (table, columns) =>
    columns.length === 1
      ? `Zugehörige Zeile in ${table} öffnen`
      : `Zugehörige Zeile in ${table} öffnen (${columns.join(', ')})`,
  refersTo: (table, keys) => `Verweist auf ${table}. ${keys} öffnet die Zeile.`,
  refersToNone: (column) => `„${column}“ hat keinen Wert und verweist auf keine Zeile.`,
  refersNowhere: 'Diese Spalte verweist auf keine andere Tabelle.',
  rowNotRead: 'Die Zeile wird noch gelesen.',
  notFilterable: (table) => `„${table}“ lässt sich nicht nach diesen Werten filtern, deshalb sind alle Zeilen zu sehen.`,
  showsReferenced: (table) => `„${table}“ zeigt die zugehörige Zeile statt des vorigen Filters.`,
  formerFilter: 'Voriger Filter',
  readingValues: 'Lange Werte werden gelesen',
  valueMissing: 'Die Zeile ist nicht mehr da, oder ihr Wert konnte nicht gelesen werden.',
  valueMissingAdvice: 'Zeilen neu laden und erneut versuchen.',
  sortAscending: 'Aufsteigend sortiert',
  sortDescending: 'Absteigend sortiert',
  sortPosition: (position) => `, Sortierung ${position}`,
  sortHint: 'Klick sortiert, Umschalt+Klick sortiert nach mehreren Spalten',
  unsortable: (reason) => `Kann nicht sortiert werden: ${reason}`,
  sortLimit: (limit) =>
    limit === 0
      ? 'Diese Datenbank kann nicht sortieren.'
      : formatMessage('Gleichzeitig sortieren ist nach höchstens {limit, plural, one {# Spalte} other {# Spalten}} möglich.', {
          limit,
        }),
  sortDropped: (column, reason) => `Nicht nach ${column} sortiert: ${reason}`,
  resize: (column) => `Breite von ${column}`,
  key: 'Schlüssel',
  noRowsTitle: (row) => `Keine ${row.other}`,
  noRowsText: (table, row) => `„${table}“ enthält keine ${row.other}. Nach dem Neuladen erscheinen sie hier.`,
  pageFailed: (first, last) => `Zeilen ${formatCount(first)}–${formatCount(last)} konnten nicht gelesen werden`,
  formerRows: 'Unten stehen die zuletzt gelesenen Zeilen.',
  readFailed: (name) => `„${name}“ konnte nicht gelesen werden`,
  reloadStructure: 'Struktur neu laden',
  reloadRows: 'Zeilen neu laden',
  reload: 'Neu laden',
  reading: (name) => `${name} wird gelesen`,
  readingCancelled: 'Das Lesen dieser Zeilen wurde abgebrochen.',
  readingCancelledAdvice: 'Erneut versuchen, um sie zu sehen.',
  copied: (column) => `${column} kopiert`,
  copyRefused: 'Der Browser hat das Kopieren nicht erlaubt.',
  rowNumber: (row) => `Zeile ${formatCount(row)}`,
};

export const pager: Strings['pager'] = {
  label: 'Seiten',
  pageSize: 'Zeilen pro Seite',
  perPage: (size) => `${formatCount(size)} Zeilen`,
  first: 'Erste Seite',
  previous: 'Vorige Seite',
  next: 'Nächste Seite',
  last: 'Letzte Seite',
  lastUnknown: 'Die letzte Seite wird durch Weiterlesen erreicht: Diese Tabelle wird nur von ihrem Anfang her gelesen.',
  range: (first, last) => `${formatCount(first)}–${formatCount(last)}`,
  of: (total) => `von ${total}`,
  ofMore: 'von mehr',
  total: (count) => formatRowCount(count),
  milliseconds: (milliseconds) => formatMilliseconds(milliseconds),
  millisecondsTitle: 'Dauer der letzten Seite, vom Host bis zur Antwort',
  estimate: 'eine Schätzung',
};

export const structure: Strings['structure'] = {
  former: 'Unten steht die zuletzt gelesene Struktur.',
  label: (name) => `Struktur von ${name}`,
  name: 'Name',
  type: 'Typ',
  abilities: 'Merkmale',
  legend: 'Bedeutung der Merkmale',
  marks: { key: 'Schlüssel', required: 'Pflicht', optional: 'Freiwillig', sort: 'Sortieren', filter: 'Filtern', fixed: 'Fest' },
  meaning: {
    key: 'Bestimmt die Zeile eindeutig',
    required: 'Eine neue Zeile braucht einen Wert',
    optional: 'Der Wert darf fehlen',
    sort: 'Zeilen lassen sich danach sortieren',
    filter: 'Zeilen lassen sich danach filtern',
    fixed: 'Werte lassen sich nicht bearbeiten',
  },
  why: 'Warum nicht?',
  whyOf: (name) => `Warum Merkmale von ${name} fehlen`,
  note: 'Hinweis',
  definition: 'Definition',
  failed: (name) => `Die Struktur von „${name}“ konnte nicht gelesen werden`,
  cancelled: 'Das Lesen wurde abgebrochen.',
  cancelledAdvice: 'Erneut versuchen, um diese Tabelle zu sehen.',
};
