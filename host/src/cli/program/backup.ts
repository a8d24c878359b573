import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { visibleText } from '@tabularium/sdk';
import type { Command } from 'commander';
import { z } from 'zod';
import { backupCopySchema } from '../../common/backups.ts';
import { confirm, canAskPerson } from '../terminal.ts';
import { UsageError } from '../usageError.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { namedPath } from './namedPath.ts';
import { print, run } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';

const backupAnswer = new JsonAnswer(backupCopySchema);
const restoreAnswer = new JsonAnswer(
  z.object({
    restored: z.string(),
    /** The database before, beside the backups. */
    kept: z.string().nullable(),
  }),
);

interface BackupWords extends JsonOption {
  readonly output?: string;
  readonly overwrite?: true;
}

interface RestoreWords extends JsonOption {
  readonly yes?: true;
}

export function addBackupCommands(program: Command, context: ProgramContext): void {
  program
    .command('backup')
    .description('back up the database: connections, settings, history and staged edits, without passwords and keys')
    .option('--output <file>', 'write the backup to this file (default: a new file in "backups" in the data directory)')
    .option('--overwrite', 'replace the file of --output if it exists')
    .addOption(backupAnswer)
    .action(async (options: BackupWords) => {
      const { output, overwrite } = options;
      const answer = await run(context, backupCopySchema, (api, calling) =>
        output === undefined
          ? api.backups.create.mutate(undefined, calling)
          : api.owner.backupTo.mutate({ output: namedPath(context, output), overwrite: overwrite === true }, calling),
      );
      await print(
        context,
        options,
        backupAnswer,
        answer,
        () => `Backed up to ${visibleText(answer.file, 'name', 4_096)} (${answer.bytes} bytes).\n`,
      );
    });

  program
    .command('restore')
    .description('replace the database by a backup; the present one is kept beside the backups')
    .argument('<file>', 'a backup: a path, or a name in "backups" in the data directory')
    .option('--yes', 'do not ask')
    .addOption(restoreAnswer)
    .action(async (file: string, options: RestoreWords) => {
      const source = await findBackup(context, file);
      if (options.yes !== true) await ask(context, source);
      const answer = await context.restore(source);
      await print(context, options, restoreAnswer, { restored: answer.restored, kept: answer.replaced ?? null }, () => {
        const previous =
          answer.replaced === undefined ? '' : `The database before is now ${visibleText(answer.replaced, 'name', 4_096)}.\n`;
        return `Restored ${visibleText(answer.restored, 'name', 4_096)}.\n${previous}`;
      });
    });
}

async function findBackup(context: ProgramContext, file: string): Promise<string> {
  const path = namedPath(context, file);
  if (existsSync(path) || basename(file) !== file) return path;
  const inBackups = join((await context.home()).backups, file);
  return existsSync(inBackups) ? inBackups : path;
}

async function ask(context: ProgramContext, source: string): Promise<void> {
  if (!canAskPerson(context.terminal)) throw new UsageError("This isn't a terminal. Add --yes to restore without confirmation.");
  const question = `Replace the database by ${visibleText(source, 'name', 4_096)}? Changes since that backup are lost from the application; the present database is kept beside the backups.`;
  if (!(await confirm(context.terminal, question, context.signal))) throw new UsageError('Nothing was restored.');
}
