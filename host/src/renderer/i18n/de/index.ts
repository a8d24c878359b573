import type { Strings } from '../en/index.ts';
import { activity } from './activity.ts';
import { backups } from './backups.ts';
import { closing } from './closing.ts';
import { commands } from './commands.ts';
import { connect } from './connect.ts';
import { connections } from './connections.ts';
import { console } from './console.ts';
import { consoleSession } from './consoleSession.ts';
import { dashboard } from './dashboard.ts';
import { development } from './development.ts';
import { editing, rowPanel } from './editing.ts';
import { errors } from './errors.ts';
import { explain } from './explain.ts';
import { filter } from './filter.ts';
import { finding } from './finding.ts';
import { form } from './form.ts';
import { grants } from './grants.ts';
import { grid, pager } from './grid.ts';
import { structure, tableParts } from './structure.ts';
import { inspector, json } from './inspector.ts';
import { integrations } from './integrations.ts';
import { operations } from './operations.ts';
import { plugins } from './plugins.ts';
import { principals } from './principals.ts';
import { objects } from './objects.ts';
import { relevance } from './relevance.ts';
import { search } from './search.ts';
import { secrets } from './secrets.ts';
import { columns, find, paste, selection } from './selection.ts';
import { settings } from './settings.ts';
import { signInWords } from './signIn.ts';
import { chooser, install, opening, start } from './start.ts';
import { importing } from './importing.ts';
import { tourWords } from './tour.ts';
import { transfer } from './transfer.ts';
import { tunnelWords } from './tunnels.ts';
import { application, common, diskFull, hostLink, shell, sidebar, status, tabs, titleBar } from './window.ts';

// Terms and style: docs/reference/german.md.

/** The German words of the window. */
export const de: Strings = {
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
  selection,
  columns,
  find,
  paste,
  filter,
  finding,
  editing,
  rowPanel,
  importing,
  tour: tourWords,
  transfer,
  tunnels: tunnelWords,
  operations,
  pager,
  inspector,
  json,
  structure,
  tableParts,
  search,
  relevance,
  objects,
  status,
  plugins,
  settings,
  backups,
  commands,
  connections,
  shell,
  console,
  consoleSession,
  explain,
  closing,
  principals,
  dashboard,
  activity,
  grants,
  secrets,
  errors,
  integrations,
  connect,
  development,
};
