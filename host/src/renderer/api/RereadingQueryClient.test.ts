import { QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { RereadingQueryClient } from './RereadingQueryClient.ts';

it('reads again what was being read for the first time when it changed', async () => {
  const client = new RereadingQueryClient();
  let value = 'before';
  const gate = Promise.withResolvers<void>();
  let readings = 0;
  const observer = new QueryObserver(client, {
    staleTime: Number.POSITIVE_INFINITY,
    queryKey: ['set', 1],
    queryFn: async () => {
      readings += 1;
      const answered = value;
      if (readings === 1) await gate.promise;
      return answered;
    },
  });
  const unsubscribe = observer.subscribe(() => undefined);
  value = 'after';
  const reread = client.invalidateQueries({ queryKey: ['set'] });
  gate.resolve();
  await reread;
  expect([observer.getCurrentResult().data, readings]).toEqual(['after', 2]);
  // A later reading is begun again by the library itself.
  await client.invalidateQueries({ queryKey: ['set'] });
  expect(readings).toBe(3);
  unsubscribe();
});
