import type { AllowedName } from './allowedNames.ts';

/**
 * Removes every global that isn't allowed and puts ours in the place of those that are replaced. A name that a newer Node adds is removed
 * like any other.
 *
 * @throws Error when a global cannot be removed: no driver runs beside an unreviewed one
 */
export function pruneGlobals(allowed: readonly AllowedName[], ours: Readonly<Record<string, unknown>>): void {
  const names = new Map(allowed.map((entry) => [entry.name, entry]));
  for (const key of Reflect.ownKeys(globalThis)) {
    if (key === Symbol.toStringTag) continue;
    const entry = names.get(String(key));
    if (entry === undefined) {
      if (!Reflect.deleteProperty(globalThis, key)) throw new Error(`The global ${String(key)} cannot be removed.`);
    } else if (entry.replaced) {
      Object.defineProperty(globalThis, key, { value: ours[entry.name], writable: true, enumerable: false, configurable: true });
    }
  }
  // They read an answer of the network, which needs the rest of fetch.
  const webAssembly = Reflect.get(globalThis, 'WebAssembly') as object;
  for (const name of ['compileStreaming', 'instantiateStreaming']) Reflect.deleteProperty(webAssembly, name);
}
