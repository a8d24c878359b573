import { deleteProperty, ownKeys } from './intrinsics.ts';
import type { AllowedName } from './allowedNames.ts';

/**
 * Removes what is not kept from Node's own module of files. Streams of files hold that module under a symbol, so that a driver finds it
 * whatever it may import.
 */
export function pruneFiles(allowed: Readonly<Record<string, readonly AllowedName[]>>): void {
  for (const module of ['fs', 'fs/promises']) {
    const names = new Set((allowed[module] ?? []).map(({ name }) => name));
    const real = process.getBuiltinModule(module) as object;
    for (const key of ownKeys(real)) if (!names.has(String(key))) deleteProperty(real, key);
  }
}
