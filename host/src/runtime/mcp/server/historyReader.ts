import type { QueryHistory } from '../../console/queryHistory.ts';
import type { HistoryReader } from '../tools/historyReader.ts';

/** The history of the consoles, for clients: of the connections that it is asked for, and of no other. */
export function historyReader(history: Pick<QueryHistory, 'search'>): HistoryReader {
  return {
    search: async ({ connectionIds, text, limit }) =>
      (await history.search({ connectionIds, search: text ?? '', limit })).map(
        ({ connectionId, text: statement, changed, startedAt, outcome, milliseconds, rows }) => ({
          connectionId,
          statement,
          isWhole: !changed,
          time: startedAt,
          outcome,
          ...(milliseconds === undefined ? {} : { milliseconds }),
          ...(rows === undefined ? {} : { rows }),
        }),
      ),
  };
}
