import { isAbsolute } from 'node:path';
import { visibleText } from '@tabularium/sdk';
import type { Command } from 'commander';
import { z } from 'zod';
import { applicationInfoSchema } from '../../common/api.ts';
import { SECRET_PLACES, movedSecretsSchema } from '../../common/secretPlaces.ts';
import type { MovedSecrets, SecretPlaceName } from '../../common/secretPlaces.ts';
import type { SecretKeySource } from '../../runtime/credentials/secretPlace.ts';
import type { ChosenPlace } from '../../runtime/moveSecrets.ts';
import { UsageError } from '../usageError.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { namedPath } from './namedPath.ts';
import { choice, print, run } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';

const showAnswer = new JsonAnswer(
  z.object({
    /** Whether a secret can be saved. */
    available: z.boolean(),
    /** Where they are, in words. */
    name: z.string(),
    /** Why none can be saved. */
    reason: z.string().nullable(),
    /** The next step; null where there is none. */
    advice: z.string().nullable(),
  }),
);
const useAnswer = new JsonAnswer(movedSecretsSchema);

interface UseWords extends JsonOption {
  readonly keyFile?: string;
  readonly credential?: string;
  readonly leave?: true;
}

/** The commands for administrators: where passwords and keys are. */
export function addSecretCommands(program: Command, context: ProgramContext): void {
  const secrets = program.command('secrets').description('where the passwords and keys of connections are');

  secrets
    .command('show')
    .description('say where passwords and keys are, and whether one can be saved there; exit code 1 when the place has a fault')
    .addOption(showAnswer)
    .action(async (options: JsonOption) => {
      const { secureStore } = await run(context, applicationInfoSchema, (api, calling) =>
        api.application.info.query(undefined, calling),
      );
      const { available, name, reason = null, advice = null, isReadOnly } = secureStore;
      if (!available && isReadOnly !== true) context.setExitCode(1);
      const lines = available ? [`Passwords and keys are in ${name}.`] : [reason ?? `${name} is not available.`, advice ?? ''];
      await print(context, options, showAnswer, { available, name, reason, advice }, () =>
        lines
          .filter((line) => line !== '')
          .map((line) => `${visibleText(line, 'text')}\n`)
          .join(''),
      );
    });

  secrets
    .command('use')
    .description('choose where passwords and keys are, and take along those that are stored; no host may run')
    .argument('<place>', SECRET_PLACES.join(', '), choice('<place>', SECRET_PLACES))
    .option('--key-file <file>', 'of file: a file with the passphrase or key, which only you can read')
    .option(
      '--credential <name>',
      'of file: the systemd credential with the passphrase; with --key-file, that file is read this once',
    )
    .option('--leave', 'leave stored secrets where they are: they are not read, moved or deleted')
    .addOption(useAnswer)
    .action(async (place: SecretPlaceName, options: UseWords) => {
      const answer = await context.useSecretPlace(chosen(context, place, options), options.leave === true);
      await print(context, options, useAnswer, answer, () => useText(answer));
    });
}

function chosen(context: ProgramContext, place: SecretPlaceName, { keyFile, credential }: UseWords): ChosenPlace {
  if (place !== 'file') {
    if (keyFile !== undefined || credential !== undefined)
      throw new UsageError(`--key-file and --credential belong to the place "file", not to "${place}".`);
    return { place };
  }
  const file: SecretKeySource | undefined =
    keyFile === undefined ? undefined : { from: 'keyFile', path: isAbsolute(keyFile) ? keyFile : namedPath(context, keyFile) };
  if (credential !== undefined && !/^[\w.-]{1,100}$/.test(credential))
    throw new UsageError('--credential takes letters, digits, dots, hyphens and underscores.');
  const named: SecretKeySource | undefined = credential === undefined ? undefined : { from: 'credential', name: credential };
  const key = named ?? file;
  if (key === undefined)
    throw new UsageError(
      'Add --key-file with a file that holds the passphrase, or --credential with the name of a systemd credential.',
    );
  return { place, key, ...(named === undefined || file === undefined ? {} : { keyNow: file }) };
}

function useText({ place, file, moved, left, variables, takenUp }: MovedSecrets): string {
  const names: Readonly<Record<SecretPlaceName, string>> = {
    keyring: 'the keyring of the operating system',
    file: `the encrypted file ${file ?? ''}`,
    environment: 'environment variables',
  };
  const lines = [`Passwords and keys are in ${names[place]} from now on. Moved: ${moved}. Left where they were: ${left}.`];
  if (takenUp > 0) lines.push(`The file was there already, and this key opens it. It has: ${takenUp}.`);
  if (variables.length > 0) lines.push('Set these for the host:', ...variables.map((name) => `  ${name}`));
  return `${lines.map((line) => visibleText(line, 'text', 8_192)).join('\n')}\n`;
}
