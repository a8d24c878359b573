import { GRANTED_MODULES, KEPT_GLOBALS, KEPT_MODULES, KEPT_PROCESS } from '@tabularium/sdk/protocol';
import type { Kept } from '@tabularium/sdk/protocol';

/** One name that stays, and whether Tabularium's own value replaces Node's. */
export interface KeptName {
  readonly name: string;
  readonly replaced: boolean;
}

function namesOf(list: readonly Kept[], grants: readonly string[]): readonly KeptName[] {
  const kept = new Map<string, KeptName>();
  for (const { names, grant, replaced = false } of list) {
    if (grant !== undefined && !grants.includes(grant)) continue;
    // A later entry takes the place of an earlier one: a connection that a grant allows, of the one that always fails.
    for (const name of names) kept.set(name, { name, replaced });
  }
  return [...kept.values()];
}

export const keptGlobals = (grants: readonly string[]): readonly KeptName[] => namesOf(KEPT_GLOBALS, grants);
export const keptProcess = (grants: readonly string[]): readonly KeptName[] => namesOf(KEPT_PROCESS, grants);

/**
 * The modules that a driver with these grants can import, by their names without `node:`. The object has no prototype, so that no name is
 * found that is not its own.
 *
 * @param without - modules that this process has not
 */
export function keptModules(
  grants: readonly string[],
  without: readonly string[] = [],
): Readonly<Record<string, readonly KeptName[]>> {
  const modules = Object.create(null) as Record<string, readonly KeptName[]>;
  for (const [name, list] of Object.entries(KEPT_MODULES)) {
    const values = name === 'process' ? KEPT_PROCESS : list;
    modules[name] = namesOf([...values, ...(GRANTED_MODULES[name] ?? [])], grants);
  }
  for (const [name, list] of Object.entries(GRANTED_MODULES)) {
    const kept = namesOf(list, grants);
    if (modules[name] === undefined && kept.length > 0) modules[name] = kept;
  }
  for (const name of without) Reflect.deleteProperty(modules, name);
  return modules;
}
