import { isDriverError } from '@tabularium/sdk';
import type { Filter, RowCount, TableRef } from '@tabularium/sdk';
import type { PgDatabase } from '../pgDatabase.ts';
import { filterCondition } from './filters.ts';
import { readLocked } from './lockedRead.ts';
import { checkRawText } from './rawCondition.ts';
import { Values } from './values.ts';

/** A count that takes longer is estimated. */
const EXACT_MILLISECONDS = 4_000;

/** Counts what a filter lets pass: exactly where that is soon done, else as the server estimates it. */
export async function countPassing(
  database: PgDatabase,
  { table: ref, filter }: { readonly table: TableRef; readonly filter: Filter },
  signal: AbortSignal,
): Promise<RowCount> {
  const table = await database.table(ref, signal);
  checkRawText(filter);
  const values = new Values();
  const condition = filterCondition(filter, table, values);
  const where = condition === undefined ? '' : ` WHERE ${condition}`;
  try {
    const steps = [{ text: `SELECT pg_catalog.count(*) FROM ${table.sql}${where}`, values: values.list }];
    const limits = [{ text: `SELECT pg_catalog.set_config('statement_timeout', '${EXACT_MILLISECONDS}', true)` }];
    const [answer] = await readLocked(database, { table, raw: filter.raw, steps, limits }, signal);
    return { rows: Number(answer?.rows[0]?.[0] ?? 0), exact: true };
  } catch (error) {
    if (!isDriverError(error) || error.code !== 'TIMEOUT') throw error;
  }
  if (condition === undefined && table.estimate !== undefined) return { rows: table.estimate, exact: false };
  const steps = [{ text: `EXPLAIN (FORMAT JSON) SELECT 1 FROM ${table.sql}${where}`, values: values.list }];
  const [plan] = await readLocked(database, { table, raw: filter.raw, steps }, signal);
  return { rows: estimateOf(plan?.rows[0]?.[0] ?? ''), exact: false };
}

function estimateOf(plan: string): number {
  const [first] = JSON.parse(plan === '' ? '[]' : plan) as { readonly Plan?: { readonly 'Plan Rows'?: number } }[];
  return Math.max(0, Math.round(first?.Plan?.['Plan Rows'] ?? 0));
}
