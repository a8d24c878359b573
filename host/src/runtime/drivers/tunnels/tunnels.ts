import { DriverError } from '@tabularium/sdk';
import type { SettingsValues } from '../../../common/connection.ts';
import { englishOf } from '../../../common/hostSentences.ts';
import type { TunnelFieldId } from '../../../common/tunnelFields.ts';
import { TUNNEL } from '../../../common/tunnelFields.ts';
import { tunnelAddress, tunnelOf } from '../../../common/tunnelOf.ts';
import { tunnelProblems } from '../../../common/tunnelProblems.ts';
import type { Inject } from '../../container/inject.ts';
import type { SealedSecrets } from '../../credentials/sealedSecrets.ts';
import { ENVIRONMENT } from '../../program/environment.ts';
import type { SendingDriver } from '../broker/serverDestination.ts';
import { tunnelReach } from '../broker/serverDestination.ts';
import { HostKeys } from './hostKeys.ts';
import { SocksTunnel } from './socksTunnel.ts';
import { demand } from './demand.ts';
import type { SshLimits } from './sshLimits.ts';
import type { Tunnel } from '../broker/tunnel.ts';

/** Makes the way to a connection's server, as its form has it, for one session. */
export class Tunnels {
  static readonly inject: Inject<typeof Tunnels> = [HostKeys, ENVIRONMENT];

  readonly #hostKeys: HostKeys;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #limits: Partial<SshLimits>;

  constructor(hostKeys: HostKeys, environment: NodeJS.ProcessEnv, limits: Partial<SshLimits> = {}) {
    this.#hostKeys = hostKeys;
    this.#environment = environment;
    this.#limits = limits;
  }

  /**
   * Nothing is reached yet.
   *
   * @returns undefined for a direct connection
   * @throws DriverError `INVALID_INPUT`, `CREDENTIALS_MISSING` with the field
   * @throws HostError `SECRET_NOT_CONFIRMED`
   */
  async for(
    driver: Pick<SendingDriver, 'id' | 'manifest'>,
    settings: SettingsValues,
    secrets: SealedSecrets,
  ): Promise<Tunnel | undefined> {
    const tunnel = tunnelOf(driver.manifest, settings);
    if (tunnel === undefined) return undefined;
    const [problem] = tunnelProblems(driver.manifest, settings);
    if (problem !== undefined)
      throw new DriverError('INVALID_INPUT', englishOf(problem.sentence), { details: { field: problem.field } });
    const { host, port, user } = tunnel;
    demand(host, tunnel.kind === 'ssh' ? TUNNEL.sshHost : TUNNEL.socksHost, 'sshHostMissing');
    const address = tunnelAddress(tunnel);
    const secret = (field: TunnelFieldId): string => {
      const reach = tunnelReach(driver, settings, field);
      return (reach === undefined ? undefined : secrets.open(field, reach)) ?? '';
    };
    if (tunnel.kind === 'socks') {
      const signIn = user === '' ? undefined : { user, password: secret(TUNNEL.socksPassword) };
      return new SocksTunnel(address, { host, port }, signIn);
    }
    demand(user, TUNNEL.sshUser, 'sshUserMissing');
    // The library is loaded for those who use it: no other start waits for it.
    const [{ SshTunnel }, { sshCredential }] = await Promise.all([import('./sshTunnel.ts'), import('./sshCredential.ts')]);
    const credential = await sshCredential(tunnel, secret, this.#environment);
    return new SshTunnel({ host, port, address, user, credential, hostKeys: this.#hostKeys, limits: this.#limits });
  }
}
