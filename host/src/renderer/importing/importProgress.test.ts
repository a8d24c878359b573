import { expect, it } from 'vitest';
import type { ImportInfo } from '../../common/imports.ts';
import { createStatusStore } from '../state/notify.ts';
import { importWords } from './importWords.ts';
import { importProgress } from './importProgress.ts';

const info: ImportInfo = {
  id: 'a',
  connectionId: 'b',
  table: { namespace: [], name: 'shelf' },
  name: 'rows.csv',
  mode: 'create',
  state: 'running',
  startedAt: '2026-01-01T00:00:00.000Z',
  read: 250,
  written: 250,
  rejected: 0,
  bytes: 25,
  totalBytes: 100,
  rowsPerSecond: 50,
  milliseconds: 5_000,
  remainingMilliseconds: 14_200,
  reasons: [],
};

it('shows the numbers of the host: rows, share and the time that is left', () => {
  expect(importProgress(info)).toEqual({ text: 'Importing into shelf: 250 rows, 50/s', progress: 0.25, secondsLeft: 15 });
  expect(importProgress({ ...info, state: 'pausing' })).toMatchObject({ progress: 0.25, secondsLeft: undefined });
  const reading = {
    ...info,
    state: 'reading',
    totalBytes: 0,
    reading: { rows: 20, expected: { rows: 80, exact: true } },
  } as const;
  expect(importProgress(reading)).toMatchObject({ progress: 0.25, text: expect.stringContaining('20 rows') as string });
  for (const state of ['paused', 'interrupted', 'done', 'cancelled'] as const)
    expect(importProgress({ ...info, state })).toBeUndefined();
});

it('calls a copy a copy in each of its states, and an import an import', () => {
  const from = { connectionId: 'c', table: { namespace: [], name: 'books' } };
  for (const state of ['running', 'pausing'] as const) {
    expect(importProgress({ ...info, state })?.text).toMatch(/import/i);
    expect(importProgress({ ...info, state, from })?.text).not.toMatch(/import/i);
  }
  const words = importWords({ from });
  const said = [words.done('t', 1), words.doneRejected('t', 1, 1), words.cancelled('t', 1), words.paused('t', 1)];
  for (const text of [...said, words.interrupted('t', 1, '')]) expect(text).not.toMatch(/import/i);
});

it('has the same time left in the status bar, whenever this window began to look', () => {
  const store = createStatusStore();
  const activity = store.getState().beginActivity('Importing');
  activity.update('Importing', 0.25, { secondsLeft: 15 });
  expect(store.getState().activities).toMatchObject([{ progress: 0.25, secondsLeft: 15 }]);
  activity.update('Pausing', 0.5, { secondsLeft: undefined });
  expect(store.getState().activities[0]).not.toHaveProperty('secondsLeft');
});
