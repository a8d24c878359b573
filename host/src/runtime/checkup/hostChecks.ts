import type { HostCheck } from '../../common/checkup.ts';
import { HostError } from '../../common/errors.ts';
import { ConnectionStore } from '../connections/connectionStore.ts';
import { accountOf } from '../connections/enteredSecrets.ts';
import type { Inject } from '../container/inject.ts';
import { SECURE_STORE } from '../credentials/secureStore.ts';
import type { SecureStore } from '../credentials/secureStore.ts';
import { tryStore } from '../credentials/tryStore.ts';
import { TAKE_UP_AGAIN, unusedSecretsFiles } from '../credentials/unusedSecretsFiles.ts';
import { DriverCatalogue } from '../drivers/catalogue/driverCatalogue.ts';
import { WITHOUT_REGISTRY } from '../drivers/registry/withoutRegistry.ts';
import { DriverManagement } from '../drivers/install/driverManagement.ts';
import { RegistryManagement } from '../drivers/registry/registryManagement.ts';
import { ClientConnector } from '../mcp/clients/clientConnector.ts';
import { McpIntegrations } from '../mcp/integrations.ts';
import { HOME } from '../storage/home.ts';
import type { Home } from '../storage/home.ts';
import { ApplicationUpdates } from './applicationUpdates.ts';
import { checked } from './checked.ts';
import type { CheckupFact } from './checked.ts';
import { typedWord } from '../../common/typedWord.ts';

/** How an encrypted file is chosen, from the key on. */
const SECRETS_FILE_WAY =
  'Make a key file outside the data directory: (umask 077; head -c 32 /dev/urandom | base64 > ~/tabularium.key). Stop the host, and run "tabularium secrets use file --key-file ~/tabularium.key".';

export interface HostCheckParts {
  readonly home: Pick<Home, 'folder'>;
  readonly secureStore: SecureStore;
  readonly connections: Pick<ConnectionStore, 'list' | 'unreadable'>;
  readonly drivers: Pick<DriverManagement, 'overview'>;
  readonly catalogue: Pick<DriverCatalogue, 'of'>;
  readonly registries: Pick<RegistryManagement, 'registries' | 'network' | 'fault'>;
  readonly integrations: Pick<McpIntegrations, 'state' | 'settings'>;
  readonly clients: Pick<ClientConnector, 'connected' | 'check'>;
  readonly updates: Pick<ApplicationUpdates, 'state' | 'newer'>;
}

