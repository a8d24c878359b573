import { setTimeout as delay } from 'node:timers/promises';
import { driverPids } from './processSample.ts';
import type { SoakWorld } from './soakWorld.ts';

const BETWEEN = 40_000;
const AWAY = 3_000;

/** Kills a driver and takes the server away, in turns, until the end. @returns how often each happened */
export async function disturb(world: SoakWorld): Promise<{ readonly killedDrivers: number; readonly outages: number }> {
  const happened = { killedDrivers: 0, outages: 0 };
  const pause = (milliseconds: number): Promise<void> =>
    delay(milliseconds, undefined, { signal: world.signal }).catch(() => undefined);
  for (let turn = 0; ; turn += 1) {
    await pause(BETWEEN);
    if (world.signal.aborted) return happened;
    world.disturb();
    if (turn % 2 === 0) {
      // One: the host doesn't start a driver again for a while that ended five times within five minutes.
      const [pid] = await driverPids(world.pidFile);
      if (pid !== undefined && kill(pid)) happened.killedDrivers += 1;
    } else {
      world.proxy.cut();
      await pause(AWAY);
      world.proxy.mend();
      world.disturb();
      happened.outages += 1;
    }
  }
}

function kill(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    // It has just ended.
    return false;
  }
}
