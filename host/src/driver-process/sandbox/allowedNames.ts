import { GRANTED_MODULES, ALLOWED_GLOBALS, ALLOWED_MODULES, ALLOWED_PROCESS } from '@tabularium/sdk/protocol';
import type { AllowedNames } from '@tabularium/sdk/protocol';

/** One name that stays, and whether Tabularium's own value replaces Node's. */
export interface AllowedName {
  readonly name: string;
  readonly replaced: boolean;
}

function namesOf(list: readonly AllowedNames[], grants: readonly string[]): readonly AllowedName[] {
  const allowed = new Map<string, AllowedName>();
  for (const { names, grant, replaced = false } of list) {
    if (grant !== undefined && !grants.includes(grant)) continue;
    // A later entry takes the place of an earlier one: a connection that a grant allows, of the one that always fails.
    for (const name of names) allowed.set(name, { name, replaced });
  }
  return [...allowed.values()];
}

export const allowedGlobals = (grants: readonly string[]): readonly AllowedName[] => namesOf(ALLOWED_GLOBALS, grants);
export const allowedProcess = (grants: readonly string[]): readonly AllowedName[] => namesOf(ALLOWED_PROCESS, grants);

/**
 * The modules that a driver with these grants can import, by their names without `node:`. The object has no prototype, so that no name is
 * found that is not its own.
 *
 * @param without - modules that this process has not
 */
export function allowedModules(
  grants: readonly string[],
  without: readonly string[] = [],
): Readonly<Record<string, readonly AllowedName[]>> {
  const modules = Object.create(null) as Record<string, readonly AllowedName[]>;
  for (const [name, list] of Object.entries(ALLOWED_MODULES)) {
    const values = name === 'process' ? ALLOWED_PROCESS : list;
    modules[name] = namesOf([...values, ...(GRANTED_MODULES[name] ?? [])], grants);
  }
  for (const [name, list] of Object.entries(GRANTED_MODULES)) {
    const allowed = namesOf(list, grants);
    if (modules[name] === undefined && allowed.length > 0) modules[name] = allowed;
  }
  for (const name of without) Reflect.deleteProperty(modules, name);
  return modules;
}
