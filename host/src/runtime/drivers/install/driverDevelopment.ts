import { realpath } from 'node:fs/promises';
import type { DevelopedDriver, DevelopmentLogLine, LoadedBuild, ReportedBuildProblem } from '../../../common/development.ts';
import type { InstalledDriverInfo } from '../../../common/drivers.ts';
import { HostError } from '../../../common/errors.ts';
import type { OpenSession } from '../../data/sessions.ts';
import type { DriverLogLine } from '../processes/driverLog.ts';
import { DriverManagement } from './driverManagement.ts';
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
}

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
  };

  readonly #options: DriverDevelopmentOptions;
  readonly #developed = new Map<string, DevelopedDriver>();
  readonly #followers = new Set<{ readonly folder: string; readonly notify: (line: DevelopmentLogLine) => void }>();
  readonly #watchers = new Set<() => void>();

  constructor(options: DriverDevelopmentOptions) {
    this.#options = options;
  }

  /** Takes a line of any driver's log. Those of installed drivers are none of its business. */
  log({ driver, version, level, message }: DriverLogLine): void {
    if (!version.includes('+folder.')) return;
    for (const entry of this.#developed.values()) {
      if (entry.driver !== undefined && entry.driver !== driver) continue;
      for (const follower of this.#followers) if (follower.folder === entry.folder) follower.notify({ level, message });
      // The last messages of an older build aren't faults of the running one.
      if (version === entry.version && (level === 'error' || level === 'warn'))
        this.#set({ ...entry, lines: [...entry.lines, { level, message }].slice(-LINES_SHOWN) });
    }
  }

  /** Follows a folder until the signal: as long as that, it is being developed. @throws HostError `INVALID_REQUEST` */
  async follow(path: string, signal: AbortSignal): Promise<AsyncIterable<DevelopmentLogLine>> {
    const folder = await realFolder(path);
    const lines: DevelopmentLogLine[] = [];
    let wake = Promise.withResolvers<void>();
    const follower = {
      folder,
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
    const sessions = await this.#reopen(driver, version, signal);
    this.#set({ ...this.#entry(folder), loads: entry.loads + 1 });
    return { driver, version, sessions };
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

  async #reopen(driver: string, version: string, signal: AbortSignal): Promise<LoadedBuild['sessions']> {
    const { sessions } = this.#options;
    const isOld = ({ manifest, driverVersion }: OpenSession): boolean => manifest.id === driver && driverVersion !== version;
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