const several = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count} ${many}`);

/** Checks of what a host has and reaches: credentials, connections, drivers with their sandbox and registries, and the ways of AI clients. */
export class HostChecks {
  static readonly inject: Inject<typeof HostChecks> = {
    home: HOME,
    secureStore: SECURE_STORE,
    connections: ConnectionStore,
    drivers: DriverManagement,
    catalogue: DriverCatalogue,
    registries: RegistryManagement,
    integrations: McpIntegrations,
    clients: ClientConnector,
    updates: ApplicationUpdates,
  };

  readonly #parts: HostCheckParts;

  constructor(parts: HostCheckParts) {
    this.#parts = parts;
  }

  /**
   * Each as soon as it is known. Asks the registries, and starts the bridge as a client would.
   *
   * @param isServing - whether the host stays, so that its MCP server can run
   */
  async *run(isServing: boolean, signal: AbortSignal): AsyncGenerator<HostCheck, void, undefined> {
    yield await checked('secureStore', signal, (within) => this.#secureStore(within));
    yield await checked('connections', signal, () => this.#connections());
    yield await checked('sandbox', signal, () => this.#sandbox());
    yield await checked('drivers', signal, () => this.#drivers());
    yield await checked('registries', signal, (within) => this.#registries(within));
    yield await checked('mcpServer', signal, (within) => this.#mcpServer(isServing, within));
    yield await checked('clients', signal, () => this.#clients());
    yield await checked('updates', signal, () => this.#updates());
  }

  #updates(): CheckupFact {
    const { isOn, lookedAt } = this.#parts.updates.state();
    if (!isOn) return { finding: 'Newer versions of Tabularium are not looked for.' };
    const newer = this.#parts.updates.newer();
    if (lookedAt === undefined)
      return { finding: 'No registry has answered yet whether there is a newer version of Tabularium.' };
    if (newer === undefined)
      return { finding: `No newer version of Tabularium was found; registries were asked at ${lookedAt.toISOString()}.` };
    const finding = `The registry "${newer.registry}" has Tabularium ${newer.version}.`;
    return { finding, advice: 'Install it the way this one was installed.', ok: true };
  }

  async #secureStore(signal: AbortSignal): Promise<CheckupFact> {
    const { secureStore } = this.#parts;
    const state = await tryStore(secureStore);
    if (state.available)
      return this.#storedSecrets(`Passwords and keys are in ${state.name}; a trial value was saved, read and deleted.`, signal);
    const unused = await this.#unusedFiles();
    // The variables of a shell are not those of a service.
    if (secureStore.isReadOnly === true)
      return { finding: [state.reason, unused].filter((text) => text !== undefined).join(' ') };
    const users = this.#parts.connections
      .list()
      .filter(({ secrets }) => Object.values(secrets).some(({ kind }) => kind === 'store'));
    const elsewhere =
      state.advice ??
      (users.length === 0
        ? `Where there is no desktop, choose another place. For variables, stop the host and run "tabularium secrets use environment". For an encrypted file: ${SECRETS_FILE_WAY}`
        : undefined);
    const finding = state.reason;
    const adviceWith = (names: string): string => {
      const needed = `It has the passwords and keys of ${several(users.length, 'connection', 'connections')}${names}.`;
      return [elsewhere, users.length === 0 ? undefined : needed, unused].filter((text) => text !== undefined).join(' ');
    };
    return {
      ...{ finding, advice: adviceWith(`: ${named(users.map(({ name }) => name))}`) },
      forReport: { finding, advice: adviceWith('') },
    };
  }

  /** A store that works may lack what connections have in it: a choice of another place was lost, or another store was put in its place. */
  async #storedSecrets(finding: string, signal: AbortSignal): Promise<CheckupFact> {
    const { secureStore, connections } = this.#parts;
    const lacking: string[] = [];
    for (const { id, name, secrets } of connections.list()) {
      for (const [field, { kind }] of Object.entries(secrets)) {
        signal.throwIfAborted();
        if (kind !== 'store' || lacking.at(-1) === name) continue;
        const value = await secureStore.get(accountOf(id, field)).catch((error: unknown) => {
          if (!(error instanceof HostError)) throw error;
          return undefined;
        });
        if (value === undefined) lacking.push(name);
      }
    }
    const unused = await this.#unusedFiles();
    if (lacking.length === 0) return unused === undefined ? { finding } : { finding: `${finding} ${unused}` };
    const found = `${finding} ${several(lacking.length, 'connection has', 'connections have')} no secret there`;
    const advice = unused ?? 'Enter it again: edit the connection in the window.';
    return {
      ...{ finding: `${found}: ${named(lacking)}.`, advice },
      forReport: { finding: `${found}.`, advice },
    };
  }

  /** About encrypted files that no choice of a place names. */
  async #unusedFiles(): Promise<string | undefined> {
    const files = await unusedSecretsFiles(this.#parts.home.folder);
    if (files.length === 0) return undefined;
    return `${files.join(', ')} in the data directory ${files.length === 1 ? 'is an encrypted file' : 'are encrypted files'} that no choice of a place names. Stop the host: with its key file, "${TAKE_UP_AGAIN}" uses it again.`;
  }

  #connections(): CheckupFact {
    const { connections } = this.#parts;
    const unreadable = connections.unreadable();
    const saved = `${several(connections.list().length, 'connection is', 'connections are')} saved.`;
    if (unreadable.length === 0) return { finding: saved };
    const advice = 'Restore a backup that has them, or add them again.';
    const count = several(unreadable.length, 'connection', 'connections');
    return {
      ...{ finding: `${saved} These can't be read: ${named(unreadable.map(({ name, id }) => name ?? id))}.`, advice },
      forReport: { finding: `${saved} ${count} can't be read.`, advice },
    };
  }

  async #sandbox(): Promise<CheckupFact> {
    const { kernelSandboxMissing } = await this.#parts.drivers.overview();
    if (kernelSandboxMissing === undefined)
      return { finding: "Drivers run behind the kernel's sandbox, and behind Node's permission model." };
    return {
      finding: kernelSandboxMissing,
      advice: "Drivers run behind Node's permission model alone. Install only those whose publisher you trust.",
      ok: process.platform !== 'linux',
    };
  }

  async #drivers(): Promise<CheckupFact> {
    const { drivers } = await this.#parts.drivers.overview();
    const installed = drivers.filter(({ versions }) => versions.length > 0);
    // A driver whose files were changed can be installed again, so its state is that of one that isn't installed.
    const faults = installed.flatMap(({ id, fault, state, reason }) => {
      const why = fault ?? (state === 'notInstalled' ? (reason ?? 'It can’t be used as it is installed.') : undefined);
      return why === undefined ? [] : [{ id, why }];
    });
    const list = installed.map(
      ({ id, versions }) => `${id} ${versions.find(({ current }) => current)?.version ?? '(none in use)'}`,
    );
    if (faults.length > 0) {
      const commands = ['install', 'update', 'rollback', 'remove'].map(
        (verb) => `tabularium drivers ${typedWord(verb)} ${typedWord(faults[0]?.id ?? '')}`,
      );
      return {
        finding: faults.map(({ id, why }) => `${id}: ${why}`).join(' '),
        advice: `Install it again, update it, go back to an earlier version, or remove it: "${commands.join('", "')}".`,
      };
    }
    const finding = list.length === 0 ? 'No driver is installed yet.' : `Installed: ${list.join(', ')}.`;
    const usable = new Set(installed.map(({ id }) => id));
    const without = this.#parts.connections.list().filter(({ driver }) => !usable.has(driver));
    if (without.length === 0) return { finding };
    const ids = [...new Set(without.map(({ driver }) => driver))].join(', ');
    const { registries } = this.#parts;
    // A registry has the driver when the connection is opened first; whether one answers is a check of its own.
    if (!registries.network().offline && (await registries.registries()).length > 0)
      return { finding: `${finding} Downloaded when they are needed first: ${ids}.` };
    const count = several(without.length, 'connection needs', 'connections need');
    const advice = registries.network().offline ? `${WITHOUT_REGISTRY} Offline mode is on.` : WITHOUT_REGISTRY;
    return {
      ...{
        finding: `${finding} ${count} a driver that isn't there (${ids}): ${named(without.map(({ name }) => name))}.`,
        advice,
      },
      forReport: { finding: `${finding} ${count} a driver that isn't there (${ids}).`, advice },
    };
  }

  async #registries(signal: AbortSignal): Promise<CheckupFact> {
    const { registries, catalogue } = this.#parts;
    if (registries.network().offline) return { finding: 'Working offline: no registry is asked.' };
    const all = await registries.registries();
    const fault = registries.fault();
    if (fault !== undefined) {
      const { message: finding, advice } = fault;
      // Of an entry that can't be read, any part may be a secret.
      const general = "The variable TABULARIUM_REGISTRIES has an entry that isn't the address of a registry.";
      return { finding, advice, forReport: { finding: general, advice } };
    }
    if (all.length === 0) return { finding: 'No registry is set up, so drivers come from files only.' };
    const asked = await Promise.all(
      all.map(async ({ url }) => ({ url, problem: (await catalogue.of(url).refresh(signal)).problem })),
    );
    const failing = asked.filter(({ problem }) => problem !== undefined);
    if (failing.length === 0) return { finding: `Answering: ${asked.map(({ url }) => url).join(', ')}.` };
    return {
      finding: failing.map(({ url, problem }) => `${url}: ${problem ?? ''}`).join(' '),
      advice: 'Check the address, the proxy and the network. Drivers that are installed work without it.',
    };
  }

  async #mcpServer(isServing: boolean, signal: AbortSignal): Promise<CheckupFact> {
    const { integrations, clients } = this.#parts;
    if (!integrations.settings().enabled) return { finding: 'The MCP server is turned off.' };
    if (!isServing)
      return {
        finding: 'No host is running, so there is no MCP server.',
        advice: 'Start one with "tabularium serve" or the application. A bridge starts it, too, where the desktop lets it.',
        ok: true,
      };
    const { url, problem } = integrations.state();
    if (url === undefined)
      return {
        finding: problem ?? 'The MCP server is turned on but does not run.',
        advice: 'Choose another port in Settings, Integrations, or end the program that uses this one.',
      };
    const bridge = await clients.check(signal);
    if (bridge.ok) return { finding: `The MCP server is at ${url}, and the bridge reaches it.` };
    return {
      finding: `The MCP server is at ${url}, but the bridge failed: ${bridge.message}`,
      advice: 'Do what that says. If it does not help, start the host again, or install Tabularium again.',
    };
  }

  async #clients(): Promise<CheckupFact> {
    const found = await this.#parts.clients.connected();
    if (found.length === 0) return { finding: 'No AI client whose settings are known starts the bridge.' };
    const broken = found.filter(({ missing }) => missing.length > 0);
    if (broken.length === 0) return { finding: `Connected: ${named(found.map(({ title }) => title))}.` };
    return {
      finding: broken
        .map(({ title, file, missing }) => `${title} (${file}) starts ${missing.join(', ')}, which doesn't exist.`)
        .join(' '),
      advice: `Connect it again: Settings, Integrations, or "tabularium mcp config --client ${typedWord(broken[0]?.id ?? '')}".`,
    };
  }
}

/** Names in a sentence; many are cut. */
function named(names: readonly string[]): string {
  const MOST = 5;
  const shown = names.slice(0, MOST).map((name) => `“${name}”`);
  return names.length > MOST ? `${shown.join(', ')} and ${names.length - MOST} more` : shown.join(', ');
}
