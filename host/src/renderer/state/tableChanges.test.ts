import { expect, it } from 'vitest';
import { createTableChangesStore } from './tableChanges.ts';

it('counts the changes of each connection separately', () => {
  const store = createTableChangesStore();
  const before = store.getState().counts;
  store.getState().announceTableChange('a');
  store.getState().announceTableChange('a');
  store.getState().announceTableChange('b');
  expect([...store.getState().counts]).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
  expect(before.size).toBe(0);
});
