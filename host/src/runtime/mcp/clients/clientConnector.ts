import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type {
  BridgeCheck,
  ConfigurationChange,
  ConfigurationWritten,
  ConnectableClient,
} from '../../../common/connectClients.ts';
import { HostError } from '../../../common/errors.ts';
import { resolveHome } from '../../storage/home.ts';
import { bridgesNamedIn } from './bridgesNamedIn.ts';
import { checkBridge } from './checkBridge.ts';
import { findClient, MCP_CLIENTS } from './clients.ts';
import type { EntryValues, McpClient, Place } from './clients.ts';
import { planChange, writeChange } from './configFile.ts';
import type { ConfigChange } from './configFile.ts';
import { lineDiff } from './lineDiff.ts';
import { snippetOf } from './snippet.ts';
import { ENVIRONMENT } from '../../program/environment.ts';
import { HOME } from '../../storage/home.ts';
import { HOST_PACKAGE } from '../../program/hostPackage.ts';
import { PREFERRED_PORT } from '../server/limits.ts';
import { bridgeProgram } from './bridgeProgram.ts';
import { from } from '../../container/inject.ts';
import type { Inject } from '../../container/inject.ts';
import { token } from '../../container/inject.ts';
import { userFolder } from '../../storage/userFolder.ts';
import { readRegularText } from '../../storage/regularFile.ts';

/** Where the MCP server is; undefined while it does not run. */
export const MCP_URL = token<() => string | undefined>('MCP_URL');

/** Stands for a token that a person has yet to create. */
export const TOKEN_PLACE = '<ACCESS_TOKEN>';

export interface ClientConnectorParts {
  /** The absolute path of the bridge. */
  readonly bridge: string;
  readonly home: string;
  readonly place: Place;
  /** Where the MCP server is, or would be. */
  readonly url: () => string;
}

/** A client whose settings start a bridge. */
export interface ClientWithBridge {
  readonly id: string;
  readonly title: string;
  /** Its settings. */
  readonly file: string;
  /** The bridges in them that don't exist. */
  readonly missing: readonly string[];
}

/** Shows people how to connect clients, and writes the settings on request. */
export class ClientConnector {
  static readonly inject: Inject<typeof ClientConnector> = {
    bridge: from([HOST_PACKAGE], ({ folder }) => bridgeProgram(folder)),
    home: from([HOME], ({ folder }) => folder),
    place: from([ENVIRONMENT], (env) => ({
      platform: process.platform,
      userFolder: userFolder(env),
      env,
    })),
    url: from([MCP_URL], (url) => () => url() ?? `http://127.0.0.1:${PREFERRED_PORT}/mcp`),
  };

  readonly #parts: ClientConnectorParts;

  constructor(parts: ClientConnectorParts) {
    this.#parts = parts;
  }

  list(): readonly ConnectableClient[] {
    return MCP_CLIENTS.map((client) => {
      const { id, title, format, transport, signsIn } = client;
      const file = transport === 'stdio' && format !== 'command' ? client.file?.(this.#parts.place) : undefined;
      return {
        id,
        title,
        format,
        transport,
        text: snippetOf(client, this.#values()),
        ...(signsIn === undefined ? {} : { signsIn }),
        ...(file === undefined ? {} : { file }),
      };
    });
  }

  async plan(id: string): Promise<ConfigurationChange> {
    const change = await this.#plan(id);
    return { file: change.file, diff: diffOf(change) };
  }

  async write(id: string, shown: string): Promise<ConfigurationWritten> {
    const change = await this.#plan(id);
    if (diffOf(change) !== shown) {
      throw new HostError('INVALID_REQUEST', `${change.file} was changed in the meantime.`, {
        details: { advice: 'Review the file, and try again.' },
      });
    }
    const backup = await writeChange(change);
    return { file: change.file, ...(backup === undefined ? {} : { backup }) };
  }

  /** The clients on this computer whose settings start a bridge, and the bridges that are no longer there. */
  async connected(): Promise<readonly ClientWithBridge[]> {
    const found = await Promise.all(
      MCP_CLIENTS.map(async ({ id, title, transport, file }) => {
        const path = transport === 'stdio' ? file?.(this.#parts.place) : undefined;
        if (path === undefined) return undefined;
        const bridges = bridgesNamedIn(await readRegularText(path).catch(() => ''));
        if (bridges.length === 0) return undefined;
        return { id, title, file: path, missing: bridges.filter((bridge) => isAbsolute(bridge) && !existsSync(bridge)) };
      }),
    );
    return found.filter((client) => client !== undefined);
  }

  check(signal: AbortSignal): Promise<BridgeCheck> {
    const { bridge, home, place } = this.#parts;
    return checkBridge(bridge, { ...place.env, TABULARIUM_HOME: home }, signal);
  }

  async #plan(id: string): Promise<ConfigChange> {
    const client: McpClient | undefined = findClient(id);
    const file = client?.transport === 'stdio' ? client.file?.(this.#parts.place) : undefined;
    if (client === undefined || file === undefined) {
      throw new HostError('INVALID_REQUEST', 'This client has no file that Tabularium can write.');
    }
    return planChange(client, this.#values(), file);
  }

  #values(): EntryValues {
    const { bridge, home, place, url } = this.#parts;
    // A home that is not the usual one is found by a client only when its entry says where it is.
    const usual = resolveHome({ ...place.env, TABULARIUM_HOME: undefined }, place.platform, place.userFolder);
    return { bridge, ...(home === usual ? {} : { home }), url: url(), token: TOKEN_PLACE };
  }
}

function diffOf({ before, after }: ConfigChange): string {
  return lineDiff(before ?? '', after);
}
