import type { ConsoleFacet, TableRef } from '@tabularium/sdk';
import type { SqliteDatabase } from '../database.ts';
import { stopIfCancelled } from '../fault.ts';
import { listed } from '../schema.ts';
import { judgeIn } from '../sql/judgeIn.ts';
import { splitSql } from '../sql/split.ts';
import { complete } from './complete.ts';
import { exampleQueries } from './examples.ts';
import { runStatement } from './run.ts';

export function createConsole(database: SqliteDatabase): ConsoleFacet {
  return {
    split: (text) => splitSql(text).map(({ text: statement, start, end }) => ({ text: statement, start, end })),
    async classify(statement, { signal }) {
      stopIfCancelled(signal);
      const { effect, unknown, summary, tables, everyRowOf } = judgeIn(database, statement);
      const [everyRow] = everyRowOf === undefined ? [] : known([everyRowOf], database);
      return {
        effect,
        summary,
        tables: known(tables, database),
        ...(unknown === undefined ? {} : { unknown }),
        ...(everyRow === undefined ? {} : { everyRowOf: everyRow }),
      };
    },
    run: (statement, options) => runStatement(statement, database, options),
    async complete(text, offset, { signal }) {
      stopIfCancelled(signal);
      return complete(text, offset, database);
    },
    async examples({ signal }) {
      stopIfCancelled(signal);
      return exampleQueries(database);
    },
  };
}

/** Names as the file has them: SQL does not care about letter case. */
function known(tables: readonly TableRef[], database: SqliteDatabase): readonly TableRef[] {
  if (tables.length === 0) return [];
  const names = new Map(listed(database).map(({ name }) => [name.toLowerCase(), name]));
  return [...new Set(tables.map(({ name }) => names.get(name.toLowerCase()) ?? name))].map((name) => ({ namespace: [], name }));
}
