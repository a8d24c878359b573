import { activityWords } from './activity.ts';
import { backups } from './backups.ts';
import { commandWords } from './commands.ts';
import { connect } from './connect.ts';
import { connectionWords } from './connections.ts';
import { consoleWords } from './console.ts';
import { consoleSessionWords } from './consoleSession.ts';
import { dashboardWords } from './dashboard.ts';
import { development } from './development.ts';
import { editingWords, rowPanelWords } from './editing.ts';
import { errorWords } from './errors.ts';
import { explainWords } from './explain.ts';
import { filterWords } from './filter.ts';
import { findingWords } from './finding.ts';
import { form } from './form.ts';
import { grants } from './grants.ts';
import { grid, pager } from './grid.ts';
import { structure, tableParts } from './structure.ts';
import { inspectorWords, jsonWords } from './inspector.ts';
import { integrations } from './integrations.ts';
import { objectWords } from './objects.ts';
import { operationWords } from './operations.ts';
import { plugins } from './plugins.ts';
import { principalsWords } from './principals.ts';
import { relevanceWords } from './relevance.ts';
import { searchWords } from './search.ts';
import { secretWords } from './secrets.ts';
import { closingWords } from './closing.ts';
import { columnWords, findWords, pasteWords, selectionWords } from './selection.ts';
import { settings } from './settings.ts';
import { signInWords } from './signIn.ts';
import { chooser, install, opening, start } from './start.ts';
import { importingWords } from './importing.ts';
import { tourWords } from './tour.ts';
import { transferWords } from './transfer.ts';
import { tunnelWords } from './tunnels.ts';
import { application, common, diskFull, hostLink, shell, sidebar, status, tabs, titleBar } from './window.ts';

/** The English words of the window. */
export const en = {
  application,
  common,
  diskFull,
  hostLink,
  titleBar,
  sidebar,
  tabs,
  start,
  chooser,
  install,
  form,
  opening,
  signIn: signInWords,
  grid,
  selection: selectionWords,
  columns: columnWords,
  find: findWords,
  paste: pasteWords,
  filter: filterWords,
  finding: findingWords,
  editing: editingWords,
  rowPanel: rowPanelWords,
  importing: importingWords,
  tour: tourWords,
  transfer: transferWords,
  tunnels: tunnelWords,
  operations: operationWords,
  pager,
  inspector: inspectorWords,
  json: jsonWords,
  structure,
  tableParts,
  search: searchWords,
  relevance: relevanceWords,
  objects: objectWords,
  status,
  plugins,
  settings,
  backups,
  commands: commandWords,
  connections: connectionWords,
  shell,
  console: consoleWords,
  consoleSession: consoleSessionWords,
  explain: explainWords,
  closing: closingWords,
  principals: principalsWords,
  dashboard: dashboardWords,
  activity: activityWords,
  grants,
  secrets: secretWords,
  errors: errorWords,
  integrations,
  connect,
  development,
};

/** The shape of every catalogue: a second language is complete or does not compile. */
export type Strings = typeof en;
