import { EventEmitter } from 'node:events';
import type { Writable } from 'node:stream';
import type { DriverPlace } from './driverPlace.ts';
import type { AllowedName } from './allowedNames.ts';

/** The `process` of a driver: the properties that stay, on an object of its own. No event of the real process reaches it. */
export function driverProcess(
  real: NodeJS.Process,
  allowed: readonly AllowedName[],
  output: { readonly stdout: Writable; readonly stderr: Writable },
  place: DriverPlace,
): object {
  const { hrtime } = real;
  const nextTick = real.nextTick.bind(real);
  const exit = real.exit.bind(real);
  const ownHrtime = Object.assign((previous?: [number, number]) => hrtime(previous), { bigint: () => hrtime.bigint() });
  const values: Readonly<Record<string, unknown>> = {
    version: real.version,
    versions: Object.freeze({ ...real.versions }),
    platform: real.platform,
    arch: real.arch,
    release: Object.freeze({ name: real.release.name }),
    features: Object.freeze({ ...real.features }),
    env: {},
    argv: [],
    execArgv: [],
    pid: real.pid,
    title: 'driver',
    cwd: () => place.folder,
    nextTick: (work: (...values: unknown[]) => void, ...given: unknown[]) => nextTick(work, ...given),
    hrtime: ownHrtime,
    exit: (code?: number) => exit(code),
    emitWarning: (warning: unknown) => void output.stderr.write(`Warning: ${String(warning)}\n`),
    ...output,
    dlopen: real.dlopen.bind(real),
  };
  // Libraries find out by it whether they run in Node.
  const own = Object.assign(new EventEmitter(), { [Symbol.toStringTag]: 'process' });
  for (const { name } of allowed) {
    if (Object.hasOwn(values, name)) Reflect.set(own, name, values[name]);
  }
  return own;
}
