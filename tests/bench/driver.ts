import { setTimeout as delay } from 'node:timers/promises';
import type { Budget } from './budget.ts';
import { atMost, median, timed } from './budget.ts';
import type { Surroundings } from './surroundings.ts';

const ROUNDS = 7;
const SPARE_START = 500;
const never = new AbortController().signal;

/** Installing from a warm registry, the first answer of a driver that does not run yet, and a session in one that does. */
export async function driverBudgets(surroundings: Surroundings): Promise<readonly Budget[]> {
  const times: { install: number[]; verify: number[]; cold: number[]; session: number[]; spare: number[] } = {
    install: [],
    verify: [],
    cold: [],
    session: [],
    spare: [],
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const runtime = await surroundings.newRuntime({ spareDriver: false });
    try {
      let verifying = 0;
      let verified = 0;
      times.install.push(
        await timed(() =>
          runtime.installer.install('search', {
            signal: never,
            onProgress: ({ step }) => {
              if (step === 'verifying') verifying = performance.now();
              if (step === 'tryingOut') verified = performance.now();
            },
          }),
        ),
      );
      times.verify.push(verified - verifying);
      const connection = await surroundings.connect(runtime);
      const use = (): Promise<unknown> =>
        runtime.sessions.use(connection, ({ session }) => session.ping({ signal: never }), { signal: never });
      times.cold.push(await timed(use));
      await runtime.sessions.close(connection);
      times.session.push(await timed(use));
    } finally {
      await runtime[Symbol.asyncDispose]();
    }
  }
  for (let round = 0; round < ROUNDS; round += 1) times.spare.push(await withSpareProcess(surroundings));
  return [
    atMost('install from the local registry', median(times.install), 300, 'milliseconds'),
    atMost('verification within it', median(times.verify), 5, 'milliseconds'),
    atMost('driver: cold start to first answer', median(times.cold), 150, 'milliseconds'),
    atMost('driver: new session in a running process', median(times.session), 15, 'milliseconds'),
    atMost('driver: first answer with a spare process', median(times.spare), 60, 'milliseconds'),
  ];
}

/** The first answer of a driver that does not run, where a process waits for it. */
async function withSpareProcess(surroundings: Surroundings): Promise<number> {
  const runtime = await surroundings.newRuntime();
  try {
    await runtime.installer.install('search', { signal: never });
    const connection = await surroundings.connect(runtime);
    // The trial load took the spare process; the next one is up by then.
    await delay(SPARE_START);
    return await timed(() =>
      runtime.sessions.use(connection, ({ session }) => session.ping({ signal: never }), { signal: never }),
    );
  } finally {
    await runtime[Symbol.asyncDispose]();
  }
}
