import { expect, it } from 'vitest';
import type { ImportInfo } from '../../common/imports.ts';
import { createStatusStore } from '../state/notify.ts';
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

it('has the same time left in the status bar, whenever this window began to look', () => {
  const store = createStatusStore();
  const activity = store.getState().beginActivity('Importing');
  activity.update('Importing', 0.25, { secondsLeft: 15 });
  expect(store.getState().activities).toMatchObject([{ progress: 0.25, secondsLeft: 15 }]);
  activity.update('Pausing', 0.5, { secondsLeft: undefined });
  expect(store.getState().activities[0]).not.toHaveProperty('secondsLeft');
});
