import { visibleText } from '@tabularium/sdk';
import type { Command } from 'commander';
import { z } from 'zod';
import type {
  ChangedSecret,
  FileAccess,
  NewFile,
  NewOrigin,
  OriginPlace,
  SecretAspect,
  SecretQuestion,
  SecretSide,
} from '../../common/secretQuestion.ts';
import { HostError } from '../../common/errors.ts';
import {
  DECRYPTS,
  GIVEN_TO_DRIVER,
  SECRET_ASPECTS,
  SIGN_IN_ON_THE_WAY,
  isChanged,
  secretQuestionSchema,
} from '../../common/secretQuestion.ts';
import { findConnection } from '../findConnection.ts';
import { understood } from '../ownerApi.ts';
import type { ApiCallOptions, OwnerApi } from '../ownerApi.ts';
import { PROTECTION_WORDS } from '../output/destinationLine.ts';
import { UsageError } from '../usageError.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { print, run } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';
import { typedConnection } from '../../common/typedConnection.ts';
import { typedWord } from '../../common/typedWord.ts';

const LONGEST_ADDRESS = 20_000;

const askedSchema = z.object({ name: z.string(), question: secretQuestionSchema.nullable() });
const confirmedSchema = z.object({ name: z.string(), confirmed: z.array(z.string()) });
const confirmAnswer = new JsonAnswer(z.union([askedSchema, confirmedSchema]));

interface ConfirmOptions extends JsonOption {
  readonly to?: readonly string[];
  readonly code?: string;
}

export function addConfirmCommand(connections: Command, context: ProgramContext): void {
  connections
    .command('confirm')
    .description(
      "compare where a connection's credentials and data would go now with what you entered or confirmed, and confirm it",
    )
    .argument('<connection>', 'name or id')
    .option(
      '--to <origin>',
      'the new origin or file, as it is shown; confirms together with --code',
      (value, before: readonly string[] = []) => [...before, value],
    )
    .option('--code <code>', 'the code that is shown with old and new')
    .addOption(confirmAnswer)
    .action(async (connection: string, { to, code, ...options }: ConfirmOptions) => {
      if ((to === undefined) !== (code === undefined)) {
        throw new UsageError('To confirm, give both --to and --code. Without them, old and new are shown.');
      }
      if (to !== undefined && code !== undefined) {
        const answer = await run(context, confirmedSchema, (api, calling) => confirmTo(api, { connection, to, code }, calling));
        await print(
          context,
          options,
          confirmAnswer,
          answer,
          () => `Confirmed: "${shown(answer.name)}" reaches ${answer.confirmed.join(', ')}.\n`,
        );
        return;
      }
      const { name, question } = await run(context, askedSchema, async (api, calling) => {
        const { id, name } = await findConnection(api, connection, calling);
        return { name, question: await api.connections.secretQuestion.query({ connectionId: id }, calling) };
      });
      if (question !== null) context.setExitCode(1);
      await print(context, options, confirmAnswer, { name, question }, () =>
        question === null ? `There is nothing to confirm for "${shown(name)}".\n` : questionText(question),
      );
    });
}

/**
 * A person has compared old and new. Both the new origin and the code have to be named: a script cannot agree to what its author has not seen.
 */
async function confirmTo(
  api: OwnerApi,
  { connection, to, code }: { readonly connection: string; readonly to: readonly string[]; readonly code: string },
  options: ApiCallOptions,
): Promise<unknown> {
  const { id: connectionId, name } = await findConnection(api, connection, options);
  const question = understood(
    secretQuestionSchema.nullable(),
    await api.connections.secretQuestion.query({ connectionId }, options),
  );
  const files = (question?.newFiles ?? []).map(({ path }) => path);
  const origins = question === null ? [] : [...originsIn(question), ...files];
  const named = to.map((text) => files.find((path) => fileName(path) === text) ?? text.replace(/\/$/, '').toLowerCase());
  const unnamed = origins.filter((origin) => !named.includes(origin));
  const foreign = named.filter((origin) => !origins.includes(origin));
  if (question !== null && unnamed.length + foreign.length > 0) {
    throw new HostError(
      'INVALID_REQUEST',
      `The connection "${name}" would reach ${origins.join(', ')}, and not ${named.join(', ')}.`,
      { details: { advice: 'Compare old and new again, and name the origin only if it is right.' } },
    );
  }
  await api.connections.confirmSecrets.mutate({ connectionId, code }, options);
  return { name, confirmed: origins };
}

/** Every address that an answer has to name. */
function originsIn({ changes, newOrigins = [] }: SecretQuestion): readonly string[] {
  return [...new Set([...changes.flatMap(({ now }) => now.origins), ...newOrigins.flatMap(({ now }) => now.origins)])];
}

const TITLES: Readonly<Record<SecretAspect, string>> = {
  origins: 'Sent to',
  through: 'Through',
  verification: 'Protection',
  authorityFile: 'Trusted authority',
  sentAs: 'Sent as',
  further: 'At further origins',
  from: 'Taken from',
  driver: 'Driver',
  publisher: 'Published by',
  grants: 'Outside the sandbox',
};

