import type { Strings } from '../en/index.ts';

/** Drivers that somebody is developing beside the window. */
export const development: Strings['development'] = {
  region: 'Treiber in Entwicklung',
  buildFailed: (driver) => `${driver} lässt sich nicht bauen`,
  buildFailedHelp: 'Der letzte gelungene Build läuft weiter.',
  notLoaded: (driver) => `Der neue Build von ${driver} wurde nicht geladen`,
  errors: (driver) => `${driver} hat Fehler gemeldet`,
  loaded: (driver, version) => `${driver} ${version} ist aus dem Ordner geladen.`,
  notReopened: (connection, reason) => `„${connection}“ konnte mit dem neuen Build nicht geöffnet werden. ${reason}`,
};
