import { formatBytes, formatCount } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';
import type { Strings } from '../en/index.ts';

const cells = (count: number): string => formatMessage('{count, plural, one {# Zelle} other {# Zellen}}', { count });
const rows = (count: number): string => formatMessage('{count, plural, one {# Zeile} other {# Zeilen}}', { count });
/** Some names, and how many more there are. */
const someOf = (names: readonly string[], more: number): string =>
  names.join(', ') + (more === 0 ? '' : formatMessage(' und {more, plural, one {# weiterer} other {# weitere}}', { more }));
const columnCount = (count: number): string => formatMessage('{count, plural, one {# Spalte} other {# Spalten}}', { count });

/** Choosing and copying cells. */
export const selection: Strings['selection'] = {
  rowNumbers: 'Zeilennummern',
  selectAll: 'Alle Zeilen und Spalten auswählen',
  newRow: 'Neue Zeile',
  noCell: 'Zuerst eine Zelle wählen.',
  cells,
  shape: (rowCount, count) => `${rows(rowCount)} × ${columnCount(count)}`,
  sum: (value) => `Summe ${value}`,
  average: (value) => `Mittel ${value}`,
  least: (value) => `Kleinster ${value}`,
  greatest: (value) => `Größter ${value}`,
  partly: (count) => `Geladen (${cells(count)}):`,
  selectedAll: (rowCount) => `Ganze Tabelle ausgewählt: ${rows(rowCount)}`,
  selectedLoaded: (rowCount) => `Alles bisher Gelesene ausgewählt: ${rows(rowCount)}`,
  summary: 'Auswahl',
  copyAs: 'Kopieren als',
  formats: {
    tsv: 'Text mit Tabulatoren',
    csv: 'CSV',
    guardedCsv: 'CSV für eine Tabellenkalkulation (Formeln entschärft)',
    json: 'JSON',
    markdown: 'Markdown-Tabelle',
  },
  withHeader: (format) => `${format}, mit Spaltennamen`,
  copyFormat: (format) => `Kopieren als ${format}`,
  copying: (done, all) => `Kopieren: ${formatCount(done)} von ${rows(all)}`,
  copied: (rowCount, count) => `${rows(rowCount)} × ${columnCount(count)} kopiert`,
  copyStopped: 'Das Kopieren wurde gestoppt; die Zwischenablage ist unverändert.',
  copyFailed: (reason) => `Nichts wurde kopiert: ${reason}`,
  copyShape:
    'Diese Bereiche haben weder Zeilen noch Spalten gemeinsam, daher ergeben sie keine Tabelle. Einen nach dem anderen auswählen.',
  copyTooMany: (most) => `Auf einmal kopieren: höchstens ${rows(most)}. Mehr in eine Datei exportieren.`,
  copyTooLarge: (bytes) =>
    `Mehr als ${formatBytes(bytes)} können nicht kopiert werden. Die Zeilen stattdessen in eine Datei exportieren.`,
  selectRow: 'Zeile auswählen',
  selectColumn: 'Spalte auswählen',
  deleteRows: (count) => `${rows(count)} löschen`,
  duplicateRows: (count) => `${rows(count)} duplizieren`,
  tooManyRows: (most) => `Auf einmal ändern: höchstens ${rows(most)}.`,
  readingRows: (count) => `${rows(count)} lesen`,
};

