import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { CommanderError } from 'commander';
import type { Command } from 'commander';
import { openHome, resolveHome } from '../runtime/storage/home.ts';
import type { Home } from '../runtime/storage/home.ts';
import type { Logger } from '../runtime/storage/logger.ts';
import { DocumentationServer } from '../web/documentationServer.ts';
import { AnswerLost } from './answerLost.ts';
import { HostLink } from './hostLink.ts';
import { Interruption } from './interruption.ts';
import type { StartRuntime } from './runningRuntime.ts';
import { buildProgram } from './program/program.ts';
import { meantByOption, suggestedCommands, wordsOfHelp } from './program/suggestions.ts';
import { restoreHome } from './restoreHome.ts';
import { serve } from './serve.ts';
import { write, writeJson } from './terminal.ts';
import type { CommandTerminal } from './terminal.ts';
import { useSecretPlace } from './useSecretPlace.ts';
import { openLog } from './openLog.ts';
import { commandReport } from './commandReport.ts';
import type { LogChoices } from './program/programContext.ts';
import { UsageError } from './usageError.ts';

export interface CliOptions {
  /** Without the program itself. */
  readonly words: readonly string[];
  readonly terminal: CommandTerminal;
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
  readonly version: string;
  /** The built window. */
  readonly rendererFolder: string;
  /** The built documentation. */
  readonly documentationFolder: string;
  /** Aborted when the person interrupts. */
  readonly signal: AbortSignal;
  /** Aborted when nothing reads the answer any more. */
  readonly outputLost?: AbortSignal;
  readonly startRuntime: StartRuntime;
  /** Registers this program with the platform for the addresses of our scheme. */
  readonly registerUrl?: (home: Home) => Promise<void>;
}

const FAILED = 1;
const WRONG_USE = 2;
/** 128 and the number of SIGINT, as shells have it. */
const INTERRUPTED = 130;

const UNREAD_ADDRESS =
  'Nothing read the address from standard output, so the server stopped.\nLet standard output go to a terminal, a file or a program that reads it to its end.\n';

/**
 * Runs one command and says how it ended: 0; 1 for a failure; 2 for a wrong command line; 130 when it was interrupted. A command whose answer nothing
 * reads any more ends early, with the code that it has until then.
 */
