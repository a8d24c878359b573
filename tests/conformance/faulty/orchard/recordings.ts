import { DriverError } from '@tabularium/sdk';
import type { RecordedQueries, RecordedQueriesRequest, RecordedQuery } from '@tabularium/sdk';
import { keyOf } from './world.ts';
import type { World } from './world.ts';

const TREES = { namespace: ['orchard'], name: 'trees' };
const RECORDING = 'gatekeeper';

/** The queries that the orchard's gatekeeper has written down: those of visitors who found trees. */
export const knownRecordedQueries = {
  table: TREES,
  kind: 'popular',
  queries: [
    { text: 'apple', count: 9 },
    { text: 'pear', count: 4 },
    { text: 'a tall tree', count: 1 },
  ],
} as const satisfies { readonly table: typeof TREES; readonly kind: string; readonly queries: readonly RecordedQuery[] };

export function recordedQueries(
  world: World,
  { table, kind, recording, offset, limit }: RecordedQueriesRequest,
): RecordedQueries {
  const isKnown = keyOf(world.table(table).ref) === keyOf(TREES) && kind === knownRecordedQueries.kind;
  if (recording !== undefined && !(isKnown && recording === RECORDING)) {
    throw new DriverError('INVALID_INPUT', `Nobody called “${recording}” writes queries down.`, {
      details: { field: 'recording' },
    });
  }
  if (!isKnown) return { recordings: [], queries: [], found: 0, missing: { reason: 'Nobody writes these queries down.' } };
  const { queries } = knownRecordedQueries;
  return { recordings: [RECORDING], queries: queries.slice(offset, offset + limit), found: queries.length };
}
