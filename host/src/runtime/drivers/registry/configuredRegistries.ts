import { registrySource } from '../trust/registrySource.ts';

/** Registries that the environment names, separated by spaces. None is built in: the local registry announces itself. */
export function configuredRegistries(env: NodeJS.ProcessEnv): ReturnType<typeof registrySource>[] {
  return (env['TABULARIUM_REGISTRIES'] ?? '')
    .split(/\s+/)
    .filter((url) => url !== '')
    .map((url) => registrySource(url));
}
