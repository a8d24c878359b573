import type { SuggestionsFacet } from '@tabularium/sdk';
import { noColumn } from '../fault.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import { readLocked } from './lockedRead.ts';

/** Rows that are looked at: a person is typing. */
const SAMPLE = 5_000;
const LONGEST = 200;
const MILLISECONDS = 1_500;

/** Values of a column to choose from: the labels of an enum, else those of some rows. */
export function createSuggestions(database: PgDatabase): SuggestionsFacet {
  return {
    async values({ table: ref, column: name, typed, limit }, { signal }) {
      const table = await database.table(ref, signal);
      const column = table.byName.get(name);
      if (column === undefined) throw noColumn(name, ref);
      const wanted = typed.toLowerCase();
      if (column.filterClass === 'choice') {
        const fitting = column.type.labels.filter((label) => label !== '' && label.toLowerCase().includes(wanted));
        return { values: fitting.slice(0, limit).map((value) => ({ value })), from: fitting.length > limit ? 'some' : 'all' };
      }
      if (column.filterClass === 'boolean') {
        const fitting = ['true', 'false'].filter((value) => value.includes(wanted));
        return { values: fitting.slice(0, limit).map((value) => ({ value })), from: fitting.length > limit ? 'some' : 'all' };
      }
      if (column.kind === 'bytes' || column.kind === 'json' || typed.includes('\0')) return { values: [], from: 'some' };
      const text = `SELECT v, pg_catalog.count(*) FROM (SELECT ${column.sql}::pg_catalog.text AS v FROM ${table.sql} LIMIT ${SAMPLE}) AS sample
 WHERE v <> '' AND pg_catalog.length(v) <= ${LONGEST} AND pg_catalog.strpos(pg_catalog.lower(v), pg_catalog.lower($1::pg_catalog.text)) > 0
 GROUP BY v ORDER BY 2 DESC, v LIMIT ${limit}`;
      const limits = [{ text: `SELECT pg_catalog.set_config('statement_timeout', '${MILLISECONDS}', true)` }];
      const [answer] = await readLocked(database, { table, steps: [{ text, values: [typed] }], limits }, signal);
      return { values: (answer?.rows ?? []).map(([value]) => ({ value: value ?? '' })), from: 'some' };
    },
  };
}
