import { TestRunner } from 'vitest';
import type { RunnerTask, RunnerTestFile, RunnerTestSuite } from 'vitest';
import { isPast } from './deadline.ts';

/** The report has it beside each test that {@link BoundedTestRunner} left out. */
declare module 'vitest' {
  interface TaskMeta {
    leftOut?: true;
  }
}

/**
 * Begins no test once the deadline of scripts/testing/deadline.ts has passed: what runs then is finished, and the rest is marked in the report
 * as left out. A file that has not begun prepares nothing any more.
 */
export default class BoundedTestRunner extends TestRunner {
  // Vitest gives it to each runner that it makes.
  declare onTaskUpdate: (packs: [id: string, result: object, meta: object][], events: []) => Promise<void>;

  override async onBeforeRunSuite(suite: RunnerTestSuite): Promise<void> {
    if (isPast()) await this.#leaveOut(suite);
    await super.onBeforeRunSuite(suite);
  }

  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    if (isPast()) await this.#leaveOut(test);
    await super.onBeforeRunTask(test);
  }

  async #leaveOut(task: RunnerTask | RunnerTestFile): Promise<void> {
    if (task.mode !== 'run' && task.mode !== 'queued') return;
    task.mode = 'skip';
    if ('tasks' in task) {
      for (const child of task.tasks) await this.#leaveOut(child);
      return;
    }
    task.meta.leftOut = true;
    task.result = { state: 'skip' };
    await this.onTaskUpdate([[task.id, task.result, task.meta]], []);
  }
}
