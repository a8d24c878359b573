import type { PartialStrings } from '../partialStrings.ts';
import { activityWords } from './activity.ts';
import { closingWords } from './closing.ts';
import { consoleWords } from './console.ts';
import { consoleSessionWords } from './consoleSession.ts';
import { editingWords } from './editing.ts';
import { explainWords } from './explain.ts';
import { findingWords } from './finding.ts';
import { integrations } from './integrations.ts';
import { columnWords, selectionWords } from './selection.ts';
import { settings } from './settings.ts';
import { signInWords } from './signIn.ts';
import { start } from './start.ts';
import { structureWords, tablePartWords } from './structure.ts';
import { tourWords } from './tour.ts';
import { common } from './window.ts';

/** The Polish words of the window: rows, changes, the console and its sessions, plans, activity, settings, signing in at a provider, the search for rows, the structure of a table, the sign-in of clients, the tour and a few buttons. Every other text is English. */
export const pl: PartialStrings = {
  common,
  start,
  signIn: signInWords,
  settings,
  selection: selectionWords,
  columns: columnWords,
  editing: editingWords,
  console: consoleWords,
  consoleSession: consoleSessionWords,
  explain: explainWords,
  closing: closingWords,
  finding: findingWords,
  activity: activityWords,
  integrations,
  structure: structureWords,
  tableParts: tablePartWords,
  tour: tourWords,
};
