import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** How often a waiting build looks whether the other one has ended. */
const pollMilliseconds = 100;
/** A whole build takes about 5 s on two cores; one that holds the lock for this long hangs. */
const giveUpAfterMilliseconds = 120_000;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function ownerOf(lockFile: string): number | undefined {
  try {
    const pid = Number(readFileSync(lockFile, 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Runs `work` while no other process builds. MCP clients start several launchers at the same moment, and each of them builds what is
 * stale; without the lock they replace one another's output half-way.
 */
export async function whileLocked<T>(lockFile: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(lockFile), { recursive: true });
  const started = performance.now();
  let emptySince: number | undefined;
  for (;;) {
    try {
      writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = ownerOf(lockFile);
    // Between creation and writing the file is empty for a moment; empty for a second means that its owner died there.
    emptySince = owner === undefined ? (emptySince ?? performance.now()) : undefined;
    const abandoned = owner === undefined ? performance.now() - (emptySince ?? 0) > 1_000 : !isAlive(owner);
    if (abandoned) {
      rmSync(lockFile, { force: true });
      continue;
    }
    if (performance.now() - started > giveUpAfterMilliseconds) {
      throw new Error(
        `Another build (process ${owner ?? 'unknown'}) has held ${join(lockFile)} for ${giveUpAfterMilliseconds / 1000} s. End that process, or delete the file if it is gone.`,
      );
    }
    await delay(pollMilliseconds);
  }
  try {
    return await work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}
