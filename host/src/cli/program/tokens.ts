import type { Command } from 'commander';
import { z } from 'zod';
import { tokenScopeSchema } from '../../common/access.ts';
import type { TokenScope } from '../../common/access.ts';
import { HostError } from '../../common/errors.ts';
import { parseDuration } from '../../runtime/mcp/access/duration.ts';
import { mintedTokenSchema, tokenSummarySchema } from '../../common/integrations.ts';
import type { TokenSummary } from '../../common/integrations.ts';
import { findConnections, savedConnections } from '../findConnection.ts';
import { isDiscarded } from '../isDiscarded.ts';
import { understood } from '../ownerApi.ts';
import type { ApiCallOptions, OwnerApi } from '../ownerApi.ts';
import { textTable } from '../output/table.ts';
import { AnswerLost } from '../answerLost.ts';
import { UsageError } from '../usageError.ts';
import { write } from '../terminal.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { choice, print, printOnce, run } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';
import { typedWord } from '../../common/typedWord.ts';

const listedTokenSchema = tokenSummarySchema.extend({
  lastUsedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
});
const revokedTokenSchema = listedTokenSchema.pick({ id: true, name: true, revokedAt: true });
const createAnswer = new JsonAnswer(
  listedTokenSchema.pick({ id: true, name: true, scope: true, expiresAt: true }).extend({ token: mintedTokenSchema.shape.text }),
);
const listAnswer = new JsonAnswer(z.object({ tokens: z.array(listedTokenSchema) }));
const revokeAnswer = new JsonAnswer(revokedTokenSchema);

const WITHDRAWAL_MILLISECONDS = 10_000;

interface CreateOptions extends JsonOption {
  readonly name: string;
  readonly scope: TokenScope;
  readonly connections?: readonly string[];
  readonly expires?: string;
}

export function addTokenCommands(program: Command, context: ProgramContext): void {
  const tokens = program.command('tokens').description('tokens that MCP clients present');

  tokens
    .command('create')
    .description('make a token; its text is shown once')
    .requiredOption('--name <name>', 'what it is for')
    .option('--scope <scope>', 'readOnly, readWrite or fullAccess', choice('--scope', tokenScopeSchema.options), 'readOnly')
    .option('--connections <names>', 'names or ids, separated by commas (default: every connection)', nameList)
    .option('--expires <duration>', 'such as 12h or 30d (default: never)')
    .addOption(createAnswer)
    .action(async (options: CreateOptions) => {
      const { name, scope, connections, expires } = options;
      if (isDiscarded(context.terminal.stdout))
        throw new UsageError(
          'Standard output goes nowhere, so the text of the token would be lost. Let it go to a terminal, a file or a program.',
        );
      const lifetime = expires === undefined ? undefined : parseDuration(expires);
      const { token, text } = await run(context, mintedTokenSchema, async (api, calling) =>
        api.integrations.mintToken.mutate(
          {
            name,
            scope,
            ...(connections === undefined
              ? {}
              : { connections: (await findConnections(api, connections, calling)).map(({ id }) => id) }),
            ...(lifetime === undefined ? {} : { expiresAt: new Date(Date.now() + lifetime).toISOString() }),
          },
          calling,
        ),
      );
      const answer = { id: token.id, name: token.name, scope: token.scope, token: text, expiresAt: token.expiresAt ?? null };
      const failure = await printOnce(context, options, createAnswer, answer, () => `${answer.token}\n`);
      if (failure !== undefined) throw await withdrawn(context, token, failure);
      if (options.json !== true) await write(context.terminal.stderr, 'Keep it now: it is not shown again.\n');
    });

  tokens
    .command('list')
    .description('list the tokens')
    .addOption(listAnswer)
    .action(async (options: JsonOption) => {
      const answer = { tokens: await run(context, z.array(listedTokenSchema), listTokens) };
      await print(context, options, listAnswer, answer, () =>
        textTable(
          [
            { title: 'NAME' },
            { title: 'SCOPE' },
            { title: 'CONNECTIONS' },
            { title: 'BEGINS' },
            { title: 'LAST USED' },
            { title: 'EXPIRES' },
            { title: 'REVOKED' },
            { title: 'ID' },
          ],
          answer.tokens.map((token) => [
            token.name,
            token.scope,
            token.connections === 'all' ? 'all' : token.connections.join(', '),
            token.prefix,
            token.lastUsedAt ?? 'never',
            token.expiresAt ?? 'never',
            token.revokedAt ?? '',
            token.id,
          ]),
        ),
      );
    });

  tokens
    .command('revoke')
    .description('end a token at once')
    .argument('<token>', 'id, or a name that only one has')
    .addOption(revokeAnswer)
    .action(async (token: string, options: JsonOption) => {
      const answer = await run(context, revokedTokenSchema, (api, calling) => revoke(api, token, calling));
      await print(context, options, revokeAnswer, answer, () => `Revoked "${answer.name}".\n`);
    });
}

