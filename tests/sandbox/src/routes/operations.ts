import { badRequest } from '../errors.ts';
import { json, stream, success } from '../http.ts';
import { tryParse } from '../json/parse.ts';
import type { Engine } from '../engine.ts';
import type { Route } from '../router.ts';

/** Operations do nothing here but answer: there is no disk to compact and no peer to vote for. */
export const operationRoutes = (engine: Engine, saveSnapshot: () => void): Route[] => [
  {
    method: 'POST',
    path: '/operations/snapshot',
    action: 'operations/snapshot:create',
    handler: (call) => {
      if (engine.features.snapshotNeedsPath && !call.params.has('snapshot_path')) {
        throw badRequest('Parameter `snapshot_path` is required.');
      }
      saveSnapshot();
      return stream(201, '{"success":true}');
    },
    type: 'stream',
  },
  { method: 'POST', path: '/operations/vote', action: 'operations/vote:create', handler: () => stream(200, '{"success":false}') },
  { method: 'POST', path: '/operations/cache/clear', action: 'operations/cache/clear:create', handler: () => success(200) },
  { method: 'POST', path: '/operations/db/compact', action: 'operations/db/compact:create', handler: () => success(200) },
  {
    method: 'POST',
    path: '/operations/reset_peers',
    action: 'operations/reset_peers:create',
    handler: () => stream(200, '{"success":true}'),
  },
  ...(engine.features.schemaChangesRoute
    ? [
        {
          method: 'GET',
          path: '/operations/schema_changes',
          action: 'operations/schema_changes:list',
          handler: () => json(200, '[]'),
        } as const,
      ]
    : []),
  {
    method: 'POST',
    path: '/config',
    action: 'config:create',
    handler: (call) => {
      if (tryParse(call.body) === undefined) throw badRequest('Bad JSON.');
      return success(201);
    },
  },
];
