import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MOST_READINGS } from '../../common/metrics.ts';
import { FakeWork, never } from '../work.test-helper.ts';
import { Metrics } from './metrics.ts';

let work: FakeWork;
beforeEach(() => {
  work = new FakeWork();
});
afterEach(() => work[Symbol.asyncDispose]());

describe('metrics', () => {
  it('are read with their time and kept, the last of them, until the connection is changed', async () => {
    let value = 0;
    work.session.metrics = {
      missingPanels: [{ id: 'sessions', label: 'Sessions', reason: 'None.' }],
      read: async () => ({ metrics: [{ id: 'm', label: 'M', unit: 'count', value: (value += 1) }], problems: [] }),
    };
    const metrics = new Metrics(work.sessions, work.connections);
    expect(await metrics.info(work.connectionId, never)).toMatchObject({ missingPanels: [{ id: 'sessions' }] });
    for (let count = 0; count < MOST_READINGS + 5; count += 1) await metrics.read(work.connectionId, never);
    const history = metrics.history(work.connectionId);
    expect([history.length, history[0]?.metrics[0]?.value, history.at(-1)?.metrics[0]?.value]).toEqual([
      MOST_READINGS,
      6,
      MOST_READINGS + 5,
    ]);
    expect(Date.parse(String(history[0]?.at))).not.toBeNaN();
    work.connections.remove(work.connectionId);
    expect(metrics.history(work.connectionId)).toEqual([]);
  });
});
