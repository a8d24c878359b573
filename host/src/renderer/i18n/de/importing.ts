import { formatCount } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';
import type { Strings } from '../en/index.ts';

/** Imports. */
export const importing: Strings['importing'] = {
  open: 'Importieren…',
  openNew: (table) => `In neue ${table} importieren…`,
  unavailable: 'Dieser Treiber importiert nicht.',
  title: (table) => `In ${table} importieren`,
  titleNew: (table) => `In neue ${table} importieren`,
  file: 'Datei',
  choose: 'Datei auswählen…',
  drop: 'Datei auswählen, hier ablegen, oder Zeilen einfügen. Gelesen werden JSON-Zeilen, JSON und CSV, auch mit gzip komprimiert.',
  pasted: 'Eingefügte Zeilen',
  sending: (name) => `${name} wird gelesen`,
  looking: 'Die ersten Zeilen werden gelesen…',
  format: 'Format',
  formats: { jsonl: 'JSON-Zeilen', json: 'JSON', csv: 'CSV', rejected: 'Abgelehnte Zeilen' },
  separator: 'Trennzeichen',
  separators: { ',': 'Komma', ';': 'Semikolon', '\t': 'Tabulator', '|': 'Senkrechter Strich' },
  header: 'Erste Zeile mit den Namen der Spalten',
  preview: 'Erste Zeilen',
  previewOf: (rows) => formatMessage('Die {rows, plural, one {erste Zeile} other {ersten # Zeilen}}', { rows }),
  noRows: 'Keine Zeilen.',
  line: 'Zeile',
  problem: 'Problem',
  noProblems: (of) =>
    of === 1 ? 'Soweit vorher zu erkennen, würde sie nicht abgelehnt.' : 'Soweit vorher zu erkennen, würde keine abgelehnt.',
  problems: (count, of) =>
    of === 1
      ? 'Sie würde abgelehnt.'
      : formatMessage('{count, plural, one {Mindestens # davon würde abgelehnt.} other {Mindestens # davon würden abgelehnt.}}', {
          count,
        }),
  mostRejected: (count, of) =>
    of === 1
      ? 'Die Zeile würde abgelehnt.'
      : `Von den ersten ${formatCount(of)} Zeilen würden mindestens ${formatCount(count)} abgelehnt.`,
  target: (source) => `Feld für ${source}`,
  type: (source) => `Typ von ${source}`,
  types: {
    asIs: 'Wie es ist',
    text: 'Text',
    integer: 'Ganze Zahl',
    decimal: 'Zahl',
    boolean: 'Wahr oder falsch',
    json: 'JSON',
    list: 'Liste',
    ignore: 'Weglassen',
  },
  spliced: 'Zeilen gehen so an den Server, wie sie sind.',
  mode: 'Zeilen, die es schon gibt',
  request: 'Anfrage',
  name: 'Name',
  nameMissing: 'Einen Namen eingeben.',
  otherNamespace: (name) => `Anderswo: ${name}…`,
  namespace: 'Namensraum',
  definition: 'Definition',
  definitionHelp: 'Aus den ersten Zeilen vorgeschlagen. Sie lässt sich vor dem Anlegen ändern.',
  definitionLike: 'Die der Quelle. Sie lässt sich vor dem Anlegen ändern.',
  definitionFailed: 'Aus diesen Spalten lässt sich keine Tabelle anlegen',
  plan: 'Angelegt durch',
  planFailed: 'So lässt sie sich nicht anlegen',
  start: 'Importieren',
  startNew: 'Anlegen und importieren',
  failed: 'Der Import konnte nicht begonnen werden',
  fileFailed: 'Die Datei lässt sich nicht importieren',
  running: (table, read, rowsPerSecond) =>
    formatMessage('Import in {table}: {read} {count, plural, one {Zeile} other {Zeilen}}, {speed}/s', {
      table,
      read: formatCount(read),
      count: read,
      speed: formatCount(rowsPerSecond),
    }),
  list: 'Importe',
  done: (table, written) =>
    formatMessage('{written, plural, one {# Zeile} other {# Zeilen}} in {table} importiert.', { table, written }),
  doneRejected: (table, written, rejected) =>
    formatMessage(
      '{written, plural, one {# Zeile} other {# Zeilen}} in {table} importiert; {rejected, plural, one {# Zeile wurde} other {# Zeilen wurden}} abgelehnt.',
      { table, written, rejected },
    ),
  cancelled: (table, written) =>
    formatMessage(
      'Der Import in {table} wurde abgebrochen; {written, plural, one {# Zeile wurde} other {# Zeilen wurden}} geschrieben.',
      { table, written },
    ),
  paused: (table, read) =>
    formatMessage('Der Import in {table} ist nach {read, plural, one {# Zeile} other {# Zeilen}} angehalten.', { table, read }),
  pausing: (table) => `Der Import in ${table} hält nach den gesendeten Zeilen an.`,
  interrupted: (table, read, reason) =>
    formatMessage('Der Import in {table} wurde nach {read, plural, one {# Zeile} other {# Zeilen}} unterbrochen. {reason}', {
      table,
      read,
      reason,
    }),
  uncertain: (count) =>
    formatMessage('Bis zu {count, plural, one {# weitere Zeile ist} other {# weitere Zeilen sind}} vielleicht geschrieben.', {
      count,
    }),
  otherTable: (table, began, now) =>
    `${table} war beim Beginn des Imports „${began}“ und ist jetzt „${now}“: Vorher geschriebene Zeilen fehlen vielleicht.`,
  missing: (count) =>
    formatMessage(
      'Mindestens {count, plural, one {# geschriebene Zeile fehlt} other {# geschriebene Zeilen fehlen}} in der Tabelle: Sie wurde inzwischen geändert.',
      { count },
    ),
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  repeat: 'Fortsetzen und noch einmal senden',
  skip: 'Fortsetzen und überspringen',
  continueThere: 'In dieser Tabelle fortsetzen',
  reasons: 'Gründe anzeigen',
  reason: (line, message) => `Zeile ${line}: ${message}`,
  rejectedFile: (file) => `Alle, mit ihren Gründen: ${file}`,
  tryAgain: 'Diese noch einmal versuchen',
  dismiss: 'Schließen',
  dismissAll: (count) => formatMessage('{count, plural, one {# beendeten} other {Alle # beendeten}} schließen', { count }),
  discard: 'Die Datei, die Zuordnung und alle Eingaben gehen verloren.',
  renamed: (names) => `Die erste Zeile hat Namen mehrfach: Die späteren Spalten wurden als ${names} importiert.`,
  unmet: (names) => `Keine Zeile hat ${names}, obwohl die Zuordnung es nennt.`,
  copy: 'Kopieren nach…',
  copyTitle: (table) => `${table} kopieren`,
  copyTo: 'Verbindung',
  copyInto: 'Ziel',
  copyNew: (table) => `${table}, neu angelegt`,
  copyThere: (table) => `${table}, schon vorhanden`,
  copyTableMissing: 'Auswählen, wohin die Zeilen kommen.',
  copyRows: (rows, connection) => `${rows} von ${connection} werden kopiert, wie sie jetzt sind.`,
  copyThereRows: (rows) => `Das Ziel hat ${rows}.`,
  copyRowCount: (rows, isExact) =>
    formatMessage('{about}{rows, plural, one {# Zeile} other {# Zeilen}}', { rows, about: isExact ? '' : 'etwa ' }),
  leftOut: 'Teile der Tabelle, die nicht kopiert werden',
  leftOutPart: (part, names, more) => `Nicht kopiert: ${part}: ${names}${more === 0 ? '' : ` und ${more} weitere`}`,
  parts: {
    identity: 'Nummern, die die Datenbank vergibt (Identity)',
    computed: 'berechnete Spalten, die zu gewöhnlichen werden',
    defaults: 'Vorgaben',
    foreignKeys: 'Fremdschlüssel',
    indexes: 'Indizes',
    triggers: 'Trigger',
    comments: 'Kommentare',
  },
  copyAsText: (names) => `Wird zu Text, weil das Ziel dort Text hat: ${names}.`,
  copyTypeName: (name) => `${name} zur Bestätigung eingeben`,
  copyStart: 'Kopieren',
  copyStartNew: 'Anlegen und kopieren',
  copyFailed: 'Die Zeilen lassen sich nicht kopieren',
  copyIntoIt: 'Dorthin kopieren',
  importIntoIt: 'Dorthin importieren',
  newTaken: (table) => `„${table}“ gibt es schon. Einen anderen Namen wählen oder die Zeilen dort hinzufügen.`,
  newMade: (table) => `„${table}“ wurde vor dem Fehler angelegt. Die Zeilen dort hinzufügen oder einen anderen Namen wählen.`,
  newUnknown: (table) => `Ob „${table}“ angelegt wurde, ist nicht bekannt: Die Liste der Tabellen war nicht zu lesen.`,
  lookAgain: 'Erneut nachsehen',
  copying: {
    running: (table, read, rowsPerSecond) =>
      formatMessage('Kopie nach {table}: {read} {count, plural, one {Zeile} other {Zeilen}}, {speed}/s', {
        table,
        read: formatCount(read),
        count: read,
        speed: formatCount(rowsPerSecond),
      }),
    done: (table, written) =>
      formatMessage('{written, plural, one {# Zeile} other {# Zeilen}} nach {table} kopiert.', { table, written }),
    doneRejected: (table, written, rejected) =>
      formatMessage(
        '{written, plural, one {# Zeile} other {# Zeilen}} nach {table} kopiert; {rejected, plural, one {# Zeile wurde} other {# Zeilen wurden}} abgelehnt.',
        { table, written, rejected },
      ),
    cancelled: (table, written) =>
      formatMessage(
        'Die Kopie nach {table} wurde abgebrochen; {written, plural, one {# Zeile wurde} other {# Zeilen wurden}} geschrieben.',
        { table, written },
      ),
    paused: (table, read) =>
      formatMessage('Die Kopie nach {table} ist nach {read, plural, one {# Zeile} other {# Zeilen}} angehalten.', {
        table,
        read,
      }),
    pausing: (table) => `Die Kopie nach ${table} hält nach den gesendeten Zeilen an.`,
    interrupted: (table, read, reason) =>
      formatMessage('Die Kopie nach {table} wurde nach {read, plural, one {# Zeile} other {# Zeilen}} unterbrochen. {reason}', {
        table,
        read,
        reason,
      }),
  },
  reading: (source, table, rows) =>
    formatMessage('Kopie von {source} in {table}: {rows, plural, one {# Zeile} other {# Zeilen}} gelesen', {
      source,
      table,
      rows,
    }),
  rowsDiffer: (got, counted) =>
    formatMessage(
      '{got, plural, one {# Zeile wurde} other {# Zeilen wurden}} gelesen, die Quelle zählt aber {counted, number}.',
      {
        got,
        counted,
      },
    ),
  newRemoved: (table: string): string => `Keine Zeile wurde geschrieben, daher wurde das neu angelegte ${table} wieder entfernt.`,
  newEmpty: (table: string): string => `${table} ist neu und leer; wird es nicht gebraucht, kann es gelöscht werden.`,
  newEmptyYet: (table: string): string => `${table} ist neu und noch leer. Abbrechen entfernt es wieder.`,
};
