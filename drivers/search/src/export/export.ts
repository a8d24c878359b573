import type { ExportFacet } from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import { sentSegments } from '../paths.ts';
import { untilCancelled } from '../rowEvents.ts';
import type { Schemas } from '../schemas.ts';
import { judgeSplice } from './judge.ts';
import { countNow, exportPath, includeFields, planExport } from './request.ts';
import { exportRows } from './rows.ts';

/** How long counting again at the end of an export may take. */
const RECOUNT_MILLISECONDS = 30_000;

/** From this version on a filtered export gives the documents as they were stored; before it, with flattened copies of their fields. */
const FILTERED_IS_CLEAN = 27;

/** Whole collections, or what a filter lets pass, as the server's own JSON Lines. */
export function createExport(
  client: SearchClient,
  schemas: Schemas,
  { version, isNarrow }: { readonly version: string | undefined; readonly isNarrow: boolean },
): ExportFacet {
  const source = { client, schemas, isNarrow };
  const major = Number(/^(\d+)\./.exec(version ?? '')?.[1] ?? NaN);
  return {
    async splice(request, { signal }) {
      const { path, collection, schema, filter, expected } = await planExport(request, source, signal);
      if (path === undefined) return undefined;
      let whole: string | undefined = path;
      if (request.columns !== undefined) {
        const fields = includeFields(request.columns, schema);
        if (fields === undefined) return undefined;
        const query = new URLSearchParams(path.split('?')[1] ?? '');
        query.set('include_fields', fields);
        whole = exportPath(collection, query);
        if (whole === undefined) return undefined;
      } else if (filter !== undefined && !(major >= FILTERED_IS_CLEAN)) {
        // Also where the version is not known: the way by rows is right on every server.
        return undefined;
      }
      return { request: { method: 'GET', path: whole }, ...(expected === undefined ? {} : { expected }) };
    },
    async judge(splice, summary) {
      const [, name = ''] = sentSegments(splice.request.path);
      const filter = new URLSearchParams(splice.request.path.split('?')[1] ?? '').get('filter_by') ?? undefined;
      const signal = AbortSignal.timeout(RECOUNT_MILLISECONDS);
      await judgeSplice(splice, summary, () => countNow(name, filter, client, schemas, signal));
    },
    rows: (request, { signal }) => untilCancelled(exportRows(request, source, signal), signal),
  };
}
