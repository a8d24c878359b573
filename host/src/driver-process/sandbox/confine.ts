import { performance as realPerformance } from 'node:perf_hooks';
import { Builtins } from './builtins.ts';
import { disarmReport } from './disarmReport.ts';
import { driverConsole, driverOutput } from './driverConsole.ts';
import type { DriverPlace } from './driverPlace.ts';
import { DeliveredPlace } from './driverPlace.ts';
import { driverProcess } from './driverProcess.ts';
import { allowedGlobals, allowedModules, allowedProcess } from './allowedNames.ts';
import { installModuleHooks } from './moduleHooks.ts';
import { pruneFiles } from './pruneFiles.ts';
import { pruneGlobals } from './pruneGlobals.ts';
import { stripProcess } from './stripProcess.ts';

const FILE_MODULES = ['fs', 'fs/promises'];
const FILES_PROBLEM =
  'The driver imports node:fs by a name that it puts together while it runs. Write the name as a text in your code, "node:fs": a driver whose code names the module gets it, and may read its own folder.';
const FILES_MISSING = Object.freeze(
  Object.assign(
    Object.create(null) as Record<string, string>,
    Object.fromEntries(FILE_MODULES.map((name) => [name, FILES_PROBLEM])),
  ),
);
const NOTHING_MISSING = Object.freeze(Object.create(null) as Record<string, string>);

/**
 * Takes everything from this process that its driver does not need, before the driver is loaded: globals, properties of `process`, modules of
 * Node and their exports. What stays is a list with reasons (sdk/src/sandbox); a name that is not on it is gone.
 *
 * It is one wall of several: Node's permission model and the kernel's are behind it.
 *
 * @param place - where the driver's files are; it can import them. One that is delivered has no module of files: it may read none
 * @param grants - what a person has allowed beyond the sandbox
 * @returns takes a random text that can't be guessed, before the driver is loaded: no module can be imported until then
 * @throws Error when something cannot be removed
 */
export function confine(place: DriverPlace, grants: readonly string[]): (secret: string) => void {
  disarmReport();
  const isDelivered = place instanceof DeliveredPlace;
  const allowed = allowedModules(grants, isDelivered ? FILE_MODULES : []);
  const output = driverOutput();
  const ours = {
    process: driverProcess(process, allowedProcess(grants), output, place),
    console: driverConsole(output, allowed['console'] ?? []),
    performance: { now: () => realPerformance.now(), timeOrigin: realPerformance.timeOrigin },
  };
  const builtins = new Builtins({
    allowed,
    ...ours,
    addons: grants.includes('addons'),
    missing: isDelivered ? FILES_MISSING : NOTHING_MISSING,
  });
  const admit = installModuleHooks(place, allowed, builtins);
  pruneFiles(allowed);
  const real = process;
  // Node loads the implementation of fetch at its first use, and needs globals then that a driver does not have.
  if (grants.includes('network')) void globalThis.WebSocket;
  pruneGlobals(allowedGlobals(grants), ours);
  // The folder of the process, for node:path: the program may not change that of the kernel any more.
  if (isDelivered) Reflect.set(real, 'cwd', () => place.folder);
  stripProcess(real);
  return admit;
}
