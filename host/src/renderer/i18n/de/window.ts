import { formatBytes, formatCount, formatRoughly } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';
import type { Strings } from '../en/index.ts';

/** The frame of the window, and what several parts say. */
export const application: Strings['application'] = {
  name: 'Tabularium',
  brokenTitle: 'Das Fenster wurde angehalten',
  brokenText: 'Im Fenster ist ein Fehler aufgetreten. Verbindungen und Daten sind unberührt.',
  partBrokenTitle: 'Dieser Teil des Fensters wurde angehalten',
  partBrokenText: 'Darin ist ein Fehler aufgetreten. Die anderen Tabs, Verbindungen und Daten sind unberührt.',
  reloadWindow: 'Fenster neu laden',
  signedOutTitle: 'Die Sitzung dieses Fensters ist abgelaufen',
  signedOutText: 'Die Adresse öffnen, die Tabularium beim Start ausgegeben hat, oder Tabularium neu starten.',
  unreachable: 'Tabularium antwortet nicht.',
  unreachableAdvice: 'Prüfen, ob Tabularium noch läuft, dann erneut versuchen.',
  badAnswer: 'Das Fenster konnte die Antwort von Tabularium nicht lesen.',
  badAnswerAdvice: 'Das Fenster neu laden.',
};

/** The host of this window is gone, or is another one. */
export const hostLink: Strings['hostLink'] = {
  downTitle: 'Tabularium wurde beendet.',
  downText:
    'Ihre Tabs und vorgemerkten Änderungen bleiben erhalten. Tabularium starten, dann geht es in diesem Fenster weiter. Startet es unter einer anderen Adresse, „tabularium open“ ausführen.',
  looking: 'Verbindung wird aufgebaut…',
  retryIn: (seconds) => `Nächster Versuch in ${seconds} s`,
  tryNow: 'Jetzt versuchen',
  returned: 'Tabularium läuft wieder.',
  expiredTitle: 'Die Sitzung dieses Fensters ist abgelaufen.',
  expiredText:
    'Ihre Tabs und vorgemerkten Änderungen bleiben erhalten. Auf diesem Computer „tabularium open“ ausführen, um in einem neuen Fenster weiterzuarbeiten.',
  strangerTitle: 'Unter dieser Adresse antwortet ein anderes Programm.',
  strangerText:
    'Es kann nicht nachweisen, dass es Tabularium ist. Dieses Fenster sendet ihm nichts. Das Fenster schließen und „tabularium open“ ausführen.',
  returningTitle: 'Verbindung zu Tabularium wird wiederhergestellt…',
  returningText: 'Ihre Tabs und vorgemerkten Änderungen bleiben erhalten.',
};

export const diskFull: Strings['diskFull'] = {
  title: 'Der Datenträger ist voll.',
  text: 'Was Sie jetzt tun, wird nicht gespeichert. Platz schaffen; vorgemerkte Änderungen bleiben, und dieses Fenster arbeitet weiter.',
  textOf: (folder, free) =>
    `Auf dem Datenträger von ${folder} sind noch ${formatBytes(free)} frei. Was Sie jetzt tun, wird nicht gespeichert. Platz schaffen; vorgemerkte Änderungen bleiben, und dieses Fenster arbeitet weiter.`,
  look: 'Erneut prüfen',
  over: 'Auf dem Datenträger ist wieder Platz.',
};

export const common: Strings['common'] = {
  cancel: 'Abbrechen',
  close: 'Schließen',
  retry: 'Erneut versuchen',
  clear: 'Leeren',
  back: 'Zurück',
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyDetails: 'Details kopieren',
  required: 'Pflichtfeld',
  wholeNumber: 'Eine ganze Zahl',
  limits: (least, most) => `Eine ganze Zahl, ${formatCount(least)} bis ${formatCount(most)}`,
  corrected: (name, typed, value) =>
    value === undefined
      ? `${name}: „${typed}“ ist hier nicht möglich, das Feld ist leer`
      : `${name}: „${typed}“ ist hier nicht möglich, es ist nun ${formatCount(value)}`,
  requiredTitle: 'Eine neue Zeile braucht hier einen Wert',
  details: 'Details',
  none: 'Keine',
  dismiss: 'Ausblenden',
  errorCode: 'Code',
  request: 'Anfrage',
  status: 'Status',
  serverMessage: 'Server',
  field: 'Feld',
  fileTooLarge: (file, bytes, most) =>
    `„${file}“ hat ${formatBytes(bytes)}, und höchstens ${formatBytes(most)} lassen sich auf einmal importieren.`,
  fileTooLargeAdvice: 'In kleinere Dateien teilen.',
  fileUnreadable: (file) => `„${file}“ kann nicht gelesen werden.`,
  fileNotUtf8: (file, line) => `Zeile ${line} von „${file}“ ist kein UTF-8.`,
  fileNotUtf8Advice: 'Als UTF-8 speichern, dann erneut wählen.',
  fileUnreadableAdvice: 'Prüfen, ob sie da ist und gelesen werden darf, dann erneut wählen.',
};

