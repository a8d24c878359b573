import { formatCount } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';
import type { Strings } from '../en/index.ts';

const changes = (count: number): string => formatMessage('{count, plural, one {# Änderung} other {# Änderungen}}', { count });
const changesOf = (count: number, table: string): string =>
  formatMessage('{count, plural, one {# Änderung} other {# Änderungen}} an {table}', { count, table });

/** Some names, and how many more there are. */
function listed(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most).map((name) => `„${name}“`);
  return names.length > shown.length ? `${shown.join(', ')} und ${names.length - shown.length} weitere` : shown.join(', ');
}

/** Editing rows. */
export const editing: Strings['editing'] = {
  changes,
  review: 'Prüfen…',
  discardAll: 'Verwerfen',
  discardTitle: (count, table) => `${changesOf(count, `„${table}“`)} verwerfen?`,
  discarded: (count, table) =>
    formatMessage('{count, plural, one {# Änderung} other {# Änderungen}} von {table} verworfen', { count, table }),
  discardText: 'Auf dem Server ändert sich nichts. „Rückgängig“ holt die Änderungen zurück.',
  waiting: (count) =>
    formatMessage('{count, plural, one {# Schritt wartet} other {# Schritte warten}} auf Tabularium', { count }),
  readingReview: 'Die Anfragen werden erwartet…',
  discardConfirm: (count) => formatMessage('{count, plural, one {# Änderung} other {# Änderungen}} verwerfen', { count }),
  keep: 'Behalten',
  staysStaged:
    'Änderungen bleiben hier, wenn der Tab, das Fenster oder Tabularium geschlossen wird, auch nach einem Absturz. Vor dem Speichern wird nichts gesendet.',
  closedStaged: (table, count) =>
    formatMessage(
      '„{table}“ wurde geschlossen; vorgemerkt und nicht gespeichert {count, plural, one {bleibt # Änderung} other {bleiben # Änderungen}}.',
      { table, count },
    ),
  openAgain: 'Wieder öffnen',
  cancelling: (table) => `Das Speichern von ${table} wird abgebrochen …`,
  saving: (table) => `Änderungen an ${table} werden gespeichert`,
  savingProgress: (table, done, all) => `Änderungen an ${table} werden gespeichert: ${formatCount(done)} von ${formatCount(all)}`,
  saved: (count, table) => `${changesOf(count, table)} gespeichert`,
  savedSome: (saved, left) =>
    formatMessage(
      '{saved, plural, one {# Änderung} other {# Änderungen}} gespeichert; {left, plural, one {# Änderung konnte nicht gespeichert werden und bleibt} other {# Änderungen konnten nicht gespeichert werden und bleiben}} vorgemerkt.',
      { saved, left },
    ),
  savedUncertain: (saved, uncertain, left) =>
    formatMessage(
      '{saved, plural, one {# Änderung} other {# Änderungen}} gespeichert; {uncertain, plural, one {# Änderung wurde} other {# Änderungen wurden}} vielleicht gespeichert: Sehen Sie die Zeilen an, bevor Sie sie noch einmal speichern. {left, plural, =0 {} one {# Änderung wurde nicht gespeichert.} other {# Änderungen wurden nicht gespeichert.}}',
      { saved, uncertain, left },
    ).trimEnd(),
  savedBeforeCancel: (saved, left, table) =>
    formatMessage(
      '{saved, plural, one {# Änderung} other {# Änderungen}} an {table} gespeichert, dann abgebrochen; {left, plural, one {# Änderung wurde nicht gesendet und bleibt} other {# Änderungen wurden nicht gesendet und bleiben}} vorgemerkt.',
      { saved, left, table },
    ),
  savingCancelled: (left) =>
    formatMessage(
      'Das Speichern wurde abgebrochen und nichts geändert: {left, plural, one {# Änderung bleibt} other {# Änderungen bleiben}} vorgemerkt.',
      { left },
    ),
  saveFailed: 'Die Änderungen konnten nicht gespeichert werden',
  failed: (count) => `${formatCount(count)} fehlgeschlagen`,
  unknown: (count) => `${formatCount(count)} ungewiss`,
  meanwhile: {
    count: (count) => `${formatCount(count)} nicht mehr wie gesehen`,
    rowChanged: (columns) => `Inzwischen hat jemand ${listed(columns)} in dieser Zeile geändert.`,
    rowDeleted: 'Inzwischen hat jemand diese Zeile gelöscht.',
    deletedText: 'Jemand hat diese Zeile nach Ihrer Änderung gelöscht.',
    deletedTwice: 'Jemand hat diese Zeile bereits gelöscht.',
    deletionText: 'Jemand hat diese Zeile geändert, nachdem Sie sie zum Löschen vorgemerkt haben.',
    elsewhere: 'Der Name der Tabelle führt zu einer anderen Tabelle als bei Ihrer Änderung dieser Zeile.',
    elsewhereText:
      'Der Name der Tabelle führt zu einer anderen Tabelle als bei Ihrer Änderung dieser Zeile (neu angelegt, umbenannt, ein verschobener Alias), oder zu derselben nach einem Neustart des Servers. „Dort speichern“ vergleicht die Änderung erst mit der Zeile jener Tabelle.',
    identities: 'Wie der Server die beiden nennt',
    identityThen: 'Damals',
    identityNow: 'Jetzt',
    saveThere: 'Dort speichern',
    summary: (count) =>
      formatMessage(
        '{count, plural, one {# Zeile ist nicht mehr so, wie Sie sie gesehen haben. Sie wird} other {# Zeilen sind nicht mehr so, wie Sie sie gesehen haben. Sie werden}} erst gespeichert, wenn Sie entschieden haben.',
        { count },
      ),
    keepMine: 'Meine Werte behalten',
    takeTheirs: 'Fremde Werte übernehmen',
    keepAll: 'Überall meine behalten',
    takeAll: 'Überall fremde übernehmen',
    insertAgain: 'Wieder einfügen',
    insertAgainWithout: (fields) =>
      formatMessage(
        '{fields} dieser Zeile {count, plural, one {wurde} other {wurden}} nie gelesen. Wieder einfügen lässt {count, plural, one {das Feld} other {die Felder}} weg.',
        { fields: listed(fields, 20), count: fields.length },
      ),
    insertAgainOf: 'Wieder einfügen sendet die Werte der Spalten, die gelesen wurden. Mehr ist von der Zeile nicht bekannt.',
    drop: 'Meine Änderung verwerfen',
    deleteAnyway: 'Trotzdem löschen',
    keepRow: 'Zeile behalten',
    unsupported:
      'Diese Datenbank kann keine Zeilen nach ihrem Schlüssel lesen. Tabularium sieht nicht, ob jemand diese Zeilen inzwischen geändert hat.',
    later:
      'Die Zeilen konnten nicht mit ihrem jetzigen Stand verglichen werden. Beim Speichern werden sie verglichen, bevor etwas gesendet wird.',
    outcome: 'Inzwischen geändert',
  },
  cells: {
    field: 'Feld',
    value: 'Wert',
    was: 'War',
    yours: 'Ist (Ihr Wert)',
    now: 'Inzwischen',
    reason: 'Nicht gespeichert, weil',
    alike: (columns) =>
      `Die zwei Werte von ${listed(columns)} sehen hier gleich aus: Sie unterscheiden sich hinter dem gezeigten Teil oder in Zeichen, die gleich aussehen.`,
    blanks: (count) => formatMessage('{count, plural, one {# Leerzeichen} other {# Leerzeichen}}', { count }),
  },
  moreCells: (count) => formatMessage('und {count, plural, one {# weiteres Feld} other {# weitere Felder}}', { count }),
  reviewTitle: (table) => `Änderungen an ${table}`,
  reviewEach:
    'Das wird gesendet, in dieser Reihenfolge. Jede Anfrage steht für sich: Schlägt eine fehl, macht das die anderen nicht rückgängig.',
  reviewAll: 'Das wird gesendet, in dieser Reihenfolge. Entweder geschieht alles oder nichts.',
  reviewOrder: 'Das wird gesendet, in dieser Reihenfolge.',
  cantSave: (reason) => `Diese Änderungen bleiben vorgemerkt und können jetzt nicht gespeichert werden. ${reason}`,
  sendingEach: (done, all) =>
    `Das wird gerade gesendet, in dieser Reihenfolge: ${formatCount(done)} von ${formatCount(all)} erledigt.`,
  sendingAll: 'Das wird gerade gesendet, in dieser Reihenfolge. Entweder geschieht alles oder nichts.',
  madeNone: 'Alle sind eine Transaktion: Weil eine Änderung fehlgeschlagen ist, ist keine erfolgt.',
  notSavedStays: 'Nicht gespeicherte Änderungen bleiben hier vorgemerkt, auch nach einem Absturz.',
  heldAll: (held, good) =>
    formatMessage(
      '{held, plural, one {# Änderung kann so nicht gespeichert werden: Sie ist unten markiert.} other {# Änderungen können so nicht gespeichert werden: Sie sind unten markiert.}} {good, plural, =0 {} one {Alle sind eine Transaktion, daher wartet auch die andere.} other {Alle sind eine Transaktion, daher warten auch die anderen #.}}',
      { held, good },
    ).trimEnd(),
  heldEach: (held) =>
    formatMessage(
      '{held, plural, one {# Änderung kann so nicht gespeichert werden: Sie ist unten markiert und bleibt vorgemerkt.} other {# Änderungen können so nicht gespeichert werden: Sie sind unten markiert und bleiben vorgemerkt.}}',
      { held },
    ),
  leftOutAll: (left: number, rest: number): string =>
    formatMessage(
      '{left, plural, one {# Änderung wurde vielleicht schon gespeichert und wird ausgelassen: unten entscheiden.} other {# Änderungen wurden vielleicht schon gespeichert und werden ausgelassen: unten entscheiden.}} {rest, plural, =0 {} one {Alle Änderungen sind eine Transaktion, darum wartet die andere darauf.} other {Alle Änderungen sind eine Transaktion, darum warten die anderen # darauf.}}',
      { left, rest },
    ).trimEnd(),
  goToFirst: 'Zur ersten',
  showInTable: 'In der Tabelle zeigen',
  ofColumn: (column, reason) => `„${column}“: ${reason}`,
  reviewFailed: 'Die Anfragen konnten nicht vorbereitet werden',
  more: (count) => `und ${formatCount(count)} weitere`,
  save: (count) => formatMessage('{count, plural, one {# Änderung} other {# Änderungen}} speichern', { count }),
  missing: {
    title: 'Vorgemerkte Änderungen fehlender Tabellen',
    text: 'Die Datenbank hat keine Tabelle dieses Namens mehr. Die Änderungen bleiben, bis Sie sie verwerfen, und sind wieder da, wenn die Tabelle zurückkehrt.',
  },
  sendAgain: 'Noch einmal speichern: Ist sie gespeichert, ändert das nichts',
  insertAgain: 'Noch einmal einfügen: Ist die Zeile eingefügt, gibt es sie vielleicht doppelt',
  discardRow: 'Diese Änderung verwerfen',
  kinds: { insert: 'Einfügen', update: 'Ändern', delete: 'Löschen' },
  outcomes: {
    saved: 'Gespeichert',
    failed: 'Fehlgeschlagen',
    unknown: 'Ungewiss',
    sending: 'Wird gesendet',
    notMade: 'Nicht erfolgt',
  },
  notReady: (message) => `Kann nicht gesendet werden: ${message}`,
  edit: 'Zelle bearbeiten',
  editOf: (column) => `${column} bearbeiten`,
  setNull: 'Auf null setzen',
  setAbsent: 'Feld weglassen',
  revertCell: 'Änderung dieser Zelle zurücknehmen',
  revertRow: 'Änderungen dieser Zeile zurücknehmen',
  insertRow: 'Zeile einfügen',
  duplicateRow: 'Zeile duplizieren',
  deleteRow: 'Zeile löschen',
  keepRow: 'Zeile nicht löschen',
  copyCell: 'Wert kopieren',
  showRow: 'Zeile anzeigen',
  menu: 'Aktionen',
  nothingToUndo: 'Es gibt nichts rückgängig zu machen.',
  nothingToRedo: 'Es gibt nichts zu wiederholen.',
  nothingStaged: 'Nichts ist vorgemerkt.',
  undo: 'Rückgängig',
  redo: 'Wiederholen',
  readOnly: (reason) => `Nur lesen: ${reason}`,
  rowIsDeleted: 'Diese Zeile ist zum Löschen vorgemerkt. Das zuerst zurücknehmen.',
  rowIsSending: 'Diese Zeile wird gerade gespeichert.',
  notRead: 'Nicht vorgemerkt: Die Zeile konnte nicht gelesen werden. Ihr Text bleibt.',
  notLoaded: 'Diese Zeile wird noch gelesen.',
  notNullable: 'Diese Spalte kann nicht null sein.',
  leftOut: (count, reason) =>
    formatMessage('{count, plural, one {# Zelle bleibt} other {# Zellen bleiben}} wie bisher: {reason}', { count, reason }),
  emptyFault: 'Nicht geändert: Ein Wert dieses Typs ist nie leer.',
  clearHint: (key) => `Für keinen Wert „Auf null setzen“ im Menü der Zelle wählen (${key}).`,
  faults: {
    integer: 'Nicht geändert: Eine ganze Zahl eingeben.',
    decimal: 'Nicht geändert: Eine Zahl eingeben.',
    boolean: 'Nicht geändert: true oder false eingeben.',
    json: 'Nicht geändert: Das ist kein gültiges JSON.',
    bytes: 'Nicht geändert: Bytes in base64 eingeben oder hexadezimal nach \\x.',
    unclearBytes: 'Nicht geändert: Das kann base64 oder hexadezimal sein. Die Bytes hexadezimal hinter \\x eingeben.',
  },
  readAs: (read, other) => `Wird als ${read} gelesen. Für ${other} den Punkt weglassen.`,
  outOfRange: (least, greatest, smallest) =>
    `Nicht geändert: Eine Zahl von ${least} bis ${greatest} eingeben${smallest === undefined ? '' : `, nicht näher an 0 als ${smallest}`}.`,
  insertedRowLacks: (count) =>
    formatMessage(
      'Diese Zeile wird eingefügt. {count, plural, one {# Pflichtfeld hat} other {# Pflichtfelder haben}} keinen Wert.',
      { count },
    ),
  lacks: (fields) => `In dieser Zeile fehlt ein Wert für ${listed(fields, 20)}. Geben Sie ihn ein, bevor Sie speichern.`,
  labels: (labels) => listed(labels, 12),
  noLabel: (labels) => `Nicht geändert: Eines von ${labels} eingeben. „Struktur neu laden“ findet neue.`,
  moreLabels: (count) =>
    formatMessage('{count, plural, one {# weiterer: zum Finden tippen} other {# weitere: zum Finden tippen}}', { count }),
  labelsOf: (column) => `Werte von ${column}`,
  insertedRow: 'Diese Zeile wird eingefügt.',
  deletedRow: 'Diese Zeile wird gelöscht.',
  changedCell: 'Diese Zelle wird geändert.',
  problem: 'Konnte nicht vorgemerkt werden',
  watchLost:
    'Tabularium antwortet nicht. Vorgemerktes wird gezeigt, wie es war; nichts ist verloren, und das Fenster fragt weiter.',
};

export const rowPanel: Strings['rowPanel'] = {
  show: 'Zeile ein- oder ausblenden (Strg+I)',
  label: 'Zeile',
};
