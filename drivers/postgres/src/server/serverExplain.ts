import type { ExplainFacet } from '@tabularium/sdk';
import { inDatabase } from '../console/inDatabase.ts';
import { fromStart, withOffsetMoved } from '../faultPlace.ts';
import { withConnectAdvice } from '../sql/connectLine.ts';
import type { ServerDatabases } from './serverDatabases.ts';
import { placed } from './statementPlace.ts';

/** Plans of statements, each in the database that it names. */
export function createServerExplain(databases: ServerDatabases): ExplainFacet {
  return {
    async classify(statement, options) {
      const { parts, sql, start } = await placed(databases, statement, options.signal);
      const classified = await fromStart(start, async () => await parts.explain.classify(sql, options));
      return inDatabase(classified, parts.database.facts.database);
    },
    async explain(statement, options) {
      const { parts, sql, start } = await placed(databases, statement, options.signal);
      try {
        return await parts.explain.explain(sql, options);
      } catch (error) {
        throw withConnectAdvice(withOffsetMoved(error, start));
      }
    },
  };
}
