import { connectionsMigration } from '../../storage/migrations/connections.ts';
import { Database } from '../../storage/database.ts';
import { GrantingConnector } from '../driverConnector.ts';
import type { DriverProcesses } from '../processes/driverProcesses.ts';
import { AcceptedHostKeys } from './acceptedHostKeys.ts';
import { HostKeys } from './hostKeys.ts';
import type { SshLimits } from './sshLimits.ts';
import { Tunnels } from './tunnels.ts';

/** Keys of SSH servers in a database of their own, beside the lists of OpenSSH that are named. */
export function hostKeysFor(files: readonly string[] = []): HostKeys {
  return new HostKeys(new AcceptedHostKeys(new Database(':memory:', [connectionsMigration])), files);
}

/** A connector as the application has it, with these keys of SSH servers. */
export function connectorOf(
  processes: DriverProcesses,
  hostKeys: HostKeys = hostKeysFor(),
  environment: NodeJS.ProcessEnv = {},
  limits: Partial<SshLimits> = {},
): GrantingConnector {
  return new GrantingConnector(processes, new Tunnels(hostKeys, environment, limits));
}
