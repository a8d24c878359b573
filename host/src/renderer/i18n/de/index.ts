import type { Strings } from '../en/index.ts';
import { backups } from './backups.ts';
import { commands } from './commands.ts';
import { connect } from './connect.ts';
import { connections } from './connections.ts';
import { console } from './console.ts';
import { dashboard } from './dashboard.ts';
import { development } from './development.ts';
import { editing, rowPanel } from './editing.ts';
import { errors } from './errors.ts';
import { filter } from './filter.ts';
import { form } from './form.ts';
import { grants } from './grants.ts';
import { grid, pager, structure } from './grid.ts';
import { inspector, json } from './inspector.ts';
import { integrations } from './integrations.ts';
import { operations } from './operations.ts';
import { plugins } from './plugins.ts';
import { principals } from './principals.ts';
import { secrets } from './secrets.ts';
import { columns, find, paste, selection } from './selection.ts';
import { settings } from './settings.ts';
import { chooser, install, opening, start } from './start.ts';
import { transfer } from './transfer.ts';
import { application, common, shell, sidebar, status, tabs, titleBar } from './window.ts';

// Glossary. One English term has one German one.
//
//   alias          Alias               preset         Vorlage
//   approval       Freigabe            publisher      Herausgeber
//   column         Spalte              query/request  Anfrage
//   condition      Bedingung           refresh        aktualisieren
//   connection     Verbindung          registry       Registry
//   console        Konsole             reload         neu laden
//   credentials    Zugangsdaten        revoke         widerrufen
//   dashboard      Dashboard           row            Zeile
//   destroy        vernichten          sandbox        Sandbox
//   discard        verwerfen           secure store   sicherer Speicher
//   driver         Treiber             selection      Auswahl
//   field          Feld                sidebar        Seitenleiste
//   figure         Kennzahl            sorting        Sortierung
//   filter         Filter              to stage       vormerken
//   fold, unfold   ein-, ausklappen    statement      Anweisung
//   grid           Raster              structure      Struktur
//   history        Verlauf             tab            Tab
//   inspector      Inspektor           token          das Token
//   key            Schlüssel           value          Wert
//   operation      Operation           view           Sicht
//   page           Seite               window         Fenster
//
// Nobody is addressed: what to do stands in the infinitive ("Verbindung öffnen"), what happened in the third person ("konnte nicht gespeichert
// werden"). Names stand in „…“ or at the front. What a driver calls things stands as the driver has it, and where neither its gender nor its case
// shows: "Collections filtern", "Keine Documents".

/** The German words of the window. */
export const de: Strings = {
  application,
  common,
  titleBar,
  sidebar,
  tabs,
  start,
  chooser,
  install,
  form,
  opening,
  grid,
  selection,
  columns,
  find,
  paste,
  filter,
  editing,
  rowPanel,
  transfer,
  operations,
  pager,
  inspector,
  json,
  structure,
  status,
  plugins,
  settings,
  backups,
  commands,
  connections,
  shell,
  console,
  principals,
  dashboard,
  grants,
  secrets,
  errors,
  integrations,
  connect,
  development,
};
