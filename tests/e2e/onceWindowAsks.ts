import { setTimeout as pause } from 'node:timers/promises';
import { STEP_MILLISECONDS } from './browser.ts';

/**
 * The answer to a client's call, which is made again while no window waits for questions: one that has just loaded says only a moment later that
 * it is there, and until then the host refuses at once.
 */
export async function onceWindowAsks<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  const end = Date.now() + STEP_MILLISECONDS;
  for (;;) {
    const answer = await call();
    if (Date.now() > end || !JSON.stringify(answer).includes('APPROVAL_REQUIRED')) return answer;
    await pause(200);
  }
}
