import { pathToFileURL } from 'node:url';
import type { Driver } from '@tabularium/sdk';
import { sourcePlace } from './sourcePlace.ts';

/** The driver, or a sentence that says why there is none. */
export type LoadedDriver = { readonly ok: true; readonly driver: Driver } | { readonly ok: false; readonly problem: string };

const LONGEST_REASON = 1_000;

/** Imports a driver's entry. Never throws. */
export async function loadDriver(entry: string, id: string): Promise<LoadedDriver> {
  let exports: unknown;
  try {
    exports = await import(pathToFileURL(entry).href);
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const place = sourcePlace(error);
    const where = place === undefined ? '' : ` (${place})`;
    return { ok: false, problem: `The driver "${id}" could not be loaded. ${reason.slice(0, LONGEST_REASON)}${where}` };
  }
  const driver: unknown = typeof exports === 'object' && exports !== null && 'driver' in exports ? exports.driver : undefined;
  if (!isDriver(driver)) {
    return {
      ok: false,
      problem: `The entry of the driver "${id}" does not export a driver. Export the result of defineDriver under the name "driver".`,
    };
  }
  if (driver.definition.id !== id) {
    return {
      ok: false,
      problem: `The package says that its driver is "${id}", but its code says "${String(driver.definition.id).slice(0, 60)}". The id in the manifest and in defineDriver must be the same.`,
    };
  }
  return { ok: true, driver };
}

/** By its mark and not by its class: a driver brings its own copy of the sdk. */
function isDriver(value: unknown): value is Driver {
  if (typeof value !== 'object' || value === null) return false;
  if (!('$$type' in value) || value.$$type !== '@tabularium/driver') return false;
  if (!('contract' in value) || typeof value.contract !== 'string') return false;
  if (!('definition' in value) || typeof value.definition !== 'object' || value.definition === null) return false;
  return 'connect' in value.definition && typeof value.definition.connect === 'function';
}
