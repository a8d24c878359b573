import { expect, it } from 'vitest';
import { OperationOrder } from './operationOrder.ts';

it('an event behind the result, and a step that goes back, are faults of the driver', () => {
  const order = new OperationOrder();
  expect(order.problem({ type: 'progress', step: 1 })).toBeUndefined();
  expect(order.problem({ type: 'checkpoint', checkpoint: '{}' })).toBeUndefined();
  expect(order.problem({ type: 'checkpoint', checkpoint: '{}' })).toBeUndefined();
  expect(order.problem({ type: 'progress', step: 0 })).toBe('step 0 came behind step 1');
  expect(order.problem({ type: 'result', message: 'Done.' })).toBeUndefined();
  expect(order.problem({ type: 'rejected', row: 'a', message: 'b' })).toBe('rejected came behind the result');
});