export async function runCli(options: CliOptions): Promise<number> {
  const { terminal, version, startRuntime, outputLost } = options;
  const signal = outputLost === undefined ? options.signal : AbortSignal.any([options.signal, outputLost]);
  let { env } = options;
  await using stack = new AsyncDisposableStack();
  let exitCode = 0;
  let home: Promise<{ home: Home; logger: Logger }> | undefined;
  const openOnce = (log: LogChoices = {}): Promise<{ home: Home; logger: Logger }> => {
    home ??= openHome(resolveHome(env, process.platform), signal).then((opened) => {
      const { logger, flush } = openLog(opened, terminal.stderr, log);
      stack.defer(flush);
      return { home: opened, logger };
    });
    return home;
  };
  let link: Promise<HostLink> | undefined;
  let servedUntil: AbortSignal | undefined;
  let answerBegun = false;
  const program = buildProgram({
    terminal,
    get folder() {
      return options.folder;
    },
    version,
    env,
    signal,
    link: () => (link ??= openOnce().then((opened) => stack.use(new HostLink({ ...opened, version, env, startRuntime })))),
    serve: async ({ untilStdinCloses, log, ...choices }, onReady) => {
      const { rendererFolder, documentationFolder } = options;
      const until = untilStdinCloses ? AbortSignal.any([signal, whenClosed(terminal.stdin)]) : signal;
      servedUntil = until;
      const { registerUrl } = options;
      await serve(
        { ...(await openOnce(log)), ...choices, version, env, startRuntime, rendererFolder, documentationFolder, registerUrl },
        until,
        onReady,
      );
    },
    serveHidden: async (chosenHome) => {
      const { rendererFolder, documentationFolder } = options;
      // An opener that passes on the bridge's environment is more current than the entry of the last start by hand.
      if (chosenHome !== undefined && (env['TABULARIUM_HOME'] ?? '') === '') env = { ...env, TABULARIUM_HOME: chosenHome };
      servedUntil = signal;
      const choices = { port: undefined, mcpPort: undefined, sampleConnection: undefined, hidden: true };
      await serve(
        { ...(await openOnce()), ...choices, version, env, startRuntime, rendererFolder, documentationFolder },
        signal,
        () => undefined,
      );
    },
    serveDocumentation: async (port, onReady) => {
      await using server = await DocumentationServer.start({ folder: options.documentationFolder, port });
      servedUntil = signal;
      await onReady(server.url);
      if (!signal.aborted) await once(signal, 'abort');
    },
    home: async () => (await openOnce()).home,
    useSecretPlace: async (to, leave) => useSecretPlace({ ...(await openOnce()), env, to, leave }, signal),
    restore: async (file) => restoreHome((await openOnce()).home, file, signal),
    beginAnswer: () => {
      answerBegun = true;
    },
    setExitCode: (code) => {
      exitCode = code;
    },
  });
  /** A host that is stopped by a signal has succeeded, and one whose address nothing reads has not: it is of no use. */
  const endOfServer = async (): Promise<number> => {
    if (options.signal.aborted || outputLost?.aborted !== true) return 0;
    await write(terminal.stderr, UNREAD_ADDRESS);
    return FAILED;
  };
  try {
    await program.parseAsync([...wordsOfHelp(program, options.words)], { from: 'user' });
    return servedUntil?.aborted === true ? await endOfServer() : exitCode;
  } catch (error) {
    if (servedUntil?.aborted === true) return await endOfServer();
    if (error instanceof AnswerLost) {
      await write(terminal.stderr, `${error.message}\n${error.advice}\n`);
      return FAILED;
    }
    // A raw terminal sends no signal for Ctrl-C: the question reports it.
    if (options.signal.aborted || error instanceof Interruption) return INTERRUPTED;
    if (outputLost?.aborted === true) return exitCode;
    if (error instanceof CommanderError) return await reportWrongLine(terminal, error, program, options.words);
    return await reportError(terminal, error, options.words.includes('--json') && !answerBegun, openOnce);
  }
}

function whenClosed(stdin: Readable): AbortSignal {
  const closed = new AbortController();
  const end = (): void => closed.abort(new DOMException('Standard input is closed.', 'AbortError'));
  stdin.once('end', end).once('close', end).resume();
  return closed.signal;
}

/** Commander has said already what is wrong. */
async function reportWrongLine(
  terminal: CommandTerminal,
  { code, exitCode, message }: CommanderError,
  program: Command,
  words: readonly string[],
): Promise<number> {
  if (code === 'commander.unknownOption' && !message.includes('Did you mean')) {
    const meant = meantByOption(program, words, /'([^']+)'/.exec(message)?.[1] ?? '');
    if (meant !== undefined) await write(terminal.stderr, `${meant}\n`);
  }
  if (code === 'commander.unknownCommand' || code === 'commander.excessArguments') {
    const commands = suggestedCommands(program, words).map((command) => `"${command}"`);
    if (commands.length > 0) await write(terminal.stderr, `Did you mean ${commands.join(' or ')}?\n`);
  }
  return exitCode === 0 ? 0 : WRONG_USE;
}

async function reportError(
  terminal: CommandTerminal,
  error: unknown,
  json: boolean,
  opened: () => Promise<{ readonly logger: Logger }>,
): Promise<number> {
  if (error instanceof UsageError) {
    await write(terminal.stderr, `${error.message}\n`);
    return WRONG_USE;
  }
  const { code, message, advice, details, place } = commandReport(error);
  if (code === 'INTERNAL')
    await opened().then(
      ({ logger }) => logger.error('a command failed', error),
      () => undefined,
    );
  if (json) await writeJson(terminal.stdout, `${JSON.stringify({ error: { code, message, advice, details, place } })}\n`);
  else {
    const where = place === undefined ? '' : `At line ${place.line}, column ${place.column}.\n`;
    await write(terminal.stderr, `${message}\n${where}${advice}\n`);
  }
  return FAILED;
}
