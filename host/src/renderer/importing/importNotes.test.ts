import { expect, it } from 'vitest';
import { importNotes } from './importNotes.ts';

const cancelled = { state: 'cancelled', table: { namespace: [], name: 'lamps' }, created: true, written: 0 } as const;
const LEFT = "lamps was created for it and is empty: drop it if you don't need it.";

it('says that a cancelled import leaves the table empty that it has created', () => {
  expect(importNotes(cancelled)).toEqual([LEFT]);
  expect(importNotes({ ...cancelled, state: 'done' })).toEqual([]);
  expect(importNotes({ ...cancelled, created: undefined })).toEqual([]);
  expect(importNotes({ ...cancelled, written: 1 })).toEqual([]);
  // Rows on their way may have been written.
  expect(importNotes({ ...cancelled, uncertain: 3 })).toEqual([]);
});