export const titleBar: Strings['titleBar'] = {
  label: 'Titelleiste',
  switchConnection: (shown) => `${shown}: Verbindung wechseln`,
  noConnection: 'Verbindungen',
  allConnections: 'Alle Verbindungen…',
  newConnection: 'Neue Verbindung…',
  openConnections: 'Offen',
  savedConnections: 'Gespeichert',
  closeConnection: (name) => `${name} schließen`,
  settings: 'Einstellungen',
  showSidebar: 'Seitenleiste ausklappen',
  hideSidebar: 'Seitenleiste einklappen',
  serverAway: (product) => `${product} · Nicht erreichbar`,
  server: (product, version) => (version === undefined ? product : `${product} ${version}`),
};

export const sidebar: Strings['sidebar'] = {
  label: (term) => term.other,
  listFailed: (term) => `${term.other} lassen sich nicht auflisten`,
  filter: (term) => `${term.other} filtern`,
  refresh: (term) => `${term.other} aktualisieren`,
  emptyTitle: (term) => `Noch keine ${term.other}`,
  emptyText: (term) =>
    `Diese Verbindung zeigt keine ${term.other}. Vielleicht gibt es keine, oder die Zugangsdaten erlauben nicht, sie aufzulisten.`,
  noMatch: (text) => `Kein Treffer für „${text}“.`,
  clearFilter: 'Filter leeren',
  rows: (count, term) =>
    `${count.exact ? '' : 'Etwa '}${formatMessage('{count, plural, one {# {one}} other {# {other}}}', { count: count.rows, ...term })}`,
  aliasOf: (name) => `Alias von ${name}`,
  openByName: (term) => `${term.one} nach Namen öffnen…`,
  openByNameTitle: (term) => `${term.one} nach Namen öffnen`,
  openByNameText: (term) =>
    `Diese Zugangsdaten dürfen keine ${term.other} auflisten. Eine, die sie lesen dürfen, lässt sich nach ihrem Namen öffnen.`,
  nameOf: (term) => `Name (${term.one})`,
  nameMissing: (term) => `Name (${term.one}) eingeben.`,
  open: 'Öffnen',
  notOpened: (name) => `„${name}“ kann nicht geöffnet werden`,
  openedByName: 'Nach Namen geöffnet',
  forget: 'Aus dieser Liste entfernen',
  forgetFailed: (name) => `„${name}“ wurde nicht aus der Liste entfernt`,
  view: 'Sicht',
  namespaceTerm: { one: 'Namensraum', other: 'Namensräume' },
  reading: 'Wird gelesen…',
  stop: 'Stopp',
  stopReading: (name) => `${name} wird gelesen. Stopp`,
  readAgain: (name, reason) => `${name} kann nicht gelesen werden: ${reason} Erneut versuchen`,
  moreAtTop: (term) => `Weitere ${term.other}`,
  moreTablesOf: (term, name) => `Weitere ${term.other} aus ${name}`,
  moreOf: (name) => `Mehr aus ${name}`,
  emptyNamespace: (term) => `Keine ${term.other}`,
  onlyRead: (term) => `Durchsucht wird nur, was aufgeklappt war (${term.other}).`,
  partlyRead: (lists) => `Nur zum Teil gelesen und durchsucht: ${lists}.`,
  theList: (term) => `die Liste (${term.other})`,
  furtherLists: (count) => `${formatCount(count)} weitere`,
  searchRest: (term) => `Alle ${term.other} durchsuchen`,
  readingRest: (done, all) => `${formatCount(done)} von ${formatCount(all)} gelesen…`,
};

