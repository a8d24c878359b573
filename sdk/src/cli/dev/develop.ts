import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { BuildFailed, buildDriver, sourceOf } from '../build/buildDriver.ts';
import type { Built } from '../build/buildDriver.ts';
import type { BuildProblem } from '../build/problem.ts';
import { buildProblemText } from '../build/problem.ts';
import { CliError } from '../cliError.ts';
import { findHost, HostStopped } from './hostLink.ts';
import type { RunningHost } from './hostLink.ts';
import { SourceWatch } from './sourceWatch.ts';
import { checkTypes } from './typeCheck.ts';

/** How often a host is looked for while none runs. */
const LOOK_MILLISECONDS = 500;

/** Events that an author sees while developing a driver. */
export type DevelopmentLine =
  | { readonly event: 'built'; readonly entry: string; readonly bytes: number; readonly milliseconds: number }
  | { readonly event: 'buildFailed'; readonly problems: readonly BuildProblem[]; readonly message: string }
  | { readonly event: 'noHost'; readonly home: string }
  | { readonly event: 'host'; readonly version: string; readonly home: string }
  | { readonly event: 'hostGone' }
  | { readonly event: 'loaded'; readonly driver: string; readonly version: string; readonly sessions: readonly LoadedSession[] }
  | { readonly event: 'refused'; readonly code: string; readonly message: string; readonly advice: string }
  /** Types don't hold a build up: they are checked beside it. */
  | {
      readonly event: 'typed';
      readonly problems: readonly BuildProblem[];
      readonly message: string;
      readonly milliseconds: number;
    }
  | { readonly event: 'notTyped'; readonly reason: string }
  /** A debugger can attach to the driver's process. */
  | { readonly event: 'inspector'; readonly address: string }
  | { readonly event: 'noInspector'; readonly message: string }
  | { readonly event: 'log'; readonly level: string; readonly message: string };

const sessionSchema = z.object({ connection: z.string(), problem: z.string().optional() });
const loadedSchema = z.object({
  driver: z.string(),
  version: z.string(),
  sessions: z.array(sessionSchema),
  inspects: z.boolean().optional(),
});
/** An open session that was reopened with this build, or why it wasn't. */
export type LoadedSession = z.output<typeof sessionSchema>;

const logLineSchema = z.object({ level: z.string(), message: z.string(), inspector: z.string().optional() });

export interface DevelopOptions {
  readonly folder: string;
  readonly source: string | undefined;
  readonly home: string;
  /** Of the author: what the compiler needs of it goes to the check of types. */
  readonly env: NodeJS.ProcessEnv;
  /** The port of the inspector, 0 for any; absent: the driver's process has none. */
  readonly inspectorPort?: number | undefined;
  readonly signal: AbortSignal;
  readonly notify: (line: DevelopmentLine) => void;
}

/** Builds at every change and has the running host load each build, until the signal ends it. */
export async function develop(options: DevelopOptions): Promise<void> {
  const { folder, signal } = options;
  const development = new Development(options);
  const watch = new SourceWatch(folder, sourceOf(folder, options.source), () => {
    // An error outside the sources ends the command, by the promise that it waits for.
    development.build().then(
      (built) => watch.follow(built),
      (error: unknown) => development.fail(error),
    );
  });
  try {
    watch.follow(await development.build());
    await Promise.race([development.attend(), development.failed]);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    watch.close();
    development.endTypes();
    await development.settled();
  }
}

class Development {
  readonly #options: DevelopOptions;
  #host: RunningHost | undefined;
  #problems: readonly BuildProblem[] = [];
  /** One thing after the other: a build that is being written must not be read. */
  #work: Promise<unknown> = Promise.resolve();
  #types: { readonly ending: AbortController; readonly done: Promise<void> } | undefined;
  #saidWhyNotTyped = '';
  /** Rejects when something failed that no change of the sources can mend. */
  readonly failed: Promise<never>;
  fail: (error: unknown) => void = () => undefined;

  constructor(options: DevelopOptions) {
    this.#options = options;
    this.failed = new Promise((_resolve, reject) => (this.fail = reject));
    this.failed.catch(() => undefined);
  }

  async settled(): Promise<void> {
    await this.#work;
    await this.#types?.done;
  }

  /** Ends the check of types that is running. */
  endTypes(): void {
    this.#types?.ending.abort();
  }

