import { DriverError } from '@tabularium/sdk';
import type { TableRef } from '@tabularium/sdk';
import { faultTexts } from '../fault.ts';
import { shown } from '../names.ts';
import { arrayOf } from '../sql/arrayOf.ts';
import type { PgAnswer, PgStep } from '../wire/batch.ts';
import { LONGEST_WAIT_MILLISECONDS } from './lockPatience.ts';
import { reachedBy, READS } from './reached.ts';

/** The locks that no read passes, those that are held before those that are waited for; none of this process. */
const EXCLUSIVE_LOCKS: PgStep = {
  text: `SELECT COALESCE(i.indrelid, l.relation), l.pid, a.usename FROM pg_catalog.pg_locks l LEFT JOIN pg_catalog.pg_index i ON i.indexrelid = l.relation LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = l.pid
WHERE l.locktype = 'relation' AND l.mode = 'AccessExclusiveLock' AND l.pid <> pg_catalog.pg_backend_pid()
  AND l.database = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database())
ORDER BY l.granted DESC, l.pid LIMIT 10000`,
};

const SECONDS = LONGEST_WAIT_MILLISECONDS / 1_000;

/**
 * The error for a table that somebody had locked for longer than a read waits, with the process that holds it, where that can be found.
 *
 * @param ask - answers questions to the catalogue
 */
export async function lockedBy(
  ref: TableRef,
  cause: unknown,
  ask: (steps: readonly PgStep[]) => Promise<readonly PgAnswer[]>,
): Promise<DriverError> {
  const name = shown(ref);
  const steps = [EXCLUSIVE_LOCKS, reachedBy([arrayOf([...ref.namespace, ref.name])], READS)];
  const [locks, reached] = await ask(steps).catch((): readonly PgAnswer[] => []);
  const tables = new Set(reached?.rows.map(([oid]) => oid));
  const [, process, role] = locks?.rows.find(([oid]) => tables.has(oid)) ?? [];
  const advice = 'Try again when that session has ended its transaction. The activity shows what it does, and can end it.';
  const [message, id, values] =
    typeof process === 'string'
      ? ([
          `Another session has locked “${name}”, or what it reads: process ${process}${typeof role === 'string' ? ` of “${role}”` : ''}. Nothing was read within ${SECONDS} seconds.`,
          'lock.heldBy',
          { name, process, role: role ?? '', known: typeof role === 'string' ? 'yes' : 'no', seconds: SECONDS },
        ] as const)
      : ([
          `Another session has locked “${name}”, or what it reads. Nothing was read within ${SECONDS} seconds.`,
          'lock.held',
          { name, seconds: SECONDS },
        ] as const);
  // Not SERVER_NOT_READY: the server answers, and the window would say that it can’t be reached.
  return new DriverError('CONFLICT', message, {
    cause,
    details: { status: '55P03', advice, texts: faultTexts(id, values, 'lock.held.advice') },
  });
}
