import { performance as realPerformance } from 'node:perf_hooks';
import { Builtins } from './builtins.ts';
import { disarmReport } from './disarmReport.ts';
import { driverConsole, driverOutput } from './driverConsole.ts';
import { driverProcess } from './driverProcess.ts';
import { keptGlobals, keptModules, keptProcess } from './keptNames.ts';
import { installModuleHooks } from './moduleHooks.ts';
import { pruneFiles } from './pruneFiles.ts';
import { pruneGlobals } from './pruneGlobals.ts';
import { stripProcess } from './stripProcess.ts';

/**
 * Takes everything from this process that its driver does not need, before the driver is loaded: globals, properties of `process`, modules of
 * Node and their exports. What stays is a list with reasons (sdk/src/sandbox); a name that is not on it is gone.
 *
 * It is one wall of several: Node's permission model and the kernel's stand behind it.
 *
 * @param folder - the driver's, a real path; it can import its files
 * @param grants - what a person has allowed beyond the sandbox
 * @throws Error when something cannot be removed
 */
export function confine(folder: string, grants: readonly string[]): void {
  disarmReport();
  const kept = keptModules(grants);
  const output = driverOutput();
  const ours = {
    process: driverProcess(process, keptProcess(grants), output),
    console: driverConsole(output, kept['console'] ?? []),
    performance: { now: () => realPerformance.now(), timeOrigin: realPerformance.timeOrigin },
  };
  const builtins = new Builtins({ kept, ...ours, addons: grants.includes('addons') });
  installModuleHooks(folder, kept, builtins);
  pruneFiles(kept);
  const real = process;
  // What stands behind fetch is loaded at its first use, and needs globals then that a driver does not have.
  if (grants.includes('network')) void globalThis.WebSocket;
  pruneGlobals(keptGlobals(grants), ours);
  stripProcess(real);
}
