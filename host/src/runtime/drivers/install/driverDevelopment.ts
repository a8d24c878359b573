import { realpath } from 'node:fs/promises';
import type { DevelopedDriver, DevelopmentLogLine, LoadedBuild, ReportedBuildProblem } from '../../../common/development.ts';
import type { InstalledDriverInfo } from '../../../common/drivers.ts';
import { HostError } from '../../../common/errors.ts';
import type { OpenSession } from '../../data/sessions.ts';
import type { DriverLogLine } from '../processes/driverLog.ts';
import { DriverManagement } from './driverManagement.ts';
import { DriverProcesses } from '../processes/driverProcesses.ts';
import { Inspection } from '../processes/inspection.ts';
import { MANIFESTS } from '../../connections/connectionService.ts';
import { Sessions } from '../../data/sessions.ts';
import { from } from '../../container/inject.ts';
import type { Inject } from '../../container/inject.ts';

/** The number of a driver's errors in the window; the log has all. */
const LINES_SHOWN = 20;
/** The number of lines that a developer's terminal may be behind; older lines are dropped. */
const LINES_WAITING = 500;

export interface DriverDevelopmentOptions {
  readonly loadFolder: (folder: string, signal: AbortSignal) => Promise<InstalledDriverInfo>;
  /** The name of a driver, for people. */
  readonly titleOf: (driver: string) => Promise<string>;
  readonly sessions: Pick<Sessions, 'openSessions' | 'close' | 'use'>;
  readonly inspection: Inspection;
  /** Ends the processes of one version. */
  readonly processes: Pick<DriverProcesses, 'stopDriver'>;
}

/** An author's tool that follows a folder. */
interface Follower {
  readonly folder: string;
  readonly inspectorPort: number | undefined;
  readonly notify: (line: DevelopmentLogLine) => void;
}

/** Lines that Node writes about its inspector. */
const INSPECTOR_LINE =
  /^(?:Debugger (?:listening|ending) on|For help, see: https:\/\/nodejs\.org\/|Debugger attached\.|Waiting for the debugger)/;
/** Node's own line on standard error, with the address for a debugger. */
const LISTENING = /^Debugger listening on (ws:\/\/127\.0\.0\.1:\d{1,5}\/[0-9a-f-]{36})$/;

/**
 * The drivers that are being developed: a tool of their author builds a folder at every change and says so here. Each build is loaded as
 * any developer's folder is, and open connections switch to it automatically.
 */
export class DriverDevelopment {
  static readonly inject: Inject<typeof DriverDevelopment> = {
    loadFolder: from(
      [DriverManagement],
      (management) => (folder: string, signal: AbortSignal) => management.loadFolder(folder, signal),
    ),
    titleOf: from([MANIFESTS], (manifests) => async (driver: string) => (await manifests.manifestOf(driver)).title),
    sessions: Sessions,
    inspection: Inspection,
    processes: DriverProcesses,
  };

  readonly #options: DriverDevelopmentOptions;
  readonly #developed = new Map<string, DevelopedDriver>();
  readonly #followers = new Set<Follower>();
  /** Of each folder, the build that is inspected, and its end. */
  readonly #inspected = new Map<string, { readonly driver: string; readonly version: string; readonly end: () => void }>();
  readonly #watchers = new Set<() => void>();

  constructor(options: DriverDevelopmentOptions) {
    this.#options = options;
  }

