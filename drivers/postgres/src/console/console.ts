import type { ConsoleFacet, TableSummary } from '@tabularium/sdk';
import type { PgDatabase } from '../pgDatabase.ts';
import { qualified, quoted } from '../names.ts';
import { judge } from '../sql/judge.ts';
import { splitSql } from '../sql/split.ts';
import { complete } from './complete.ts';
import { runStatement } from './run.ts';
import { PgConsoleSession } from './session.ts';

const MOST_EXAMPLES = 2;

export function createConsole(
  database: PgDatabase,
  tables: (signal: AbortSignal) => Promise<readonly TableSummary[]>,
  changed: () => void,
): ConsoleFacet {
  return {
    split: (text) => splitSql(text).map(({ text: statement, start, end }) => ({ text: statement, start, end })),
    async classify(statement, { signal }) {
      const { text: _text, alone: _alone, isQuery: _isQuery, ...classified } = await judge(database, statement, signal);
      return classified;
    },
    run: (statement, options) => runStatement(statement, database, changed, options),
    openSession: ({ signal }) => PgConsoleSession.open({ database, changed }, signal),
    complete: (text, offset, { signal }) => complete(text, offset, database, signal),
    async examples({ signal }) {
      const listed = (await tables(signal)).slice(0, MOST_EXAMPLES);
      const names = listed.map(({ ref: { namespace, name } }) => {
        const schema = namespace.at(-1) ?? 'public';
        return database.facts.path.includes(schema) ? quoted(name) : qualified(schema, name);
      });
      const [first] = names;
      return [
        ...names.map((name) => `SELECT * FROM ${name} LIMIT 100;`),
        ...(first === undefined ? [] : [`SELECT count(*) FROM ${first};`]),
        'SELECT datname, pg_size_pretty(pg_database_size(oid)) AS size FROM pg_database WHERE datallowconn ORDER BY datname;',
      ];
    },
  };
}
