import { HostError } from '../common/errors.ts';
import type { MovedSecrets } from '../common/secretPlaces.ts';
import { loadPart } from '../runtime/errors/loadPart.ts';
import type { MoveOptions } from '../runtime/moveSecrets.ts';
import { takeHomeOrFindHost } from './takeHome.ts';

/**
 * Changes the place of the secrets of a data directory that no host owns.
 *
 * @throws HostError `HOME_IN_USE` where a host runs, and as `moveSecrets` does
 */
export async function useSecretPlace(options: MoveOptions, signal: AbortSignal): Promise<MovedSecrets> {
  const { home } = options;
  const found = await takeHomeOrFindHost(home, { signal, accepts: (lifetime) => lifetime === 'host' });
  if ('host' in found) {
    throw new HostError('HOME_IN_USE', `A host is running in ${home.folder}, and it uses the secrets.`, {
      details: { advice: 'Stop the host and run the command again.' },
    });
  }
  using lock = found.lock;
  // Loaded when it is needed: most commands only speak to a host that runs.
  const { moveSecrets } = await loadPart(() => import('../runtime/moveSecrets.ts'));
  return await moveSecrets({ ...options, home: lock.home });
}
