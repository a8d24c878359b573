import type { Strings } from '../en/index.ts';

/** The question whether a driver may leave the sandbox. */
export const grants: Strings['grants'] = {
  title: (driver) => `Darf der Treiber für ${driver} die Sandbox verlassen?`,
  titleSecrets: (driver) => `Darf der Treiber für ${driver} Zugangsdaten sehen?`,
  textSecrets: 'Sein Protokoll meldet sich damit an, daher kann Tabularium das nicht für ihn tun:',
  text: 'Treiber laufen in einem eigenen Prozess, der nichts erreichen kann. Dieser verlangt mehr:',
  titleOrigins: (driver) => `Darf der Treiber für ${driver} Anfragen an andere Server senden?`,
  textOrigins: 'Neben dem Server einer Verbindung sendet er Anfragen an Adressen, die sein Autor festgelegt hat:',
  origin: 'Er kann, was er aus Datenbanken liest, an diese Adresse senden:',
  originLabel: (label) => `Der Treiber nennt sie „${label}“.`,
  more: 'Einiges davon wurde ihm schon erlaubt. Jetzt verlangt er mehr:',
  meaning: {
    sqlite:
      'Er kann jede Datei öffnen, lesen und ändern, die Ihrem Benutzerkonto offensteht. Das Netzwerk und andere Programme kann er nicht benutzen.',
    network:
      'Er kann sich mit jedem Computer verbinden, den dieser erreicht, und mit Programmen auf diesem, Verbindungen annehmen und dorthin senden, was er sieht.',
    files:
      'Er kann jede Datei lesen, ändern und löschen, die Ihrem Benutzerkonto offensteht, auch die von Tabularium, und dadurch alles tun, was dieses Konto darf.',
    secrets:
      'Er sieht die Zugangsdaten seiner Verbindungen, zum Beispiel Passwörter. In seiner Sandbox kann er sie nur an die Server der jeweiligen Verbindung senden.',
    addons: 'Er führt nativen Code aus und kann alles tun, was Ihr Benutzerkonto auf diesem Computer darf.',
  },
  short: {
    sqlite: 'Kann jede Datei öffnen, die Sie öffnen können',
    network: 'Kann das Netzwerk benutzen',
    files: 'Kann alle Ihre Dateien benutzen',
    secrets: 'Sieht die Zugangsdaten seiner Verbindungen',
    addons: 'Kann alles, was Ihr Benutzerkonto kann',
  },
  shortOrigin: (origin) => `Sendet Anfragen an ${origin}`,
  why: 'Grund',
  whyText: (publisher, reason) => `„${publisher}“ sagt: ${reason}`,
  signed: (publisher) =>
    `Signiert von ${publisher}. Eine Signatur beweist, von wem er stammt, nicht, dass er keinen Schaden anrichtet.`,
  folder: 'Niemand hat ihn signiert: Er ist aus einem Ordner geladen.',
  once: 'Verlangt eine spätere Version mehr, wird erneut gefragt. Bis zur Erlaubnis wird diese Version nicht benutzt.',
  confirm: 'Erlauben',
  cancel: 'Nicht erlauben',
  refused: 'Es wurde nicht erlaubt, daher wird diese Version nicht benutzt.',
  failed: 'Die Berechtigung konnte nicht erteilt werden',
  allowed: 'Das ist erlaubt.',
  closed: (connection) =>
    `${connection} wurde geschlossen: Eine Berechtigung des Treibers wurde widerrufen. Beim Neuladen wird danach gefragt.`,
  withdraw: 'Widerrufen',
  withdrawOf: (driver) => `Berechtigungen des Treibers für ${driver} widerrufen`,
};
