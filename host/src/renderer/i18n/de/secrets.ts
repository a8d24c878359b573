import type { Strings } from '../en/index.ts';

/** Die Frage, ob eine Verbindung ihre Zugangsdaten für etwas anderes benutzen darf. */
export const secrets: Strings['secrets'] = {
  title: (connection) => `Wohin gehen die Zugangsdaten von ${connection}?`,
  text: (connection) =>
    `Die Zugangsdaten von ${connection} würden anders benutzt, als es bei ihrer Eingabe vorgesehen war. Es wurde nichts gesendet.`,
  textNew: (connection) =>
    `Es ist nicht bekannt, wofür die Zugangsdaten von ${connection} eingegeben wurden. Es wurde nichts gesendet.`,
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
    authorityFile: 'Vertrauenswürdige Stelle',
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
  systemAuthorities: 'Die Stellen dieses Computers',
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