/** Old and new below each other, so that a long value is seen whole. */
function questionText(question: SecretQuestion): string {
  const { changes, newOrigins = [], newFiles = [], isDistrusted, code, connection, driver } = question;
  const name = JSON.stringify(shown(connection));
  const command = `tabularium connections confirm ${typedConnection({ name: connection, id: question.connectionId })}`;
  const to = [...originsIn(question).map(shownAddress), ...newFiles.map(({ path }) => fileName(path))]
    .map((place) => ` --to ${typedWord(place)}`)
    .join('');
  const title = JSON.stringify(shown(driver.title));
  return [
    ...(isDistrusted === true
      ? [`The driver ${title} tried to send a credential of one server to another, and was stopped. Nothing has been sent.`, '']
      : []),
    ...(newOrigins.length === 0
      ? []
      : [
          `With ${name}, the driver ${title} reaches addresses that you haven't entered or confirmed. It can send there whatever it reads. Nothing has been sent.`,
          ...newOrigins.flatMap((origin) => ['', ...originLines(origin)]),
          '',
        ]),
    ...(newFiles.length === 0
      ? []
      : [
          `With ${name}, the driver ${title} reads or changes files that you haven't chosen for that. It got none of them.`,
          ...newFiles.flatMap((file) => ['', ...fileLines(file)]),
          '',
        ]),
    ...(changes.length === 0
      ? []
      : [
          `The destination of the credentials of ${name} has changed since they were entered. Nothing has been sent.`,
          ...changes.flatMap((change) => ['', `${shown(change.label)}:`, ...changeLines(change)]),
          '',
        ]),
    'If you expected this change, confirm it:',
    `  ${command}${to} --code ${typedWord(code)}`,
    '',
  ].join('\n');
}

/** The address first, and the driver's own texts in quotes below it: none of them moves the address out of view. */
function originLines({ label, reason, before, now }: NewOrigin): readonly string[] {
  const placed = ({ origins, verification }: OriginPlace): string =>
    `${origins.map(shownAddress).join(', ')} (${PROTECTION_WORDS[verification]})`;
  return [
    `  before: ${before === undefined ? 'none' : placed(before)}`,
    `  now:    ${placed(now)}`,
    label === '' ? '  The server of the connection.' : `  The driver calls it ${JSON.stringify(shown(label))}.`,
    ...(reason === '' ? [] : [`  The driver says why: ${JSON.stringify(shown(reason))}`]),
  ];
}

const ACCESS_WORDS: Readonly<Record<FileAccess, string>> = { read: 'read', readWrite: 'read and change' };

function fileLines({ label, path, reason, before, now }: NewFile): readonly string[] {
  return [
    `  file:   ${fileName(path)}`,
    `  before: ${before === undefined ? 'not available to the driver' : ACCESS_WORDS[before]}`,
    `  now:    ${ACCESS_WORDS[now]}`,
    `  The driver calls it ${JSON.stringify(shown(label))}.`,
    `  The driver says why: ${JSON.stringify(shown(reason))}`,
  ];
}

/** A path as it is shown and typed. */
function fileName(path: string): string {
  return visibleText(path, 'name', LONGEST_ADDRESS);
}

function changeLines(change: ChangedSecret): readonly string[] {
  return SECRET_ASPECTS.filter((aspect) => isChanged(change, aspect)).flatMap((aspect) => [
    `  ${TITLES[aspect]}`,
    `    before: ${change.before === undefined ? 'not known' : valueText(change.before, aspect)}`,
    `    now:    ${valueText(change.now, aspect)}`,
  ]);
}

function valueText(side: SecretSide, aspect: SecretAspect): string {
  switch (aspect) {
    case 'verification':
      return PROTECTION_WORDS[side.verification];
    case 'from':
      if (side.from.kind === 'environment') return `the environment variable ${side.from.variable}`;
      return side.from.kind === 'store' ? 'the secure store' : 'this session';
    case 'publisher':
      return shown(side.publisher === '' ? 'not installed' : `${side.publisherName} (${side.publisher})`);
    case 'authorityFile':
      return side.authorityFile === '' ? 'those of the system' : shown(side.authorityFile);
    case 'driver':
      return shown(side.driver);
    case 'through':
      return shown(side.through ?? 'nothing: directly');
    case 'further':
      return shown((side.further ?? []).map(furtherText).join('; ')) || 'nothing';
    case 'origins':
    case 'sentAs':
    case 'grants':
      return shown(side[aspect].map(itemText).join(', ')) || 'nothing';
  }
}

function furtherText({ origin, verification, authorityFile, sentAs }: NonNullable<SecretSide['further']>[number]): string {
  const authority = authorityFile === '' ? [] : [`trusting ${authorityFile}`];
  return `${origin} (${[PROTECTION_WORDS[verification], ...authority, ...sentAs.map(itemText)].join(', ')})`;
}

function itemText(item: string): string {
  if (item === GIVEN_TO_DRIVER) return 'a login by the driver itself';
  if (item === SIGN_IN_ON_THE_WAY) return 'a sign-in by Tabularium';
  return item.startsWith(DECRYPTS)
    ? `a passphrase, sent nowhere, of ${item.slice(DECRYPTS.length)}`
    : item.trim().replace(/:$/, '');
}

/** Names and addresses come from outside: what they hide is made visible where a person decides by them. */
function shown(text: string): string {
  return visibleText(text, 'name');
}

/** Whole, with a path of any length: it is what a person confirms, and types. */
function shownAddress(url: string): string {
  return visibleText(url, 'name', LONGEST_ADDRESS);
}
