import { DriverError, isDriverError } from '@tabularium/sdk';
import type { ImportForm, TableRef } from '@tabularium/sdk';
import type { ImportInfo } from '../../common/imports.ts';
import { tableName } from '../../common/tableName.ts';
import type { OpenSession, Sessions } from '../data/sessions.ts';
import type { ImportRecord } from './importJournal.ts';
import { useImport } from './importTarget.ts';

type Session = Pick<OpenSession['session'], 'describeTable' | 'countRows'>;
/** The part of an import's information that says that its table is another one, or lacks rows. */
type Changed = Pick<ImportInfo, 'otherTable' | 'missing'>;

/** Counting may take minutes in a large table, and is a check beside the import. Milliseconds. */
const COUNT_WITHIN = 5_000;

/** @returns undefined where the driver gives none, or the credentials may not read it */
export async function tableIdentity(
  session: Pick<Session, 'describeTable'>,
  table: TableRef,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return (await session.describeTable(table, { signal })).identity;
  } catch (error) {
    if (isDriverError(error) && error.code === 'ACCESS_REFUSED') return undefined;
    throw error;
  }
}

/** The table of an import as it is now: another one than at the beginning, or with fewer rows than the import wrote; empty where neither is certain. */
export async function changesOf(
  { info, identity }: Pick<ImportRecord, 'info' | 'identity'>,
  form: ImportForm,
  session: Session,
  signal: AbortSignal,
): Promise<Changed> {
  const now = identity === undefined ? undefined : await tableIdentity(session, info.table, signal);
  if (identity !== undefined && now !== undefined && now !== identity) return { otherTable: { began: identity, now } };
  const missing = await missingRows(info, form, session, signal);
  return missing === 0 ? {} : { missing };
}

/** Rows that the import wrote and that are certainly not in the table. */
async function missingRows(
  { table, mode, written }: ImportInfo,
  { modes }: ImportForm,
  session: Session,
  signal: AbortSignal,
): Promise<number> {
  // A mode that reports rows that are there writes new rows alone. Another one may have written one row many times.
  const isNewAlone = modes.find(({ id }) => id === mode)?.repeated === 'reported';
  const least = isNewAlone ? written : Math.min(1, written);
  if (least === 0) return 0;
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(COUNT_WITHIN)]);
    const { rows, exact } = await session.countRows({ table, filter: { conditions: [], match: 'all' } }, { signal: within });
    return exact && rows < least ? least - rows : 0;
  } catch {
    signal.throwIfAborted();
    // Rows that can't be counted, or not in time, are not known to be missing.
    return 0;
  }
}

/** An import doesn't continue in a table without the rows that it wrote, unless a person decided so. */
export function changedTable(
  { info: { table, written }, sent, skipped = 0 }: Pick<ImportRecord, 'info' | 'sent' | 'skipped'>,
  { otherTable, missing = 0 }: Changed,
): DriverError {
  const name = tableName(table);
  const doubtful = sent + skipped;
  const rows =
    written > 0
      ? ` The ${written} rows that were written may be missing.`
      : doubtful > 0
        ? ` Up to ${doubtful} rows may have been written into that one.`
        : '';
  return new DriverError(
    'CONFLICT',
    otherTable === undefined
      ? `“${name}” lacks at least ${missing} of the ${written} rows that this import wrote: it was changed meanwhile.`
      : `“${name}” isn’t the table that this import began with: that was “${otherTable.began}”, and now it is “${otherTable.now}”.${rows}`,
    {
      details: {
        advice:
          'Cancel this import and start it again, or continue in the table as it is now (on the command line, --resume with --other-table).',
      },
    },
  );
}

/** Looks at the table when the last row was sent. Nothing is known where it can't be looked at. */
export async function changesAtEnd(
  record: Pick<ImportRecord, 'info' | 'identity'>,
  sessions: Pick<Sessions, 'use'>,
  signal: AbortSignal,
): Promise<Changed> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(2 * COUNT_WITHIN)]);
  const { connectionId, table } = record.info;
  return useImport(sessions, connectionId, within, async (facet, session) =>
    changesOf(record, await facet.form(table, { signal: within }), session, within),
  ).catch(() => ({}));
}
