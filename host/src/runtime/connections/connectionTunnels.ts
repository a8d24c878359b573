import { HostError } from '../../common/errors.ts';
import { tunnelAddress, tunnelOf } from '../../common/tunnelOf.ts';
import type { Inject } from '../container/inject.ts';
import { HostKeys } from '../drivers/tunnels/hostKeys.ts';
import type { ManifestSource } from './connectionService.ts';
import { MANIFESTS } from './connectionService.ts';
import { ConnectionStore } from './connectionStore.ts';

/** The SSH servers of saved connections. */
export class ConnectionTunnels {
  static readonly inject: Inject<typeof ConnectionTunnels> = [ConnectionStore, MANIFESTS, HostKeys];

  readonly #store: Pick<ConnectionStore, 'get'>;
  readonly #manifests: ManifestSource;
  readonly #hostKeys: Pick<HostKeys, 'forget'>;

  constructor(store: Pick<ConnectionStore, 'get'>, manifests: ManifestSource, hostKeys: Pick<HostKeys, 'forget'>) {
    this.#store = store;
    this.#manifests = manifests;
    this.#hostKeys = hostKeys;
  }

  /**
   * Forgets the key that was accepted for the SSH server of a connection, so that the next one is asked about.
   *
   * @throws HostError `CONNECTION_UNKNOWN`, `DRIVER_UNKNOWN`, `INVALID_REQUEST` for a connection without an SSH server
   */
  async forgetHostKey(connectionId: string): Promise<{ readonly server: string; readonly forgotten: boolean }> {
    const connection = this.#store.get(connectionId);
    const tunnel = tunnelOf(await this.#manifests.manifestOf(connection.driver), connection.settings);
    if (tunnel?.kind !== 'ssh') {
      throw new HostError('INVALID_REQUEST', `"${connection.name}" does not connect through an SSH server.`, {
        details: { advice: 'Name a connection that does.' },
      });
    }
    return { server: tunnelAddress(tunnel), forgotten: this.#hostKeys.forget(tunnel) };
  }
}
