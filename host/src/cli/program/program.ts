import { addActivityCommands } from './activity.ts';
import { Command, Option } from 'commander';
import { readyHostSchema, windowUrlSchema } from '../../common/hostWindow.ts';
import { write, writeJson } from '../terminal.ts';
import { addBackupCommands } from './backup.ts';
import { addCheckupCommands } from './checkup.ts';
import { addConnectionCommands } from './connections.ts';
import { addDocumentationCommand } from './documentation.ts';
import { addDescribeCommand } from './describe.ts';
import { addDriverCommands } from './drivers.ts';
import { LOG_LEVELS } from '../../common/logs.ts';
import type { LogLevel } from '../../common/logs.ts';
import { LOG_FORMATS } from '../streamLog.ts';
import type { LogFormat } from '../streamLog.ts';
import { addLogCommands } from './logs.ts';
import { addMetricsCommands } from './metrics.ts';
import { addMcpCommands } from './mcp.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { choice, print, run, wholeNumber } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';
import { addExportCommand } from './export.ts';
import { addCopyCommands } from './copy.ts';
import { addFindCommand } from './find.ts';
import { addHealthCommand } from './health.ts';
import { addImportCommand } from './import.ts';
import { addReadingCommands } from './reading.ts';
import { addObjectCommands } from './objects.ts';
import { addOpenCommand } from './open.ts';
import { addOperationCommands } from './operations.ts';
import { refuseRepeated } from './refuseRepeated.ts';
import { addRelevanceCommands } from './relevance.ts';
import { addRowsCommand } from './rows.ts';
import { addSecretCommands } from './secrets.ts';
import { addSearchCommand } from './search.ts';
import { addTokenCommands } from './tokens.ts';

const port = (option: string): ((text: string) => number) => wholeNumber(option, 0, 65_535);

const urlAnswer = new JsonAnswer(windowUrlSchema);

interface ServeWords {
  readonly port?: number;
  readonly mcpPort?: number;
  readonly sampleConnection?: string;
  readonly untilStdinCloses?: true;
  readonly logFormat?: LogFormat;
  readonly logLevel?: LogLevel;
}

/** The words of the `tabularium` command. Throws commander's own error instead of ending the process. */
export function buildProgram(context: ProgramContext): Command {
  const program = new Command('tabularium')
    .description('A database client whose drivers are plug-ins.')
    .version(context.version)
    // Otherwise the program's own --version would be found after a command, too.
    .enablePositionalOptions()
    // The suggestions are ours, which also have words of other programs.
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void write(context.terminal.stdout, text),
      writeErr: (text) => void write(context.terminal.stderr, text),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText(
      'after',
      '\nThe data directory is TABULARIUM_HOME, or the usual place of this system for the data of an application.',
    );

  program
    .command('serve')
    .description('run a host without a screen, until it is interrupted; prints one line of JSON when it is ready')
    .option('--port <n>', 'the port of the window (default: that of the host before, else one that is free)', port('--port'))
    .option('--mcp-port <n>', 'the port of the MCP server (default: its own, or any that is free)', port('--mcp-port'))
    .option('--until-stdin-closes', 'end also when standard input closes, as it does when the program that started it is gone')
    .addOption(
      new Option('--log-format <format>', 'write the log to standard error, too, in this form')
        .choices(LOG_FORMATS)
        .argParser(choice('--log-format', LOG_FORMATS)),
    )
    .addOption(
      new Option('--log-level <level>', 'the least urgent entries of the log (default: as "logs settings" says)')
        .choices(LOG_LEVELS)
        .argParser(choice('--log-level', LOG_LEVELS)),
    )
    .addOption(new Option('--sample-connection <file>', 'offer the connection in this file').hideHelp())
    .addOption(new JsonAnswer(readyHostSchema, 'changes nothing: the line is JSON in any case'))
    .action(async ({ port, mcpPort, sampleConnection, untilStdinCloses, logFormat, logLevel }: ServeWords) => {
      const log = { format: logFormat, level: logLevel };
      const choices = { port, mcpPort, sampleConnection, log, untilStdinCloses: untilStdinCloses === true };
      await context.serve(choices, (ready) => void writeJson(context.terminal.stdout, `${JSON.stringify(ready)}\n`));
    });

  program
    .command('url')
    .description('print a new address for the window of the running host; it works once, within ten minutes')
    .addOption(urlAnswer)
    .action(async (options: JsonOption) => {
      const answer = await run(context, windowUrlSchema, (api, calling) => api.owner.windowUrl.mutate(undefined, calling));
      await print(context, options, urlAnswer, answer, () => `${answer.url}\n`);
    });

  addOpenCommand(program, context);
  addDocumentationCommand(program, context);
  addHealthCommand(program, context);
  addCheckupCommands(program, context);
  addLogCommands(program, context);
  addMetricsCommands(program, context);
  addBackupCommands(program, context);
  addSecretCommands(program, context);
  addConnectionCommands(program, context);
  addDriverCommands(program, context);
  addTokenCommands(program, context);
  addMcpCommands(program, context);
  addReadingCommands(program, context);
  addDescribeCommand(program, context);
  addRowsCommand(program, context);
  addSearchCommand(program, context);
  addFindCommand(program, context);
  addObjectCommands(program, context);
  addOperationCommands(program, context);
  addActivityCommands(program, context);
  addRelevanceCommands(program, context);
  addExportCommand(program, context);
  addImportCommand(program, context);
  addCopyCommands(program, context);
  refuseRepeated(program);
  return program;
}
