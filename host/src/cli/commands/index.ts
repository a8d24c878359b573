import type { z } from 'zod';
import { HostError } from '../../common/errors.ts';
import type { RunCommand } from '../../runtime/ownerSocket/commandSocket.ts';
import type { HostServices } from '../hostServices.ts';
import {
  addConnection,
  confirmSecrets,
  connectionForm,
  exportConnections,
  importConnections,
  listConnections,
  removeConnection,
  secretQuestion,
  testConnection,
} from './connections.ts';
import { createBackup } from './backup.ts';
import { developFolder, takeBuild } from './driverDevelopment.ts';
import * as management from './driverManagement.ts';
import { installDriver, listDrivers, searchDrivers } from './drivers.ts';
import { ensureMcp, showHidden } from './hiddenHost.ts';
import { mcpAddress } from './mcp.ts';
import { exportTable } from './export.ts';
import { runQuery } from './query.ts';
import { listTables } from './tables.ts';
import { createToken, listTokens, revokeToken } from './tokens.ts';
import { windowUrl } from './windowUrl.ts';

/** Every command, by the name under which it travels. */
export const COMMANDS = {
  'connections.list': listConnections,
  'connections.form': connectionForm,
  'connections.add': addConnection,
  'connections.remove': removeConnection,
  'connections.test': testConnection,
  'connections.secretQuestion': secretQuestion,
  'connections.confirm': confirmSecrets,
  'connections.export': exportConnections,
  'connections.import': importConnections,
  'drivers.list': listDrivers,
  'drivers.search': searchDrivers,
  'drivers.install': installDriver,
  'drivers.installFile': management.installDriverFile,
  'drivers.update': management.updateDrivers,
  'drivers.rollback': management.rollBackDriver,
  'drivers.pin': management.pinDriver,
  'drivers.unpin': management.unpinDriver,
  'drivers.enable': management.enableDriver,
  'drivers.disable': management.disableDriver,
  'drivers.remove': management.removeDriver,
  'drivers.bundle': management.bundleDriver,
  'drivers.load': management.loadFolder,
  'drivers.unload': management.unloadFolder,
  'drivers.develop': developFolder,
  'drivers.built': takeBuild,
  'drivers.keys': management.listKeys,
  'drivers.trust': management.trustKey,
  'drivers.revoke': management.revokeKey,
  'drivers.allow': management.allowGrants,
  'drivers.withdraw': management.withdrawGrants,
  'drivers.registries': management.listRegistries,
  'drivers.saveRegistry': management.saveRegistry,
  'drivers.removeRegistry': management.removeRegistry,
  'drivers.network': management.driverNetwork,
  'tokens.create': createToken,
  'tokens.list': listTokens,
  'tokens.revoke': revokeToken,
  'backup.create': createBackup,
  tables: listTables,
  query: runQuery,
  export: exportTable,
  'window.url': windowUrl,
  'window.showHidden': showHidden,
  'mcp.ensure': ensureMcp,
  'mcp.address': mcpAddress,
} as const;

export type CommandName = keyof typeof COMMANDS;
export type CommandInput<Name extends CommandName> = z.input<(typeof COMMANDS)[Name]['input']>;
export type CommandOutput<Name extends CommandName> = z.output<(typeof COMMANDS)[Name]['output']>;

function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

/** Runs commands with a host's services, for the socket and for a command that runs the runtime itself. */
export function commandRunner(services: HostServices): RunCommand {
  return async ({ command, arguments: input }, context) => {
    if (!isCommandName(command)) {
      throw new HostError('INVALID_REQUEST', `This host does not know the command "${command}".`, {
        details: { advice: 'The host that runs is an older version: stop it, and start this one.' },
      });
    }
    return COMMANDS[command].execute(services, input, context);
  };
}
