import { DriverError } from '@tabularium/sdk';
import type { Filter } from '@tabularium/sdk';
import type { PgTable } from '../catalogue/pgTable.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import { faultTexts, invalid } from '../fault.ts';
import { judge } from '../sql/judge.ts';
import type { CatalogueReader } from '../sql/judge.ts';
import { tokens } from '../sql/tokens.ts';

/**
 * A raw condition is in parentheses, and must not leave them; and it must only read, as a statement in the console that only reads.
 *
 * @throws DriverError `INVALID_INPUT`, `UNSUPPORTED`
 */
export async function checkRaw(database: PgDatabase, filter: Filter, table: PgTable, signal: AbortSignal): Promise<void> {
  checkRawText(filter);
  await judgeRaw(database, filter.raw, table, signal);
}

/** As {@link checkRaw}, by its text alone. */
export function checkRawText(filter: Filter): void {
  const raw = (filter.raw ?? '').trim();
  if (raw === '') return;
  if (raw.includes('\0')) throw invalid('PostgreSQL takes no text with a zero character.', undefined, { id: 'sql.nul' });
  let depth = 0;
  for (const token of tokens(raw)) {
    if (token.kind === 'bad')
      throw invalid(`“${token.text.slice(0, 40)}” in the WHERE row isn't valid SQL.`, undefined, {
        id: 'where.notSql',
        values: { text: token.text.slice(0, 40) },
      });
    if (token.kind === 'parameter')
      throw invalid(`The parameter “${token.text}” in the WHERE row has no value.`, undefined, {
        id: 'where.parameter',
        values: { name: token.text },
      });
    if (token.kind !== 'symbol') continue;
    if (token.text === ';')
      throw invalid('The WHERE row is one condition, without a semicolon.', undefined, { id: 'where.semicolon' });
    if (token.text === '(') depth += 1;
    if (token.text === ')') depth -= 1;
    if (depth < 0) throw invalid('The WHERE row closes a parenthesis that it did not open.', undefined, { id: 'where.closes' });
  }
  if (depth > 0) throw invalid('The WHERE row opens a parenthesis and does not close it.', undefined, { id: 'where.opens' });
}

/** As {@link checkRaw}, by what it calls. */
export async function judgeRaw(
  reader: CatalogueReader,
  given: string | undefined,
  table: PgTable,
  signal: AbortSignal,
): Promise<void> {
  const raw = (given ?? '').trim();
  if (raw === '') return;
  const { effect, summary } = await judge(reader, `SELECT 1 FROM ${table.sql} WHERE (${raw}\n)`, signal);
  if (effect !== 'read')
    throw new DriverError('UNSUPPORTED', `The WHERE row can read and nothing else: ${summary.slice(0, 300)}.`, {
      details: {
        advice: 'Leave that call out, or run the statement in the console.',
        texts: faultTexts('where.writes', { summary }, 'where.writes.advice'),
      },
    });
}