  /** Builds, and reports the outcome to author and host. @returns the source files */
  build(): Promise<readonly string[]> {
    return this.#next(async () => {
      const { notify } = this.#options;
      let built: Built | undefined;
      try {
        built = await buildDriver({ ...this.#options, sourceMaps: true });
        this.#problems = [];
        notify({ event: 'built', entry: built.entry, bytes: built.bytes, milliseconds: built.milliseconds });
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        this.#problems = error instanceof BuildFailed ? error.problems : [{ message: error.message }];
        notify({ event: 'buildFailed', problems: this.#problems, message: error.message });
      }
      // A build that failed has errors enough.
      if (built !== undefined) this.#checkTypes();
      await this.#notifyHost();
      // A build that failed has read nothing; what was added to the folder is watched all the same.
      return built?.sources ?? [];
    });
  }

  /** Stays with the host that runs, and with the next one when it has ended. */
  async attend(): Promise<void> {
    const { home, folder, signal, notify } = this.#options;
    let saidNone = false;
    while (!signal.aborted) {
      const host = await findHost(home, signal);
      if (host === undefined) {
        if (!saidNone) notify({ event: 'noHost', home });
        saidNone = true;
        await delay(LOOK_MILLISECONDS, undefined, { signal });
        continue;
      }
      saidNone = false;
      notify({ event: 'host', version: host.version, home });
      this.#host = host;
      // A build that is reported before the host follows the folder would not be shown in its windows.
      let begin: () => void = () => undefined;
      const begun = new Promise<void>((resolve) => (begin = resolve));
      const onEvent = (event: unknown): void => {
        begin();
        this.#onEvent(event);
      };
      const { inspectorPort } = this.#options;
      const following = host.follow('owner.drivers.develop', { folder, inspectorPort }, { signal, onEvent });
      // The await below reports the outcome.
      following.catch(() => undefined);
      await Promise.race([begun, following]).catch(() => undefined);
      await this.#next(() => this.#notifyHost());
      try {
        // A host that ends in good order answers, any other breaks off.
        await following;
      } catch (error) {
        if (!(error instanceof HostStopped)) throw error;
      } finally {
        this.#host = undefined;
      }
      notify({ event: 'hostGone' });
    }
  }

  async #notifyHost(): Promise<void> {
    const { folder, signal, notify } = this.#options;
    const host = this.#host;
    if (host === undefined) return;
    try {
      const answer = await host.run('owner.drivers.built', { folder, problems: this.#problems }, { signal });
      const loaded = loadedSchema.safeParse(answer);
      if (!loaded.success) return;
      const { driver, version, sessions, inspects } = loaded.data;
      notify({ event: 'loaded', driver, version, sessions });
      if (this.#options.inspectorPort !== undefined && inspects !== true)
        notify({
          event: 'noInspector',
          message: `Tabularium ${host.version} can't run a driver with an inspector. Update it to set breakpoints.`,
        });
    } catch (error) {
      // The followers of the host notice that it went away.
      if (error instanceof HostStopped) return;
      if (!(error instanceof CliError)) throw error;
      const { hostCode } = error.facts;
      notify({
        event: 'refused',
        code: typeof hostCode === 'string' ? hostCode : error.code,
        message: error.message,
        advice: error.advice,
      });
    }
  }

  /** Checks the types of what was just built; a check of what was there before is given up. */
  #checkTypes(): void {
    const { folder, env, signal, notify } = this.#options;
    const before = this.#types;
    before?.ending.abort();
    const ending = new AbortController();
    const done = (async () => {
      await before?.done;
      try {
        const checked = await checkTypes(folder, env, AbortSignal.any([signal, ending.signal]));
        if (checked.ok) {
          const message = checked.problems.map((problem) => buildProblemText(problem, folder)).join('\n');
          notify({ event: 'typed', problems: checked.problems, message, milliseconds: checked.milliseconds });
        } else if (checked.reason !== this.#saidWhyNotTyped) {
          this.#saidWhyNotTyped = checked.reason;
          notify({ event: 'notTyped', reason: checked.reason });
        }
      } catch (error) {
        if (!ending.signal.aborted && !signal.aborted) this.fail(error);
      }
    })();
    this.#types = { ending, done };
  }

  #onEvent(event: unknown): void {
    const line = logLineSchema.safeParse(event);
    if (!line.success) return;
    const { level, message, inspector } = line.data;
    const { inspectorPort: wanted, notify } = this.#options;
    const port = inspector === undefined ? undefined : Number(new URL(inspector).port);
    if (port !== undefined && wanted !== undefined && wanted !== 0 && port !== wanted)
      notify({ event: 'log', level: 'warn', message: `Port ${wanted} is taken, so the inspector listens on port ${port}.` });
    notify(inspector === undefined ? { event: 'log', level, message } : { event: 'inspector', address: inspector });
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#work.then(work, work);
    this.#work = next.catch(() => undefined);
    return next;
  }
}