/** Arranging columns. */
export const columns: Strings['columns'] = {
  menu: (column) => `Aktionen für ${column}`,
  open: 'Spalten…',
  title: 'Spalten',
  search: 'Spalte suchen',
  noMatch: 'Keine Spalte passt.',
  showAll: 'Alle anzeigen',
  reset: 'Zurücksetzen',
  resetHint: 'Reihenfolge, Breiten und alles andere wie zu Beginn',
  shown: (shown, all) => `${formatCount(shown)} von ${columnCount(all)}`,
  show: (column) => `${column} anzeigen`,
  moveUp: (column) => `${column} nach oben`,
  moveDown: (column) => `${column} nach unten`,
  sortAscending: 'Aufsteigend sortieren',
  sortDescending: 'Absteigend sortieren',
  alsoAscending: 'Dann hiernach, aufsteigend',
  alsoDescending: 'Dann hiernach, absteigend',
  clearSort: 'Nicht danach sortieren',
  hide: 'Spalte ausblenden',
  lastColumn: 'Eine Spalte muss bleiben.',
  fit: 'An den Inhalt anpassen',
  fitAll: 'Alle Spalten anpassen',
  moveLeft: 'Nach links',
  moveRight: 'Nach rechts',
  atStart: 'Ist schon die erste Spalte.',
  atEnd: 'Ist schon die letzte Spalte.',
  freeze: 'Bis hier fixieren',
  tooManyFrozen: (most) => `Fixieren: höchstens ${columnCount(most)}.`,
  unfreeze: 'Keine Spalte fixieren',
  copyName: 'Namen kopieren',
  filterBy: 'Nach dieser Spalte filtern',
  notFilterable: 'Nach dieser Spalte kann nicht gefiltert werden.',
  dates: 'Als Datum anzeigen (UTC)',
  dateUnits: { seconds: 'Sekunden', milliseconds: 'Millisekunden', microseconds: 'Mikrosekunden' },
  likely: (unit) => `${unit} (wahrscheinlich)`,
  plainNumbers: 'Als Zahlen',
  onlyIntegers: 'Nur ganze Zahlen lassen sich als Datum anzeigen.',
  dateTitle: (digits) => `Gespeichert als ${digits}`,
  hidden: (column) => `${column} ist ausgeblendet; „Spalten…“ zeigt sie wieder an.`,
  moved: (column, place) => `${column} ist jetzt Spalte ${formatCount(place)}.`,
};

export const find: Strings['find'] = {
  label: 'In geladenen Zeilen suchen',
  placeholder: 'Suchen',
  matches: (place, count) => `${formatCount(place)} von ${formatCount(count)}`,
  mostMatches: (place, count) => `${formatCount(place)} von mehr als ${formatCount(count)}`,
  none: 'Kein Treffer',
  scope: (rowCount) => `geladen: ${rows(rowCount)}`,
  next: 'Nächster Treffer (Eingabe)',
  previous: 'Voriger Treffer (Umschalt+Eingabe)',
  close: 'Schließen (Esc)',
  matchCase: 'Groß-/Kleinschreibung beachten',
  open: 'In geladenen Zeilen suchen',
  goTo: 'Zu Zeile oder Spalte gehen…',
  goToTitle: 'Gehen zu',
  row: 'Zeile',
  rowHelp: (count) => `1 bis ${formatCount(count)}`,
  badRow: (count) => `Eine Zahl von 1 bis ${formatCount(count)} eingeben.`,
  column: 'Spalte',
  go: 'Gehen',
  lastRow: 'Zur letzten Zeile gehen',
  firstRow: 'Zur ersten Zeile gehen',
};

