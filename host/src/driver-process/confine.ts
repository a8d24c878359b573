import { createRequire, syncBuiltinESMExports } from 'node:module';

/**
 * Functions that Node's permission model leaves open: signals to other processes and their priority, flags of V8 (one of them writes a trace
 * file anywhere), ways around the public modules. Removing them stops what is not determined to find another way; it is no wall.
 */
const REMOVED: Readonly<Record<string, readonly string[]>> = {
  'node:process': [
    'kill',
    '_kill',
    '_debugProcess',
    '_debugEnd',
    '_startProfilerIdleNotifier',
    '_stopProfilerIdleNotifier',
    'binding',
    '_linkedBinding',
    'dlopen',
    'setuid',
    'setgid',
    'seteuid',
    'setegid',
    'setgroups',
    'initgroups',
    'loadEnvFile',
    'execve',
  ],
  'node:os': ['setPriority'],
  'node:v8': [
    'setFlagsFromString',
    'writeHeapSnapshot',
    'getHeapSnapshot',
    'setHeapSnapshotNearHeapLimit',
    'takeCoverage',
    'stopCoverage',
    'startCpuProfile',
    'startHeapProfile',
  ],
  'node:module': ['enableCompileCache', 'flushCompileCache'],
};

/**
 * Best effort, before the driver is loaded: no name of the list works afterwards, whether imported or reached through `process`.
 *
 * @param granted - what a person has allowed beyond the sandbox: native code is loaded through a function of the list
 */
export function removeDangerousFunctions(granted: readonly string[] = []): void {
  const require = createRequire(import.meta.url);
  for (const [module, names] of Object.entries(REMOVED)) {
    const object = require(module) as Record<string, unknown>;
    for (const name of names) {
      if (!(name in object) || (name === 'dlopen' && granted.includes('addons'))) continue;
      Object.defineProperty(object, name, {
        value: () => {
          throw new Error(`${module.slice('node:'.length)}.${name} is not available to a driver.`);
        },
        writable: false,
        configurable: false,
        enumerable: false,
      });
    }
  }
  syncBuiltinESMExports();
}
