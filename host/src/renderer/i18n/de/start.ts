import { formatAgo, formatBytes, formatMilliseconds } from '../format.ts';
import type { Strings } from '../en/index.ts';

type Origin = Parameters<Strings['install']['publisher']>[1];

const ORIGINS: Readonly<Record<Origin, string>> = {
  firstParty: 'Hersteller von Tabularium',
  localRegistry: 'lokale Registry',
  thirdParty: 'Drittanbieter',
  developerFolder: 'aus dem Ordner der Entwicklung geladen',
};

/** From the first screen to an open connection. */
export const start: Strings['start'] = {
  title: 'Verbindungen',
  newConnection: 'Neue Verbindung',
  emptyTitle: 'Mit einer Datenbank verbinden',
  emptyText:
    'Eine Verbindung sagt, wo eine Datenbank ist und wie die Anmeldung geschieht. Nach der Wahl des Typs lädt Tabularium den Treiber, prüft seine Signatur und bewahrt die Zugangsdaten im sicheren Speicher dieses Computers auf.',
  emptyStep: 'Erste Verbindung anlegen',
  // Heard before the name of a connection.
  open: 'Öffnen:',
  isOpen: 'Offen',
  opened: (iso) => `Geöffnet: ${formatAgo(iso, Date.now())}`,
  edit: 'Bearbeiten…',
  more: (name) => `Weitere Aktionen für ${name}`,
  remove: 'Entfernen…',
  unknownType: (driver) => `Unbekannter Typ „${driver}“`,
  removeTitle: (name) => `„${name}“ entfernen?`,
  removeText: (name) =>
    `Die Verbindung „${name}“ und ihre gespeicherten Zugangsdaten werden von diesem Computer entfernt. Auf dem Server ändert sich nichts.`,
  removeConfirm: (name) => `${name} entfernen`,
  unreadable: {
    title: 'Nicht lesbare Verbindungen',
    advice:
      'Vielleicht hat eine neuere Version sie gespeichert. Tabularium aktualisieren, eine Sicherung wiederherstellen oder sie entfernen.',
    fields: (fields) => `Nicht lesbar: ${fields.join(', ')}`,
    removeOf: (name) => `Die nicht lesbare Verbindung ${name} entfernen`,
  },
  list: 'Gespeicherte Verbindungen',
  recents: 'Zuletzt geöffnet',
  all: 'Alle Verbindungen',
  next: {
    title: 'Nächste Schritte',
    samples:
      'Die Beispielverbindungen führen zu Datenbanken mit erfundenen Daten auf diesem Computer. Dort lässt sich alles ausprobieren: Bearbeiten und Löschen schaden nicht. Einmal entfernt, kommen sie nicht wieder.',
    import: { label: 'Verbindungen importieren', text: 'Aus einer Datei von einem anderen Tabularium' },
    drivers: { label: 'Alle Treiber ansehen', text: 'Installierte, Updates und was jeder darf' },
    clients: { label: 'KI-Client zulassen', text: 'Er kann zunächst nur lesen; Änderungen müssen genehmigt werden' },
  },
};

export const chooser: Strings['chooser'] = {
  title: 'Neue Verbindung',
  text: 'Typ der Datenbank wählen.',
  search: 'Typen filtern',
  list: 'Datenbanktypen',
  notInstalled: 'Nicht installiert',
  installed: (version) => version,
  update: 'Update verfügbar',
  cannotRun: 'Läuft hier nicht',
  refresh: 'Liste aktualisieren',
  age: (iso) => `Liste aktualisiert: ${formatAgo(iso, Date.now())}`,
  builtInOnly: 'Eingebaute Liste; noch keine Registry hat geantwortet',
  problem: (problem) => `Die Liste ist vielleicht veraltet. ${problem}`,
  noMatch: 'Kein Typ passt.',
  emptyTitle: 'Keine Datenbanktypen',
  emptyText: 'Die eingebaute Liste ist leer, und keine Registry hat geantwortet. Netzwerk prüfen, dann die Liste aktualisieren.',
};

export const install: Strings['install'] = {
  offer: {
    title: (name) => `Treiber für ${name} herunterladen?`,
    text: 'Eine Verbindung dieses Typs braucht ihren Treiber, und der ist auf diesem Computer noch nicht installiert.',
    version: 'Version',
    publisherClaimed: (author) => `${author}, wie das Paket angibt. Die Signatur wird nach dem Herunterladen geprüft.`,
    publisherUnknown:
      'Steht nach dem Herunterladen fest: Die Signatur liegt im Paket. Ist ihr Schlüssel noch nicht vertraut, fragt Tabularium nach.',
    asksFor: 'Was er verlangt',
    checks: 'Vor der Installation prüft Tabularium die Signatur und jede Datei und probiert den Treiber aus.',
    download: 'Herunterladen und installieren',
  },
  title: (name) => `Treiber für ${name} wird installiert`,
  label: 'Installation',
  resolving: 'Version für diesen Computer finden',
  downloading: 'Herunterladen',
  verifying: 'Signatur und Dateien prüfen',
  tryingOut: 'Ausprobieren',
  installed: (version, milliseconds) => `Version ${version} in ${formatMilliseconds(milliseconds)} installiert`,
  bytes: (received, total) =>
    total === undefined ? formatBytes(received) : `${formatBytes(received)} von ${formatBytes(total)}`,
  version: (version) => `Version ${version}`,
  publisher: (name, origin) =>
    origin === 'developerFolder' ? `Nicht signiert: ${ORIGINS[origin]}` : `Signiert von ${name} (${ORIGINS[origin]})`,
  installedAfterChecks: 'Nichts wird installiert, bevor jede Prüfung bestanden ist.',
  failed: 'Der Treiber wurde nicht installiert',
  declined: 'Abgelehnt, daher wurde nichts installiert.',
  askAgain: 'Noch einmal fragen',
  progress: (name) => `${name} wird installiert`,
};

export const opening: Strings['opening'] = {
  title: (name) => `${name} wird geöffnet`,
  installing: 'Treiber installieren',
  connecting: 'Mit dem Server verbinden',
  cancel: 'Abbrechen',
  failedTitle: (name) => `${name} konnte nicht geöffnet werden`,
  edit: 'Verbindung bearbeiten…',
  backToList: 'Alle Verbindungen',
  refusedAdvice: 'Die Verbindung bearbeiten und noch einmal verbinden.',
  openAnyway: 'Trotzdem öffnen',
  cancelled: 'Das Öffnen wurde abgebrochen.',
  secretTitle: (label) => `${label} wird benötigt`,
  secretMissing: {
    store: (name, label) => `Im sicheren Speicher fehlt für „${name}“: ${label}.`,
    session: (name, label) => `Nur bis zum Ende von Tabularium aufbewahrt war für „${name}“: ${label}.`,
    environment: (name, label) => `Die Umgebungsvariable für „${name}“ ist nicht gesetzt: ${label}.`,
    nowhere: (name, label) => `Nicht gespeichert ist für „${name}“: ${label}.`,
  },
  secretText:
    'Zum Verbinden eingeben; der Wert bleibt, bis Tabularium beendet wird. Um ihn dauerhaft zu speichern, die Verbindung bearbeiten.',
  signedOutTitle: (name) => `„${name}“ ist abgemeldet.`,
  signedOutText: 'Ihre Tabs, vorgemerkten Änderungen und alles, was Sie getippt haben, bleiben.',
  signIn: 'Anmelden…',
  connect: 'Verbinden',
  findings: (name) => `Hinweise zu ${name}`,
};
