import { expect, it } from 'vitest';
import type { HistoryQuery } from '../../console/queryHistory.ts';
import { historyReader } from './historyReader.ts';

it('searches the history once, however many connections a client may read', async () => {
  const asked: HistoryQuery[] = [];
  const reader = historyReader({
    search: async (query) => {
      asked.push(query);
      return [];
    },
  });
  const connectionIds = Array.from({ length: 100 }, (_, index) => String(index));
  expect(await reader.search({ connectionIds, text: 'get', limit: 5 })).toEqual([]);
  expect(asked).toEqual([{ connectionIds, search: 'get', limit: 5 }]);
});
