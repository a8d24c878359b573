import * as protocol from '@tabularium/sdk/protocol';
import * as access from './access.ts';
import * as api from './api.ts';
import * as backups from './backups.ts';
import * as connectClients from './connectClients.ts';
import * as connection from './connection.ts';
import * as connectionFile from './connectionFile.ts';
import * as console from './console.ts';
import * as development from './development.ts';
import * as drivers from './drivers.ts';
import * as driversApi from './driversApi.ts';
import * as editing from './editing.ts';
import * as errorReport from './errorReport.ts';
import * as hostSentences from './hostSentences.ts';
import * as hostWindow from './hostWindow.ts';
import * as integrations from './integrations.ts';
import * as metrics from './metrics.ts';
import * as opening from './opening.ts';
import * as principals from './principals.ts';
import * as secretQuestion from './secretQuestion.ts';
import * as transfer from './transfer.ts';
import * as watchesApi from './watchesApi.ts';
import * as workspaceState from './workspaceState.ts';

/** The modules whose exported schemas have names in the references. */
export const boundaryShapes: readonly Readonly<Record<string, unknown>>[] = [
  protocol,
  access,
  api,
  backups,
  connectClients,
  connection,
  connectionFile,
  console,
  development,
  drivers,
  driversApi,
  editing,
  errorReport,
  hostSentences,
  hostWindow,
  integrations,
  metrics,
  opening,
  principals,
  secretQuestion,
  transfer,
  watchesApi,
  workspaceState,
];
