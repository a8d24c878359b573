import { expect, it } from 'vitest';
import type { OperationRun } from '../../common/operations.ts';
import { UndoneRuns } from './undoneRuns.ts';

function run(id: string, state: OperationRun['state']): OperationRun {
  return {
    ...{
      id,
      connectionId: 'c',
      place: { on: 'server' },
      operation: 'move-aliases',
      label: 'Move aliases',
      steps: [],
      affected: [],
    },
    ...{ state, startedAt: '2026-11-28T12:00:00.000Z', progress: { step: 0 }, rejected: 0, rejections: [], canResume: false },
  };
}

it('leaves a run once the run that takes it back is done, and only once', () => {
  const left: string[] = [];
  const undone = new UndoneRuns((id) => void left.push(id));
  undone.begin('undo', 'first');
  undone.take([run('first', 'done'), run('undo', 'running')]);
  expect(left).toEqual([]);
  undone.take([run('first', 'done'), run('undo', 'done')]);
  undone.take([run('first', 'done'), run('undo', 'done')]);
  expect(left).toEqual(['first']);
});

it.each(['failed', 'cancelled', 'interrupted'] as const)('leaves a run on the list where its undo is %s', (state) => {
  const left: string[] = [];
  const undone = new UndoneRuns((id) => void left.push(id));
  undone.begin('undo', 'first');
  undone.take([run('first', 'done'), run('undo', state)]);
  expect(left).toEqual([]);
});

it('leaves a run whose undo was done before its start was answered', () => {
  const left: string[] = [];
  const undone = new UndoneRuns((id) => void left.push(id));
  undone.take([run('first', 'done'), run('undo', 'done')]);
  undone.begin('undo', 'first');
  expect(left).toEqual(['first']);
});
