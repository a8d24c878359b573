import { deleteProperty, ownKeys } from './intrinsics.ts';
import type { KeptName } from './keptNames.ts';

/**
 * Removes what is not kept from Node's own module of files. Streams of files hold that module under a symbol, so that a driver finds it
 * whatever it may import.
 */
export function pruneFiles(kept: Readonly<Record<string, readonly KeptName[]>>): void {
  for (const module of ['fs', 'fs/promises']) {
    const names = new Set((kept[module] ?? []).map(({ name }) => name));
    const real = process.getBuiltinModule(module) as object;
    for (const key of ownKeys(real)) if (!names.has(String(key))) deleteProperty(real, key);
  }
}
