import { Option } from 'commander';
import type { Command } from 'commander';
import { isUrgentEnough, LOG_LEVELS, LOG_SETTINGS_LIMITS, logEntrySchema, logSettingsSchema } from '../../common/logs.ts';
import type { LogEntry, LogLevel } from '../../common/logs.ts';
import { LogReader } from '../../runtime/storage/logReader.ts';
import { logText, readLogLine } from '../../runtime/storage/logText.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { choice, print, run, wholeNumber } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';

const entryAnswer = new JsonAnswer(logEntrySchema, 'answer in JSON, one line for each entry');
const settingsAnswer = new JsonAnswer(logSettingsSchema);

const USUAL_LINES = 200;
const MOST_LINES = 100_000;

interface ShowWords extends JsonOption {
  readonly follow?: true;
  readonly level?: LogLevel;
  readonly lines: number;
}

interface SettingsWords extends JsonOption {
  readonly level?: LogLevel;
  readonly fileSize?: number;
  readonly olderFiles?: number;
}

export function addLogCommands(program: Command, context: ProgramContext): void {
  const logs = program.command('logs').description('the log of the host: what it did and what went wrong');

  logs
    .command('show', { isDefault: true })
    .description('print the newest entries, oldest first; works whether a host runs or not')
    .option('--follow', 'print new entries, too, until it is interrupted')
    .addOption(
      new Option('--level <level>', 'only entries of this level and more urgent ones')
        .choices(LOG_LEVELS)
        .argParser(choice('--level', LOG_LEVELS)),
    )
    .option('--lines <n>', 'how many entries at most, before the new ones', wholeNumber('--lines', 0, MOST_LINES), USUAL_LINES)
    .addOption(entryAnswer)
    .action(async (options: ShowWords) => {
      const { logs: folder } = await context.home();
      await using reader = await LogReader.open(folder, context.signal);
      const show = async (entry: LogEntry): Promise<void> => {
        context.beginAnswer();
        await print(context, options, entryAnswer, entry, () => logText(entry));
      };
      for (const entry of await newest(reader, options)) {
        context.signal.throwIfAborted();
        await show(entry);
      }
      if (options.follow !== true) return;
      for await (const line of reader.following(context.signal)) {
        const entry = wanted(line, options);
        if (entry !== undefined) await show(entry);
      }
    });

  const [leastMegabytes, mostMegabytes] = LOG_SETTINGS_LIMITS.fileMegabytes;
  const [leastOlder, mostOlder] = LOG_SETTINGS_LIMITS.olderFiles;
  logs
    .command('settings')
    .description('show what the log keeps, or change it; a running host follows at once')
    .addOption(
      new Option('--level <level>', 'the least urgent entries that are written')
        .choices(LOG_LEVELS)
        .argParser(choice('--level', LOG_LEVELS)),
    )
    .option(
      '--file-size <megabytes>',
      'when a file is full and the next begins',
      wholeNumber('--file-size', leastMegabytes, mostMegabytes),
    )
    .option('--older-files <n>', 'how many full files stay', wholeNumber('--older-files', leastOlder, mostOlder))
    .addOption(settingsAnswer)
    .action(async (options: SettingsWords) => {
      const { level, fileSize: fileMegabytes, olderFiles } = options;
      const changes = {
        ...(level === undefined ? {} : { level }),
        ...(fileMegabytes === undefined ? {} : { fileMegabytes }),
        ...(olderFiles === undefined ? {} : { olderFiles }),
      };
      const settings = await run(context, logSettingsSchema, (api, calling) =>
        Object.keys(changes).length === 0
          ? api.owner.logSettings.query(undefined, calling)
          : api.owner.changeLogSettings.mutate(changes, calling),
      );
      await print(
        context,
        options,
        settingsAnswer,
        settings,
        () =>
          `Entries from level ${settings.level}, files of ${settings.fileMegabytes} MB, ${settings.olderFiles} older ones: ${(settings.olderFiles + 1) * settings.fileMegabytes} MB at most.\n`,
      );
    });
}

/** In the order in which they were written. */
async function newest(reader: LogReader, options: ShowWords): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = [];
  if (options.lines === 0) return entries;
  for await (const line of reader.newestFirst()) {
    const entry = wanted(line, options);
    if (entry !== undefined) entries.push(entry);
    if (entries.length === options.lines) break;
  }
  return entries.reverse();
}

/** Undefined for a line that isn't an entry: the torn line of a host that was killed, or one of an older version. */
function wanted(line: string, { level = 'debug' }: ShowWords): LogEntry | undefined {
  const entry = readLogLine(line);
  return entry !== undefined && isUrgentEnough(entry.level, level) ? entry : undefined;
}
