import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { DriverProcess } from './driverProcess.ts';
import { PROCESS_LIMITS } from './processLimits.ts';

/** A process whose child is in the hands of the test. */
function processOf(child: ReturnType<typeof spawn>): { readonly process: DriverProcess; readonly ends: boolean[] } {
  const ends: boolean[] = [];
  const process = new DriverProcess({
    child,
    plan: undefined,
    driverId: 'fixture',
    version: '1.0.0',
    runner: '',
    files: [],
    limits: PROCESS_LIMITS,
    log: () => undefined,
    watch: { add: () => () => undefined } as never,
    pidFile: undefined,
    blocking: false,
    onEnded: (expected) => ends.push(expected),
  });
  return { process, ends };
}

const stdio = ['ignore', 'ignore', 'pipe', 'pipe'] as const;

describe('a process that is gone before anything listens', () => {
  it.each([
    {
      way: 'it ended',
      begin: async () => {
        const child = spawn(process.execPath, ['-e', 'process.exit(7)'], { stdio: [...stdio] });
        await once(child, 'exit');
        return child;
      },
      message: /ended unexpectedly \(exit code 7\)/,
    },
    {
      way: 'its program is not there',
      begin: async () => {
        const child = spawn('/nowhere/node', [], { stdio: [...stdio] });
        child.on('error', () => undefined);
        await once(child, 'error');
        return child;
      },
      message: /could not be started/,
    },
  ])('because $way says so at once, and can be stopped', async ({ begin, message }) => {
    const { process: own, ends } = processOf(await begin());
    await expect(own.ready()).rejects.toMatchObject({
      code: 'DRIVER_CRASHED',
      message: expect.stringMatching(message) as string,
    });
    await own.stop();
    await own.gone;
    expect(ends).toEqual([false]);
  });
});