/** A token whose text nothing has would be valid all the same. The command's own signal is aborted by then. */
async function withdrawn(context: ProgramContext, { id, name }: TokenSummary, cause: Error): Promise<AnswerLost> {
  const unwritten = `The token "${name}" could not be written to standard output`;
  try {
    const { api } = await context.link();
    await api.integrations.revokeToken.mutate({ id }, { signal: AbortSignal.timeout(WITHDRAWAL_MILLISECONDS) });
  } catch (error) {
    const advice = `Run "tabularium tokens revoke ${typedWord(id)}", check where standard output goes, and create another one.`;
    return new AnswerLost(`${unwritten}, and it is still valid.`, advice, error);
  }
  return new AnswerLost(`${unwritten}, so it was revoked.`, 'Check where standard output goes, and create another one.', cause);
}

function nameList(text: string): readonly string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  // A list without names must not become a token for everything.
  if (names.length === 0) throw new UsageError('--connections takes names or ids, separated by commas.');
  return names;
}

async function listTokens(api: OwnerApi, options: ApiCallOptions): Promise<unknown> {
  const [tokens, connections] = await Promise.all([tokensOf(api, options), savedConnections(api, options)]);
  const names = new Map(connections.map(({ id, name }) => [id, name]));
  return tokens.map((token) => ({
    ...token,
    // Ids of those that are gone.
    connections: token.connections === 'all' ? 'all' : token.connections.map((id) => names.get(id) ?? id),
    lastUsedAt: token.lastUsedAt ?? null,
    expiresAt: token.expiresAt ?? null,
    revokedAt: token.revokedAt ?? null,
  }));
}

async function tokensOf(api: OwnerApi, options: ApiCallOptions): Promise<readonly TokenSummary[]> {
  return understood(z.array(tokenSummarySchema), await api.integrations.tokens.query(undefined, options));
}

async function revoke(api: OwnerApi, nameOrId: string, options: ApiCallOptions): Promise<unknown> {
  const all = await tokensOf(api, options);
  const named = all.filter(({ id, name, revokedAt }) => id === nameOrId || (name === nameOrId && revokedAt === undefined));
  if (named.length > 1) {
    const isId = named.some(({ id }) => id === nameOrId);
    throw new HostError(
      'INVALID_REQUEST',
      isId
        ? `"${nameOrId}" is the id of one token and the name of another: ${named.map(({ id, name }) => `"${name}" (${id})`).join(', ')}.`
        : `${named.length} tokens are named "${nameOrId}".`,
      {
        details: {
          advice: isId
            ? 'Nothing was revoked. Revoke the one that is named so by its id, or both in the settings.'
            : 'Name the one by its id; "tabularium tokens list" shows it.',
        },
      },
    );
  }
  const [found] = named;
  if (found === undefined) throw new HostError('TOKEN_UNKNOWN');
  await api.integrations.revokeToken.mutate({ id: found.id }, options);
  const ended = (await tokensOf(api, options)).find(({ id }) => id === found.id);
  return { id: found.id, name: found.name, revokedAt: ended?.revokedAt ?? null };
}
