import type { Command } from 'commander';
import { tokenScopeSchema } from '../../common/access.ts';
import type { TokenScope } from '../../common/access.ts';
import { textTable } from '../output/table.ts';
import { UsageError } from '../usageError.ts';
import { write } from '../terminal.ts';
import { choice, print, run } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';

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
    .option('--json', 'answer in JSON')
    .action(async (options: CreateOptions) => {
      const { name, scope, connections, expires } = options;
      const answer = await run(context, options, 'tokens.create', {
        name,
        scope,
        expires,
        ...(connections === undefined ? {} : { connections: [...connections] }),
      });
      await print(context, options, answer, () => `${answer.token}\n`);
      if (options.json !== true) await write(context.terminal.stderr, 'Keep it now: it is not shown again.\n');
    });

  tokens
    .command('list')
    .description('list the tokens')
    .option('--json', 'answer in JSON')
    .action(async (options: JsonOption) => {
      const answer = await run(context, options, 'tokens.list', {});
      await print(context, options, answer, () =>
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
    .option('--json', 'answer in JSON')
    .action(async (token: string, options: JsonOption) => {
      const answer = await run(context, options, 'tokens.revoke', { token });
      await print(context, options, answer, () => `Revoked "${answer.name}".\n`);
    });
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
