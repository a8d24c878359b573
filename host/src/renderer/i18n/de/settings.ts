import type { Strings } from '../en/index.ts';
import { storeName } from './storeName.ts';

export const settings: Strings['settings'] = {
  title: 'Einstellungen',
  sections: 'Bereiche',
  appearance: 'Erscheinungsbild',
  drivers: 'Treiber',
  about: 'Info',
  theme: 'Design',
  themes: { system: 'System', light: 'Hell', dark: 'Dunkel' },
  themeHelp: 'System folgt der Einstellung dieses Computers.',
  density: 'Zeilenabstand',
  densities: { comfortable: 'Großzügig', compact: 'Kompakt' },
  densityHelp: 'Kompakt zeigt mehr Zeilen auf einmal.',
  language: 'Sprache',
  languageHelp: 'Die Sprache der Texte im Fenster. Eine Änderung wirkt nach dem Neuladen des Fensters.',
  version: 'Version',
  contract: 'Treiber-Vertrag',
  home: 'Datenverzeichnis',
  secureStore: 'Sicherer Speicher',
  secureStoreAvailable: (name) => `${storeName(name)}, verfügbar`,
  secureStoreMissing: (name) => `${storeName(name)}, nicht verfügbar`,
  mcp: 'MCP-Server',
  mcpStopped: 'Läuft nicht',
  notSaved: 'Die Einstellung konnte nicht gespeichert werden.',
};
