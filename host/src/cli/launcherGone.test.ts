import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { launcherGone } from './launcherGone.ts';

it('ends a lasting command when its launcher is gone, and no other', async () => {
  let parent = 41;
  const watch = (words: readonly string[], env: NodeJS.ProcessEnv) =>
    launcherGone(env, words, { parent: () => parent, milliseconds: 5 });
  const env = { TABULARIUM_LAUNCHER: '41', HOME: '/' };
  const serve = watch(['serve'], env);
  expect(env).toEqual({ HOME: '/' });
  const others = [
    watch(['export'], { TABULARIUM_LAUNCHER: '41' }),
    watch(['serve'], {}),
    // Set for another program in between.
    watch(['serve'], { TABULARIUM_LAUNCHER: '40' }),
    watch(['docs'], { TABULARIUM_LAUNCHER: 'garbage' }),
  ];
  const docs = watch(['docs'], { TABULARIUM_LAUNCHER: '41' });
  await delay(30);
  expect([serve.aborted, docs.aborted]).toEqual([false, false]);
  parent = 1;
  await expect.poll(() => [serve.aborted, docs.aborted]).toEqual([true, true]);
  expect(others.map(({ aborted }) => aborted)).toEqual([false, false, false, false]);
});
