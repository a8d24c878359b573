import type { HostError } from '../../../common/errors.ts';
import { registrySource } from '../trust/registrySource.ts';
import type { RegistrySource } from '../trust/registrySource.ts';
import { badRegistryAddress } from './registryAddress.ts';

const VARIABLE = 'TABULARIUM_REGISTRIES';

export interface ConfiguredRegistries {
  readonly sources: readonly RegistrySource[];
  /** About the first entry that isn't the address of a registry. What needs no registry works all the same. */
  readonly fault?: HostError;
}

/** Registries that the environment names, separated by spaces. None is built in: the local registry announces itself. */
export function configuredRegistries(env: NodeJS.ProcessEnv): ConfiguredRegistries {
  const sources: RegistrySource[] = [];
  let fault: HostError | undefined;
  for (const entry of (env[VARIABLE] ?? '').split(/\s+/).filter((text) => text !== '')) {
    try {
      // Two addresses with a comma between them would be one with a strange path.
      if (entry.includes(',')) throw new TypeError('Addresses have spaces between them, and no commas.');
      sources.push(registrySource(entry));
    } catch (cause) {
      fault ??= badRegistryAddress(entry, cause, VARIABLE);
    }
  }
  return fault === undefined ? { sources } : { sources, fault };
}