export const tabs: Strings['tabs'] = {
  label: 'Offene Tabellen',
  inDatabase: (name, database) => `${name} (${database})`,
  close: (name) => `${name} schließen`,
  data: 'Daten',
  rankedSearch: 'Suche',
  relevance: 'Relevanz',
  structure: 'Struktur',
  emptyTitle: (term) => `${term.other}: nichts geöffnet`,
  emptyText: (term) => `Links unter „${term.other}“ auswählen, oder mit / nach dem Namen suchen.`,
};

export const status: Strings['status'] = {
  label: 'Status',
  of: (connection, label) => `${connection}: ${label}`,
  ready: 'Bereit',
  away: 'Server nicht erreichbar',
  node: (node: string): string => `Die letzte Seite kam von ${node}`,
  cancel: (what) => `Abbrechen: ${what}`,
  left: (seconds) => `noch etwa ${formatRoughly(seconds)}`,
  notices: 'Frühere Meldungen',
  unreadNotices: 'Frühere Meldungen, mit einer neuen Warnung',
  noNotices: 'Die Statusleiste hat noch nichts gemeldet.',
  clearNotices: 'Leeren',
  warning: 'Warnung',
};

export const shell: Strings['shell'] = {
  palette: 'Alles durchsuchen',
  readOnly: 'Nur lesen',
  readOnlyMode: 'Der Schreibschutz ist an. Er lässt sich in der Verbindung unter „Erweitert“ ausschalten.',
  readOnlyWhy: 'Der Treiber ändert keine Zeilen.',
  noConnection: 'Keine Verbindung ist offen.',
  noTab: 'Kein Tab ist offen.',
  noClosedTab: 'Kein Tab wurde geschlossen.',
  onlyTab: 'Es gibt nur einen Tab.',
  noTable: 'Keine Tabelle ist zu sehen.',
  isShown: 'Ist schon zu sehen.',
  isChosen: 'Ist schon gewählt.',
  noWindows: 'Diese Desktop-Umgebung öffnet keine weiteren Fenster.',
  newWindow: 'Neues Fenster',
  openInNewWindow: 'In neuem Fenster öffnen',
  editConnection: 'Verbindung bearbeiten…',
  duplicateConnection: 'Verbindung duplizieren…',
  closeConnection: 'Verbindung schließen',
  importConnections: 'Verbindungen importieren…',
  exportConnections: 'Verbindungen exportieren…',
  openTool: (name) => `${name} öffnen`,
  closeOthers: 'Andere Tabs schließen',
  closeAll: 'Alle Tabs schließen',
  closeTab: 'Schließen',
  tabMenu: (name) => `Aktionen für ${name}`,
  showData: 'Daten anzeigen',
  showSearch: 'Suche anzeigen',
  showRelevance: 'Relevanz anzeigen',
  noFind: 'Dieser Treiber hat keine Filter, die einen Text in irgendeiner Spalte finden.',
  noSearch: 'Dieser Treiber hat keine Suche mit Rangfolge.',
  showStructure: 'Struktur anzeigen',
  refreshTables: (tables) => `${tables} aktualisieren`,
  settingsOf: (section) => `Einstellungen: ${section}`,
  themeIs: (theme) => `Design: ${theme}`,
  densityIs: (density) => `Zeilenabstand: ${density}`,
  documentation: 'Dokumentation (englisch)',
  documentationAliases: 'Hilfe Handbuch Anleitung',
  reload: 'Fenster neu laden',
  signOut: 'Von diesem Fenster abmelden',
  copyName: 'Namen kopieren',
  copiedName: (name) => `${name} kopiert`,
  openStructure: 'Struktur öffnen',
  resizeSidebar: 'Breite der Seitenleiste',
  windowTitle: (parts) => [...parts, 'Tabularium'].join(' – '),
  work: 'Was gerade läuft',
  moreWork: (others) => `${formatCount(others)} weitere`,
  waitingWork: (count) =>
    `${formatCount(count)} Importe, Exporte und Operationen laufen, warten oder endeten mit Zeilen zum Ansehen.`,
  showWork: 'Ausklappen',
  foldWork: 'Einklappen',
  foldedSidebar: 'Eingeklappte Seitenleiste',
  unfoldSidebar: 'Seitenleiste ausklappen',
};
