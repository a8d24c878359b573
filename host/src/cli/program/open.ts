import type { Command } from 'commander';
import { HostError } from '../../common/errors.ts';
import { openedWindowSchema, windowUrlSchema } from '../../common/hostWindow.ts';
import { openWindow } from '../../web/openWindow.ts';
import type { OpenedIn } from '../../web/openWindow.ts';
import { commandReport } from '../commandReport.ts';
import { write } from '../terminal.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { print, run } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';

const openAnswer = new JsonAnswer(openedWindowSchema);

interface OpenOptions extends JsonOption {
  readonly start?: true;
}

/** The command that opens the window. The menu of a desktop starts it with `--start`. */
export function addOpenCommand(program: Command, context: ProgramContext): void {
  program
    .command('open')
    .description(
      'open the window of the running host: in a window of its own where Chrome, Edge or Chromium is there, else in the browser',
    )
    .option('--start', 'start a host where none runs, as "serve" does; it runs until it is interrupted')
    .addOption(openAnswer)
    .action(async (options: OpenOptions) => {
      if (options.start === true && (await startAndOpen(context, options))) return;
      const { url } = await run(context, windowUrlSchema, (api, calling) => api.owner.windowUrl.mutate(undefined, calling));
      await report(context, options, await opened(context, url));
    });
}

/** Serves until the host ends. @returns false where another host runs, whose window is to be opened instead */
async function startAndOpen(context: ProgramContext, options: OpenOptions): Promise<boolean> {
  const choices = { port: undefined, mcpPort: undefined, sampleConnection: undefined, log: {}, untilStdinCloses: false };
  let opening: Promise<void> | undefined;
  try {
    await context.serve(choices, ({ ui }) => {
      // A host with a window of its own has shown it.
      if (ui === null) return;
      opening = opened(context, ui)
        .then((how) => report(context, options, how))
        // The host keeps running: its window opens at an address too.
        .catch((error: unknown) => {
          const { message, advice } = commandReport(error);
          return write(context.terminal.stderr, `${message}\n${advice}\nTabularium runs until it is interrupted.\n`);
        });
    });
    return true;
  } catch (error) {
    if (error instanceof HostError && error.code === 'HOME_IN_USE') return false;
    throw error;
  } finally {
    await opening;
  }
}

/** @throws HostError where no browser could be opened */
async function opened(context: ProgramContext, url: string): Promise<OpenedIn> {
  const { folder: home } = await context.home();
  const how = await openWindow({ url, home, env: context.env });
  if (how !== undefined) return how;
  throw new HostError('INVALID_REQUEST', 'No browser could be opened.', {
    details: { advice: 'Run "tabularium url", and open the address yourself.' },
  });
}

async function report(context: ProgramContext, options: JsonOption, how: OpenedIn): Promise<void> {
  const text = how === 'app' ? 'The window is open.' : 'The window is open in your browser.';
  await print(context, options, openAnswer, { opened: how }, () => `${text}\n`);
}