  /** Takes a line of any driver's log. Those of installed drivers are none of its business. */
  log({ driver, version, level, source, message }: DriverLogLine): void {
    if (!version.includes('+folder.')) return;
    for (const entry of this.#developed.values()) {
      if (entry.driver !== undefined && entry.driver !== driver) continue;
      const inspected = this.#inspected.get(entry.folder);
      const isInspected = source === 'stderr' && inspected?.driver === driver && inspected.version === version;
      const inspector = isInspected ? LISTENING.exec(message)?.[1] : undefined;
      const line = inspector === undefined ? { level, message } : { level: 'info' as const, message, inspector };
      const isNodes = isInspected && INSPECTOR_LINE.test(message);
      // Of what Node writes about its inspector, only the address is for the author.
      if (isNodes && inspector === undefined) continue;
      for (const follower of this.#followers) if (follower.folder === entry.folder) follower.notify(line);
      if (isNodes) continue;
      // The last messages of an older build aren't faults of the running one.
      if (version === entry.version && (level === 'error' || level === 'warn'))
        this.#set({ ...entry, lines: [...entry.lines, { level, message }].slice(-LINES_SHOWN) });
    }
  }

  /**
   * Follows a folder until the signal: as long as that, it is being developed.
   *
   * @param inspectorPort - the port for a debugger, on loopback; absent: its builds aren't inspected
   * @throws HostError `INVALID_REQUEST`
   */
  async follow(path: string, signal: AbortSignal, inspectorPort?: number): Promise<AsyncIterable<DevelopmentLogLine>> {
    const folder = await realFolder(path);
    const lines: DevelopmentLogLine[] = [];
    let wake = Promise.withResolvers<void>();
    const follower: Follower = {
      folder,
      inspectorPort,
      notify: (line: DevelopmentLogLine): void => {
        if (lines.length === LINES_WAITING) lines.shift();
        lines.push(line);
        wake.resolve();
      },
    };
    this.#followers.add(follower);
    if (!this.#developed.has(folder)) this.#set({ folder, loads: 0, problems: [], lines: [] });
    const end = (): void => {
      signal.removeEventListener('abort', end);
      wake.resolve();
      this.#followers.delete(follower);
      if (this.#portOf(folder) === undefined) void this.#endInspection(folder);
      if (![...this.#followers].some((other) => other.folder === folder)) this.#developed.delete(folder);
      this.#notify();
    };
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    return (async function* () {
      try {
        while (!signal.aborted) {
          wake = Promise.withResolvers<void>();
          while (lines.length > 0) yield lines.shift() as DevelopmentLogLine;
          await wake.promise;
        }
      } finally {
        end();
      }
    })();
  }

  /**
   * Takes a build: loads it, and reopens the connections that are open with another build of the same driver. Staged changes are the
   * host's and stay as they are.
   *
   * @param problems - why there is no build; then nothing is loaded, and the previous build stays in use
   * @returns undefined for a build that failed
   * @throws HostError as loading a folder does
   */
  async built(path: string, problems: readonly ReportedBuildProblem[], signal: AbortSignal): Promise<LoadedBuild | undefined> {
    const folder = await realFolder(path);
    if (problems.length > 0) {
      this.#set({ ...this.#entry(folder), problems });
      return undefined;
    }
    let info: InstalledDriverInfo;
    try {
      info = await this.#options.loadFolder(folder, signal);
    } catch (error) {
      const { refusal: _before, ...entry } = this.#entry(folder);
      this.#set({ ...entry, problems: [], refusal: error instanceof Error ? error.message : String(error) });
      throw error;
    }
    const { refusal: _before, ...entry } = this.#entry(folder);
    const { id: driver, version } = info;
    // Before sessions are opened, so that what the new build says while connecting is its own.
    const loaded = { ...entry, driver, version, title: await this.#options.titleOf(driver), problems: [], lines: [] };
    this.#set(loaded);
    const { inspects, isNew } = await this.#inspect(folder, driver, version);
    const sessions = await this.#reopen(driver, version, signal, isNew);
    this.#set({ ...this.#entry(folder), loads: entry.loads + 1 });
    return { driver, version, sessions, inspects };
  }

  /** Says what is being developed, at once and after every change, until the signal. */
  async *watch(signal: AbortSignal): AsyncGenerator<readonly DevelopedDriver[]> {
    let change = Promise.withResolvers<void>();
    const onChange = (): void => change.resolve();
    this.#watchers.add(onChange);
    signal.addEventListener('abort', onChange, { once: true });
    try {
      while (!signal.aborted) {
        change = Promise.withResolvers<void>();
        yield [...this.#developed.values()];
        await change.promise;
      }
    } finally {
      signal.removeEventListener('abort', onChange);
      this.#watchers.delete(onChange);
    }
  }

  /** The port that a debugger of the folder uses; undefined when its builds aren't inspected. */
  #portOf(folder: string): number | undefined {
    return [...this.#followers].find((one) => one.folder === folder && one.inspectorPort !== undefined)?.inspectorPort;
  }

  /** Has the processes of a build inspected, where its author asked for that. @returns whether it is, and wasn't before */
  async #inspect(folder: string, driver: string, version: string): Promise<{ inspects: boolean; isNew: boolean }> {
    const port = this.#portOf(folder);
    const before = this.#inspected.get(folder);
    if (port !== undefined && before?.driver === driver && before.version === version) return { inspects: true, isNew: false };
    // The build before holds the port.
    await this.#endInspection(folder);
    if (port === undefined) return { inspects: false, isNew: false };
    this.#inspected.set(folder, { driver, version, end: this.#options.inspection.begin(driver, version, port) });
    return { inspects: true, isNew: true };
  }

  /** No process listens any longer than its author's tool runs: its sessions are lost, and open again when they are used. */
  async #endInspection(folder: string): Promise<void> {
    const inspected = this.#inspected.get(folder);
    if (inspected === undefined) return;
    this.#inspected.delete(folder);
    inspected.end();
    await this.#options.processes.stopDriver(inspected.driver, inspected.version);
  }

  async #reopen(driver: string, version: string, signal: AbortSignal, includesSame: boolean): Promise<LoadedBuild['sessions']> {
    const { sessions } = this.#options;
    const isOld = ({ manifest, driverVersion }: OpenSession): boolean =>
      manifest.id === driver && (includesSame || driverVersion !== version);
    return Promise.all(
      sessions
        .openSessions()
        .filter(isOld)
        .map(async ({ connection }) => {
          await sessions.close(connection.id);
          try {
            await sessions.use(connection.id, () => Promise.resolve(), { signal });
            return { connection: connection.name };
          } catch (error) {
            signal.throwIfAborted();
            return { connection: connection.name, problem: error instanceof Error ? error.message : String(error) };
          }
        }),
    );
  }

  #entry(folder: string): DevelopedDriver {
    return this.#developed.get(folder) ?? { folder, loads: 0, problems: [], lines: [] };
  }

  /** A folder without a follower isn't being developed: it was only loaded. */
  #set(entry: DevelopedDriver): void {
    if (![...this.#followers].some(({ folder }) => folder === entry.folder)) return;
    this.#developed.set(entry.folder, entry);
    this.#notify();
  }

  #notify(): void {
    for (const watcher of this.#watchers) watcher();
  }
}

async function realFolder(path: string): Promise<string> {
  return realpath(path).catch((cause: unknown) => {
    throw new HostError('INVALID_REQUEST', `The folder ${path} does not exist or cannot be read.`, { cause });
  });
}