export const paste: Strings['paste'] = {
  title: (table) => `In ${table} einfügen`,
  paste: 'Einfügen',
  open: 'Einfügen…',
  empty: 'Die Zwischenablage enthält keinen Text.',
  refused: 'Der Browser hat das Lesen der Zwischenablage nicht erlaubt. Stattdessen Strg+V drücken.',
  tooLong: (bytes) => `Mehr als ${formatBytes(bytes)} können nicht auf einmal eingefügt werden.`,
  tooManyFields: (most) =>
    `Die Zeilen haben zusammen mehr als ${formatCount(most)} Felder; so viele können nicht auf einmal eingefügt werden. Weniger Zeilen einfügen.`,
  format: 'Lesen als',
  formats: { tsv: 'Tabulatoren', csv: 'Kommas', semicolons: 'Semikolons', json: 'JSON', lines: 'Zeilen' },
  header: 'Die erste Zeile enthält die Spaltennamen',
  into: 'Einfügen',
  intoCells: (row, column) => `In die Zellen ab Zeile ${formatCount(row)}, ${column}`,
  asRows: 'Als neue Zeilen',
  noRoom: 'Felder hinter der letzten Zeile werden neue Zeilen.',
  brokenJson: {
    title: 'Das beginnt wie JSON, ist aber kein gültiges JSON',
    at: (line, character, reason) => `Zeile ${formatCount(line)}, Zeichen ${formatCount(character)}: ${reason}`,
    advice: 'Den Text berichtigen und erneut einfügen, oder ihn so vormerken, wie er unten gezeigt wird.',
  },
  preview: 'Was vorgemerkt wird',
  more: (count, changed) =>
    formatMessage(
      'und {count, plural, one {# weitere Zeile} other {# weitere Zeilen}}{changed, plural, =0 {} one {; geändert wird dabei # vorhandene Zeile, die hier nicht gezeigt wird} other {; geändert werden dabei # vorhandene Zeilen, die hier nicht gezeigt werden}}',
      { count, changed },
    ),
  moreColumns: (count) => formatMessage('und {count, plural, one {# weitere Spalte} other {# weitere Spalten}}', { count }),
  planning: (done, all) => `${formatCount(done)} von ${formatCount(all)} Zeilen gelesen`,
  staging: 'Wird vorgemerkt…',
  takingBack: 'Wird abgebrochen: Vorgemerktes wird zurückgenommen…',
  undeclared: (count, names) =>
    formatMessage(
      '{count, plural, one {# Name ist keine Spalte} other {# Namen sind keine Spalten}} der Tabelle: {names}. Beim Speichern {count, plural, one {kommt er} other {kommen sie}} mit in die Zeilen.',
      { count, names: someOf(names, count - names.length) },
    ),
  line: (number) => `Zeile ${formatCount(number)}`,
  new: 'neu',
  membersStay:
    'Felder, die in den eingefügten Objekten fehlen, bleiben, wie sie sind. Ein ganzes Dokument ersetzen Sie im Inspektor.',
  tooManyAdvice: 'Fügen Sie einen Teil ein, speichern Sie ihn, und fügen Sie dann den nächsten ein.',
  unchanged: 'Nichts vorzumerken: Kein Feld weicht von dem ab, was da ist.',
  nothingFits: 'Nichts vorzumerken: Keines der Felder lässt sich übernehmen.',
  counts: (cellCount, newRows) =>
    formatMessage(
      'Insgesamt {cellCount, plural, one {# Zelle} other {# Zellen}}, {newRows, plural, one {# neue Zeile} other {# neue Zeilen}}',
      { cellCount, newRows },
    ),
  faults: (count) =>
    formatMessage('{count, plural, one {# Feld kann} other {# Felder können}} nicht vorgemerkt werden.', { count }),
  problems: 'Felder, die nicht vorgemerkt werden können',
  problem: (column, reason, count) =>
    formatMessage('{column} {count, plural, one {# Feld} other {# Felder}}: {reason}', {
      column: column === '' ? '' : `„${column}“,`,
      count,
      reason,
    }).trimStart(),
  moreProblems: (count) =>
    formatMessage('und {count, plural, one {# weitere Art} other {# weitere Arten}} von Problemen', { count }),
  nextProblem: 'Nächstes Problem',
  linesFrom: (first, last, all) => `Zeilen ${formatCount(first)} bis ${formatCount(last)} von ${formatCount(all)}`,
  faultKinds: {
    integer: 'Das ist keine ganze Zahl.',
    decimal: 'Das ist keine Zahl.',
    boolean: 'Das ist weder true noch false.',
    json: 'Das ist kein gültiges JSON.',
    bytes: 'Bytes werden in base64 geschrieben oder hexadezimal nach \\x.',
    unclearBytes: 'Das ist base64 und hexadezimal. Für hexadezimal \\x schreiben.',
  },
  outOfRange: (least, greatest, smallest) =>
    `Eine Zahl von ${least} bis ${greatest} eingeben${smallest === undefined ? '' : `, nicht näher an 0 als ${smallest}`}.`,
  noLabel: (labels) => `Eines von ${labels} eingeben. „Struktur neu laden“ findet neue.`,
  notNullable: 'Diese Spalte kann nicht null sein.',
  noColumn: 'Dafür gibt es keine Spalte.',
  twice: (name) => `„${name}“ kommt zweimal vor. Eines von beiden behalten.`,
  member: 'Keine Spalte heißt so. Es wird mit der Zeile gespeichert.',
  rowDeleted: 'Diese Zeile ist zum Löschen vorgemerkt.',
  rowLeftOut: 'Diese Zeile wird ausgelassen, weil ein Name darin zweimal vorkommt.',
  stage: (count) => `${cells(count)} vormerken`,
  stageRows: (count) => formatMessage('{count, plural, one {# neue Zeile} other {# neue Zeilen}} vormerken', { count }),
  stageRest: (count, faults) => `${cells(count)} vormerken, ${formatCount(faults)} auslassen`,
  staged: (count) => `${cells(count)} aus der Zwischenablage vorgemerkt`,
  stagedRows: (count) =>
    formatMessage('{count, plural, one {# neue Zeile} other {# neue Zeilen}} aus der Zwischenablage vorgemerkt', { count }),
  unreadRow: 'Die Zeilen, über die eingefügt wurde, konnten nicht gelesen werden.',
};
