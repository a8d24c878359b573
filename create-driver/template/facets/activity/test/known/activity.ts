import { setTimeout as delay } from 'node:timers/promises';
import type { ConformancePlan } from '@tabularium/sdk/testing';
import { request } from '../server.ts';

const TEXT = 'wait 600000';

async function isRunning(): Promise<boolean> {
  return (await (await request('/running')).text()).includes(TEXT);
}

/** A statement that the kit begins and ends. */
export const knownActivity: Partial<ConformancePlan> = {
  activity: {
    begin: async () => {
      const ending = new AbortController();
      const body = JSON.stringify({ text: TEXT, maxRows: 1 });
      const running = request('/statements', { method: 'POST', body, signal: ending.signal }).catch(() => undefined);
      while (!(await isRunning())) await delay(10);
      return {
        text: TEXT,
        close: async () => {
          ending.abort();
          await running;
        },
      };
    },
  },
};
