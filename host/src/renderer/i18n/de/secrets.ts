import type { Strings } from '../en/index.ts';

/** Die Frage, ob eine Verbindung ihre Zugangsdaten für etwas anderes benutzen darf. */
export const secrets: Strings['secrets'] = {
  title: (connection) => `Wohin gehen die Zugangsdaten von ${connection}?`,
  text: (connection) =>
    `Die Zugangsdaten von ${connection} würden anders benutzt, als es bei ihrer Eingabe vorgesehen war. Es wurde nichts gesendet.`,
  textNew: (connection) =>
    `Es ist nicht bekannt, wofür die Zugangsdaten von ${connection} eingegeben wurden. Es wurde nichts gesendet.`,
  titleOrigins: (connection) => `Welche Adressen erreicht ${connection}?`,
  textOrigins: (driver, connection) =>
    `Mit ${connection} erreicht der Treiber für ${driver} Adressen, die weder eingegeben noch bestätigt wurden. Er kann dorthin senden, was er liest. Es wurde nichts gesendet.`,
  titleFiles: (connection) => `Welche Dateien benutzt ${connection}?`,
  textFiles: (driver, connection) =>
    `Mit ${connection} liest oder ändert der Treiber für ${driver} Dateien, die dafür nicht ausgewählt wurden. Er hat keine davon erhalten.`,
  textDistrusted: (driver) =>
    `Der Treiber für ${driver} wollte Zugangsdaten eines Servers an einen anderen senden und wurde beendet. Es wurde nichts gesendet. Nur bestätigen, wenn sein Herausgeber alles erfahren darf, was diese Verbindung erreicht.`,
  origin: {
    first: 'Der Server der Verbindung',
    label: (label) => `Der Treiber nennt sie „${label}“`,
    reason: (reason) => `Der Treiber nennt als Grund: „${reason}“`,
    before: 'Bisher',
    now: 'Jetzt',
    isNew: 'Neue Adresse',
  },
  file: {
    access: { read: 'Lesen', readWrite: 'Lesen und ändern' },
    none: 'Dem Treiber nicht zugänglich',
  },
  cause: (driver) =>
    `Ursache kann eine Aktualisierung oder andere Version des Treibers für ${driver}, eine importierte Datei oder eine Änderung der Verbindung sein. Eine unerwartete Änderung nicht bestätigen.`,
  table: (label) => `${label}: alt und neu`,
  aspect: 'Was',
  before: 'Bisher',
  now: 'Jetzt',
  unknown: 'Nicht bekannt',
  aspects: {
    origins: 'Gesendet an',
    through: 'Über',
    verification: 'Schutz',
    authorityFile: 'Vertraute Zertifizierungsstelle',
    sentAs: 'Gesendet als',
    further: 'An weiteren Servern',
    from: 'Entnommen aus',
    driver: 'Treiber',
    publisher: 'Herausgeber',
    grants: 'Außerhalb der Sandbox',
  },
  verification: {
    plain: 'Nicht verschlüsselt',
    none: 'Verschlüsselt, Zertifikat nicht geprüft',
    chain: 'Zertifikat geprüft, Hostname nicht geprüft',
    identity: 'Zertifikat und Hostname geprüft',
  },
  places: { store: 'Sicherer Speicher', session: 'Diese Sitzung' },
  variable: (name) => `Umgebungsvariable ${name}`,
  systemAuthorities: 'Die Zertifizierungsstellen dieses Computers',
  notInstalled: 'Nicht installiert',
  nothing: 'Nichts',
  givenToDriver: 'Anmeldung durch den Treiber selbst',
  signInOnTheWay: 'Anmeldung durch Tabularium',
  decrypts: (file) => `Wird nicht gesendet, entschlüsselt ${file}`,
  directly: 'Nichts: direkt',
  changed: 'geändert',
  compare: 'Vergleichen und bestätigen…',
  confirm: 'Bestätigen und benutzen',
  cancel: 'Nicht bestätigen',
  failed: 'Es wurde nicht bestätigt',
};
