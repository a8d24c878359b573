import type { Strings } from '../en/index.ts';
import { formatCount, formatList } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';

/** Sessions of the console's tabs: their transactions, notices and parameters. */
export const consoleSession: Strings['consoleSession'] = {
  region: 'Sitzung dieses Tabs',
  notBegun: 'Eine Sitzung beginnt mit der ersten Anfrage.',
  starting: 'Die Sitzung beginnt…',
  startFailed: 'Die Sitzung konnte nicht beginnen',
  place: 'Ort',
  inNamespace: (name) => `in ${name}`,
  asRole: (name) => `als ${name}`,
  transaction: { none: 'Keine Transaktion', open: 'Transaktion offen', failed: 'Transaktion fehlgeschlagen' },
  uncommitted: (count) =>
    formatMessage('{count, plural, one {# Anfrage nicht festgeschrieben} other {# Anfragen nicht festgeschrieben}}', { count }),
  failedAdvice: 'Erst nach dem Zurückrollen geht es weiter.',
  commit: 'Festschreiben',
  commitTitle: 'Speichert die Änderungen der Transaktion (COMMIT)',
  rollBack: 'Zurückrollen',
  rollBackTitle: 'Verwirft die Änderungen der Transaktion (ROLLBACK)',
  committed: (connection) => `Die Transaktion in „${connection}“ ist festgeschrieben`,
  rolledBack: (connection) => `Die Transaktion in „${connection}“ ist zurückgerollt`,
  transactionEnded: { commit: 'Die Transaktion ist festgeschrieben.', rollBack: 'Die Transaktion ist zurückgerollt.' },
  notEnded: 'Die Transaktion wurde nicht beendet',
  notCommitted: 'Die Transaktion wurde nicht festgeschrieben',
  commitUnknown: 'Ob die Transaktion festgeschrieben wurde, ist nicht bekannt',
  commitUnknownAdvice: 'Prüfen Sie die Daten, bevor Sie die Änderungen noch einmal machen.',
  end: 'Sitzung beenden',
  endOf: (tab) => `Sitzung von ${tab} beenden`,
  rollBackAndEnd: 'Zurückrollen und beenden',
  rollBackAndEndOf: (tab) => `Transaktion von ${tab} zurückrollen und die Sitzung beenden`,
  isEnding: 'Die Transaktion wird gerade beendet.',
  limitTitle: (limit) =>
    formatMessage('{limit, plural, one {# Sitzung ist} other {# Sitzungen sind}} offen, mehr sind nicht möglich', { limit }),
  limitText: (tab, connection, limit) =>
    formatMessage(
      'Der Tab „{tab}“ braucht für Anfragen eine eigene Sitzung, und „{connection}“ kann {limit, plural, one {#} other {#}} haben. Zum Fortfahren eine beenden, die nicht mehr gebraucht wird.',
      { tab, connection, limit },
    ),
  limitElsewhere: (tab, connection, limit) =>
    formatMessage(
      'Der Tab „{tab}“ braucht für Anfragen eine eigene Sitzung, und „{connection}“ kann {limit, plural, one {#} other {#}} haben. Alle sind dort offen, wo dieses Fenster sie nicht erreicht, etwa in einem anderen Browser. Dort eine Konsole schließen, um fortzufahren.',
      { tab, connection, limit },
    ),
  limitList: 'Tabs mit einer Sitzung',
  limitUnseen: (count) =>
    formatMessage(
      '{count, plural, one {# weitere Sitzung ist offen, wo dieses Fenster sie nicht erreicht, etwa in einem anderen Browser. Ihre Konsole dort schließen.} other {# weitere Sitzungen sind offen, wo dieses Fenster sie nicht erreicht, etwa in einem anderen Browser. Ihre Konsolen dort schließen.}}',
      { count },
    ),
  limitSilent: (tab) =>
    `Das Fenster von „${tab}“ hat seine Sitzung nicht beendet. Den Tab dort schließen oder eine andere Sitzung beenden.`,
  limitKeep: 'Alle offen lassen',
  endTitle:
    'Beendet die Sitzung: eine offene Transaktion wird zurückgerollt, Einstellungen und temporäre Tabellen gehen verloren',
  start: 'Neue Sitzung beginnen',
  ended: {
    closed: 'Die Sitzung wurde geschlossen.',
    idle: 'Die Sitzung wurde geschlossen, weil eine Stunde lang keine Anfrage in ihr lief.',
    lost: 'Die Sitzung ging verloren: Server oder Treiber haben sie beendet.',
  },
  lostTransaction: 'Ihre Transaktion wurde zurückgerollt.',
  lostUnknown:
    'Eine Änderung lief gerade, und ob sie gespeichert ist, ist nicht bekannt: Sehen Sie die Daten an, bevor Sie die Änderung wiederholen.',
  reloaded:
    'Die Transaktion, die in diesem Tab offen war, als sein Fenster neu geladen oder geschlossen wurde, wurde zurückgerollt.',
  reloadedUnknown:
    'Eine Änderung lief in diesem Tab, als sein Fenster neu geladen oder geschlossen wurde, und ob sie gespeichert ist, ist nicht bekannt: Sehen Sie die Daten an, bevor Sie die Änderung wiederholen.',
  lostSettings: 'Ihre Einstellungen und temporären Tabellen sind verloren.',
  endedTitle: 'Die Sitzung dieses Tabs ist zu Ende',
  endedAdvice: 'Vor weiteren Anfragen eine neue Sitzung beginnen, denn sie können von dem abhängen, was verloren ist.',
  offline:
    'Tabularium antwortet nicht. Wurde es beendet oder dauert das länger als 20 Sekunden, wird die Sitzung geschlossen und ihre Transaktion zurückgerollt.',
  tabHasTransaction: 'Transaktion offen',
  noSession: 'Dieser Tab hat keine Sitzung.',
  noTransaction: 'Es ist keine Transaktion offen.',
  endTransactionFirst: 'Zuerst die Transaktion festschreiben oder zurückrollen.',
  transactionFailed: 'Die Transaktion ist fehlgeschlagen und lässt sich nur zurückrollen.',
  closeTitle: (count) =>
    formatMessage('{count, plural, one {Offene Transaktion zurückrollen?} other {# offene Transaktionen zurückrollen?}}', {
      count,
    }),
  closeTextUnchanged: (count, connection) =>
    formatMessage(
      '{count, plural, one {Eine Transaktion in „{connection}“ ist nicht festgeschrieben. Beim Schließen wird sie zurückgerollt:} other {# Transaktionen in „{connection}“ sind nicht festgeschrieben. Beim Schließen werden sie zurückgerollt:}}',
      { count, connection },
    ),
  endTextUnchanged: (count, connections) =>
    formatMessage(
      '{count, plural, one {Eine Transaktion in {connections} ist nicht festgeschrieben. Beim Fortfahren wird ihre Sitzung beendet, und die Transaktion wird zurückgerollt:} other {# Transaktionen in {connections} sind nicht festgeschrieben. Beim Fortfahren werden ihre Sitzungen beendet, und die Transaktionen werden zurückgerollt:}}',
      { count, connections: formatList(connections.map((name) => `„${name}“`)) },
    ),
  inTab: (title) => `Tab „${title}“`,
  closeText: (count, connection) =>
    formatMessage(
      '{count, plural, one {Eine Transaktion in „{connection}“ ist nicht festgeschrieben. Beim Schließen wird sie zurückgerollt, und diese Änderungen gehen verloren:} other {# Transaktionen in „{connection}“ sind nicht festgeschrieben. Beim Schließen werden sie zurückgerollt, und diese Änderungen gehen verloren:}}',
      { count, connection },
    ),
  endText: (count, connections) =>
    formatMessage(
      '{count, plural, one {Eine Transaktion in {connections} ist nicht festgeschrieben. Beim Fortfahren wird ihre Sitzung beendet: Die Transaktion wird zurückgerollt, und diese Änderungen gehen verloren:} other {# Transaktionen in {connections} sind nicht festgeschrieben. Beim Fortfahren werden ihre Sitzungen beendet: Die Transaktionen werden zurückgerollt, und diese Änderungen gehen verloren:}}',
      { count, connections: formatList(connections.map((name) => `„${name}“`)) },
    ),
  inProgressTitle: 'Eine Sitzung beenden, in der eine Anfrage läuft?',
  inProgressText:
    'Eine Anfrage oder ein Festschreiben läuft noch. Endet die Sitzung jetzt, ist nicht bekannt, ob die Änderungen gespeichert sind. Was sonst nicht festgeschrieben ist, wird zurückgerollt:',
  endAllTheSame: 'Trotzdem beenden',
  rollBackAndGoOn: 'Zurückrollen und fortfahren',
  inConnection: (name) => `in „${name}“`,
  inOtherWindow: 'in einem anderen Fenster',
  nothingChanged: 'Keine ihrer Anfragen hat Daten geändert.',
  stillRunning: 'Eine Anfrage oder ein Festschreiben läuft noch.',
  changesOf: (title) => `Anfragen der Transaktion in ${title}`,
  keepOpen: 'Offen lassen',
  closeAndRollBack: 'Schließen und zurückrollen',
  notices: 'Meldungen des Servers',
  severities: { debug: 'Debug', info: 'Info', notice: 'Hinweis', warning: 'Warnung' },
  detail: (text) => `Einzelheit: ${text}`,
  hint: (text) => `Tipp: ${text}`,
  noticesLeftOut: (count) =>
    formatMessage('{count, plural, one {# frühere Meldung wird} other {# frühere Meldungen werden}} nicht angezeigt', { count }),
  progress: (message, share) => (share === undefined ? message : `${message} · ${formatCount(Math.round(share * 100))} %`),
  notCounted: 'Die Zeilen werden nicht gezählt, denn eine Zählung sähe nicht, was diese Sitzung sieht.',
  parametersOf: 'Die Anfrage, für die sie sind',
  parametersTitle: 'Werte für die Parameter',
  parametersText: 'Sie werden neben der Anfrage gesendet, jeder in der Textform seines Typs.',
  parameter: (name, type) => `${name} (${type})`,
  isNull: (name) => `${name} ist NULL`,
  placeGone: (gone: string): string => `„${gone}“ gibt es nicht mehr: gelöscht, umbenannt oder für Sie nicht mehr zu öffnen.`,
  placeGoneAdvice: (next: string): string =>
    `Die nächste Sitzung beginnt in „${next}“. Starten Sie sie, wenn Ihre Anfragen dorthin gehören.`,
};
