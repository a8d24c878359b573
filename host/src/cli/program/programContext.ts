import type { z } from 'zod';
import type { InstallProgress } from '../../common/drivers.ts';
import type { LogLevel } from '../../common/logs.ts';
import type { Shape } from '../../common/shape.ts';
import { ask, understood } from '../ownerApi.ts';
import type { ApiCallOptions, OwnerApi } from '../ownerApi.ts';
import { UsageError } from '../usageError.ts';
import { looseChoice } from '../formOptions.ts';
import type { HostLink } from '../hostLink.ts';
import type { LogFormat } from '../streamLog.ts';
import type { ReadyHost } from '../../common/hostWindow.ts';
import type { HostServeOptions } from '../serve.ts';
import type { Home } from '../../runtime/storage/home.ts';
import type { MovedSecrets } from '../../common/secretPlaces.ts';
import type { ChosenPlace } from '../../runtime/moveSecrets.ts';
import type { Restored } from '../../runtime/storage/restoreDatabase.ts';
import type { JsonAnswer } from './jsonAnswer.ts';
import { deliver, write, writeJson } from '../terminal.ts';
import type { CommandTerminal } from '../terminal.ts';

/** The services and streams of every command. */
export interface ProgramContext {
  readonly terminal: CommandTerminal;
  /** The folder that relative paths on the command line start from. */
  readonly folder: string;
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  link(): Promise<HostLink>;
  /** Serves until the program is stopped or, with that option, until its standard input is closed. */
  serve(options: ServeChoices, onReady: (ready: ReadyHost) => void): Promise<void>;
  /** Replaces the database by a backup, where no host runs. @param file - absolute */
  restore(file: string): Promise<Restored>;
  /** Chooses the place of secrets, where no host runs. @param leave - leaves what is stored where it is */
  useSecretPlace(to: ChosenPlace, leave: boolean): Promise<MovedSecrets>;
  /** Serves the documentation until the program is stopped. @param port - 0: any that is free */
  serveDocumentation(port: number, onReady: (url: string) => Promise<void>): Promise<void>;
  /** The data directory; it is created where it is missing. */
  home(): Promise<Home>;
  /** Serves without a window, for the bridge, or has the host that runs serve it. @param home - where the environment names none */
  serveHidden(home: string | undefined): Promise<void>;
  /** Part of an answer has been written, so that an error cannot take its place any more. */
  beginAnswer(): void;
  /** Ends the program with this code when everything else went well. */
  setExitCode(code: number): void;
}

/** The options of a host on the command line. */
export interface ServeChoices extends Pick<HostServeOptions, 'port' | 'mcpPort' | 'sampleConnection'> {
  readonly untilStdinCloses: boolean;
  readonly log: LogChoices;
}

/** How a host logs, where its command line says it. */
export interface LogChoices {
  /** Standard error gets the log, too, in this form. */
  readonly format?: LogFormat | undefined;
  /** Takes the place of the setting. */
  readonly level?: LogLevel | undefined;
}

/** Options that every command has. */
export interface JsonOption {
  readonly json?: true;
}

/** Asks the API of the host that owns the home, or of a runtime in this process. What comes of it is as the schema says. */
export async function run<Schema extends z.ZodType>(
  context: ProgramContext,
  schema: Schema,
  work: (api: OwnerApi, options: ApiCallOptions) => Promise<unknown>,
): Promise<z.output<Schema>> {
  const { api } = await context.link();
  return ask(api, schema, work, { signal: context.signal });
}

/** Takes the events of a stream one after the other: the host waits meanwhile. @returns the last */
export async function follow<Schema extends z.ZodType>(
  stream: AsyncIterable<unknown>,
  schema: Schema,
  onEvent: (event: z.output<Schema>) => void | Promise<void>,
): Promise<z.output<Schema> | undefined> {
  let last: z.output<Schema> | undefined;
  for await (const reported of stream) {
    last = understood(schema, reported);
    await onEvent(last);
  }
  return last;
}

/** Reports each step of an installation on stderr, once. */
export function progressNotifier(context: ProgramContext, { json }: JsonOption): (progress: InstallProgress) => Promise<void> {
  const reported = new Set<string>();
  return async (progress) => {
    const line = progressLine(progress);
    if (json === true || reported.has(line)) return;
    await write(context.terminal.stderr, `${line}\n`);
    reported.add(line);
  };
}

function progressLine(progress: InstallProgress): string {
  switch (progress.step) {
    case 'resolving':
      return 'Looking for the driver…';
    case 'downloading':
      return `Downloading version ${progress.version}…`;
    case 'verifying':
      return 'Checking its signature…';
    case 'tryingOut':
      return 'Running a trial…';
    case 'installed':
      return `Installed version ${progress.version}, signed by ${progress.publisher.name}.`;
  }
}

/** Prints a command's answer: one line of JSON, or text for people. */
export async function print<Schema extends z.ZodType>(
  context: ProgramContext,
  { json }: JsonOption,
  _answer: JsonAnswer<Schema>,
  value: Shape<Schema>,
  text: () => string,
): Promise<void> {
  const { stdout } = context.terminal;
  await (json === true ? writeJson(stdout, `${JSON.stringify(value)}\n`) : write(stdout, text()));
}

/** Prints as {@link print} does what can't be printed again. @returns why it could not be written; undefined when it was */
export async function printOnce<Schema extends z.ZodType>(
  context: ProgramContext,
  { json }: JsonOption,
  _answer: JsonAnswer<Schema>,
  value: Shape<Schema>,
  text: () => string,
): Promise<Error | undefined> {
  const { stdout } = context.terminal;
  return json === true ? deliver(stdout, `${JSON.stringify(value)}\n`, 'json') : deliver(stdout, text(), 'text');
}

export async function warn(
  context: ProgramContext,
  message: string,
  word: 'Warning' | 'Failed' | 'Note' = 'Warning',
): Promise<void> {
  await write(context.terminal.stderr, `${word}: ${message}\n`);
}

/** A whole number between two limits. @throws UsageError */
export function wholeNumber(option: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new UsageError(`${option} takes a whole number from ${least} to ${most}.`);
  };
}

/** One of some words, letter case and hyphens aside. @throws UsageError */
export function choice<Value extends string>(option: string, values: readonly Value[]): (text: string) => Value {
  return (text) => {
    const value = looseChoice(text, values);
    if (value !== undefined) return value;
    throw new UsageError(`${option} takes one of ${values.join(', ')}.`);
  };
}
