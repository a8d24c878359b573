import { join } from 'node:path';
import { visibleText } from '@tabularium/sdk';
import type { Command } from 'commander';
import { z } from 'zod';
import { checkSchema, checkupSchema, hostCheckSchema, supportTextSchema } from '../../common/checkup.ts';
import type { HostCheck, InstallationCheck } from '../../common/checkup.ts';
import { loadPart } from '../../runtime/errors/loadPart.ts';
import { errorReport } from '../../runtime/errors/errorReport.ts';
import { ReportedError } from '../../runtime/ownerSocket/ownerProtocol.ts';
import { connectToHost } from '../../runtime/ownerSocket/connectToHost.ts';
import { readEndpoint } from '../../runtime/ownerSocket/endpoint.ts';
import { resolveHome } from '../../runtime/storage/home.ts';
import type { Home } from '../../runtime/storage/home.ts';
import { causeOf, understood } from '../ownerApi.ts';
import { canAskPerson, confirm, write } from '../terminal.ts';
import { writeNewFile } from '../textFiles.ts';
import { UsageError } from '../usageError.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { namedPath } from './namedPath.ts';
import { print } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';
import { userFolder } from '../../runtime/storage/userFolder.ts';

const doctorAnswer = new JsonAnswer(checkupSchema);
const supportAnswer = new JsonAnswer(
  z.object({
    /** Absolute; null: it was printed and not written. */
    file: z.string().nullable(),
    characters: z.number(),
    /** The report itself, where no file was named. */
    text: z.string().optional(),
  }),
);

interface SupportWords extends JsonOption {
  readonly output?: string;
  readonly overwrite?: true;
  readonly yes?: true;
}

export function addCheckupCommands(program: Command, context: ProgramContext): void {
  program
    .command('doctor')
    .description('check this installation and say what to do; exit code 1 when something is wrong')
    .addOption(doctorAnswer)
    .action(async (options: JsonOption) => {
      const checks: InstallationCheck[] = [];
      for await (const check of allChecks(context)) {
        // Without what only a report has.
        checks.push(checkSchema.parse(check));
        if (!check.ok) context.setExitCode(1);
        if (options.json !== true) await write(context.terminal.stdout, checkText(check));
      }
      const failed = checks.filter(({ ok }) => !ok).length;
      await print(context, options, doctorAnswer, { checks }, () =>
        failed === 0 ? 'Everything is as it should be.\n' : `${failed === 1 ? '1 check' : `${failed} checks`} failed.\n`,
      );
    });

  program
    .command('support')
    .description(
      'make one text file for those who are asked for help: versions, checks, settings and the log, without secrets and rows',
    )
    .option('--output <file>', 'write it to this file, after showing it (default: only show it)')
    .option('--overwrite', 'replace the file of --output if it exists')
    .option('--yes', 'write it without showing it and asking')
    .addOption(supportAnswer)
    .action(async (options: SupportWords) => {
      const { output, overwrite, yes } = options;
      const checks: HostCheck[] = [];
      for await (const check of allChecks(context)) checks.push(check);
      const text = await reportOf(context, checks);
      const characters = text.length;
      if (output === undefined) {
        await print(context, options, supportAnswer, { file: null, characters, text }, () => text);
        return;
      }
      const file = namedPath(context, output);
      if (options.json !== true && yes !== true && canAskPerson(context.terminal)) {
        await write(context.terminal.stdout, text);
        if (!(await confirm(context.terminal, `Write this to ${visibleText(file, 'name', 4_096)}?`, context.signal)))
          throw new UsageError('Nothing was written.');
      }
      await writeNewFile(file, text, overwrite === true, resolveHome(context.env, process.platform));
      await print(
        context,
        options,
        supportAnswer,
        { file, characters },
        () => `Wrote ${visibleText(file, 'name', 4_096)}. Read it before you give it to somebody.\n`,
      );
    });
}

/** The computer first, because without it no host starts; then the host that runs, or a runtime in this process. */
async function* allChecks(context: ProgramContext): AsyncGenerator<HostCheck, void, undefined> {
  const { env, signal } = context;
  const { machineChecks } = await loadPart(() => import('../../runtime/checkup/machineChecks.ts'));
  let running: string | undefined;
  const hostRuns = async (home: Home, within: AbortSignal): Promise<boolean> => {
    running = await versionOfHost(home, within);
    return running !== undefined;
  };
  for await (const check of machineChecks({ folder: resolveHome(env, process.platform), env, signal, hostRuns })) yield check;
  if (running !== undefined && running !== context.version)
    yield {
      name: 'host',
      ok: false,
      finding: `The host that runs is Tabularium ${running}, and ${context.version} is installed.`,
      advice: 'Close Tabularium and open it again. Where it is a service: systemctl --user restart tabularium',
    };
  try {
    const { api } = await context.link();
    for await (const check of await api.owner.check.mutate(undefined, { signal })) yield understood(hostCheckSchema, check);
  } catch (error) {
    signal.throwIfAborted();
    const cause = causeOf(error);
    const { message, advice, details } = cause instanceof ReportedError ? cause.report : errorReport(cause);
    const own = details['advice'];
    yield { name: 'host', ok: false, finding: message, advice: typeof own === 'string' ? own : advice };
  }
}

/** Undefined where none runs. */
async function versionOfHost(home: Home, signal: AbortSignal): Promise<string | undefined> {
  const endpoint = await readEndpoint(home);
  return endpoint === undefined ? undefined : (await connectToHost(endpoint, signal))?.hostVersion;
}

/** From the host; where none can run, of what can be read without one. */
async function reportOf(context: ProgramContext, checks: readonly HostCheck[]): Promise<string> {
  const { env, signal, version } = context;
  try {
    const { api } = await context.link();
    const answer = await api.owner.supportText.mutate({ checks: [...checks] }, { signal });
    return understood(supportTextSchema, answer).text;
  } catch {
    signal.throwIfAborted();
    const [{ supportText }, { readLog }, { withoutRegistryPaths }, { configuredRegistries }] = await loadPart(() =>
      Promise.all([
        import('../../runtime/checkup/supportText.ts'),
        import('../../runtime/checkup/readLog.ts'),
        import('../../runtime/checkup/withoutRegistryPaths.ts'),
        import('../../runtime/drivers/registry/configuredRegistries.ts'),
      ]),
    );
    const log = await readLog(join(resolveHome(env, process.platform), 'logs'), signal);
    const redact = withoutRegistryPaths(configuredRegistries(env).sources.map(({ url }) => url));
    return supportText({ version, env, userFolder: userFolder(env), checks, sections: [], log, redact });
  }
}

function checkText({ name, ok, finding, advice }: InstallationCheck): string {
  const NAME_WIDTH = 14;
  const line = `${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(NAME_WIDTH)} ${visibleText(finding, 'text')}\n`;
  return advice === null ? line : `${line}${' '.repeat(NAME_WIDTH + 9)}${visibleText(advice, 'text')}\n`;
}
