import { join } from 'node:path';
import type { Command } from 'commander';
import { HostError } from '../../common/errors.ts';
import { resolveHome } from '../../runtime/storage/home.ts';
import { hostPackage } from '../../runtime/program/hostPackage.ts';
import { packagedApplication } from '../../runtime/program/packagedApplication.ts';
import { bridgeProgram } from '../../runtime/mcp/clients/bridgeProgram.ts';
import { checkBridge } from '../../runtime/mcp/clients/checkBridge.ts';
import { TOKEN_PLACE } from '../../runtime/mcp/clients/clientConnector.ts';
import { findClient, MCP_CLIENTS } from '../../runtime/mcp/clients/clients.ts';
import type { EntryValues, McpClient, Place } from '../../runtime/mcp/clients/clients.ts';
import { planChange, writeChange } from '../../runtime/mcp/clients/configFile.ts';
import { lineDiff } from '../../runtime/mcp/clients/lineDiff.ts';
import { snippetOf } from '../../runtime/mcp/clients/snippet.ts';
import { PREFERRED_PORT } from '../../runtime/mcp/server/limits.ts';
import { registerUrlScheme, registrationSchema, unregisterUrlScheme } from '../../runtime/urlScheme/registerUrlScheme.ts';
import type { Registration } from '../../runtime/urlScheme/registerUrlScheme.ts';
import { isStartUrl } from '../../runtime/urlScheme/startUrl.ts';
import { z } from 'zod';
import { bridgeCheckSchema, connectableClientSchema } from '../../common/connectClients.ts';
import { mcpStateSchema } from '../../common/integrations.ts';
import { textTable } from '../output/table.ts';
import { confirm, canAskPerson, write } from '../terminal.ts';
import { UsageError } from '../usageError.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { namedPath } from './namedPath.ts';
import { print, run, warn } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';
import { userFolder } from '../../runtime/storage/userFolder.ts';

const { id, title, format, transport, text } = connectableClientSchema.shape;
/** In turn: with `--list`, without `--write`, with it. */
const configAnswer = new JsonAnswer(
  z.union([
    z.object({ clients: z.array(z.object({ id, title, format, transport })) }),
    z.object({
      client: id,
      title,
      format,
      /** The top-level key under which servers are; null for a command. */
      key: z.string().nullable(),
      file: z.string().nullable(),
      entry: z.record(z.string(), z.unknown()),
      text,
    }),
    z.object({
      client: id,
      file: z.string(),
      diff: z.string(),
      /** The file as it was; null where nothing changed or there was none. */
      backup: z.string().nullable(),
      changed: z.boolean(),
    }),
  ]),
);
const bridge = { bridge: z.string() };
const [checked, failed] = bridgeCheckSchema.options;
const checkAnswer = new JsonAnswer(z.discriminatedUnion('ok', [checked.extend(bridge), failed.extend(bridge)]));
const urlAnswer = new JsonAnswer(registrationSchema);

interface ConfigOptions extends JsonOption {
  readonly client?: string;
  readonly list?: true;
  readonly write?: true;
  readonly yes?: true;
  readonly file?: string;
  readonly withHome?: true;
}

/** The commands that connect clients of the MCP server, and what the platform calls for them. */
export function addMcpCommands(program: Command, context: ProgramContext): void {
  const mcp = program.command('mcp').description('connect AI clients');

  mcp
    .command('config')
    .description('show what to put into the configuration of a client, or put it there')
    .option('--client <name>', 'the client; --list shows which there are')
    .option('--list', 'list the clients')
    .option('--write', "show what would change in the client's own file, ask, and change it; the file is kept beside it")
    .option('--yes', 'do not ask')
    .option('--file <file>', "the client's file, where it is not the usual one")
    .option('--with-home', 'name the home in the entry, for a home that is not the usual one')
    .addOption(configAnswer)
    .action((options: ConfigOptions) => config(context, options));

  mcp
    .command('check')
    .description('run the bridge as a client would, and show the tools that it gets')
    .addOption(checkAnswer)
    .action(async (options: JsonOption) => {
      const bridge = bridgePath();
      const result = await checkBridge(bridge, context.env, context.signal);
      if (!result.ok) context.setExitCode(1);
      await print(context, options, checkAnswer, { bridge, ...result }, () =>
        result.ok
          ? `The bridge answers (${result.milliseconds} ms). Tools: ${result.tools.join(', ')}.\n`
          : `${result.layer}: ${result.message}\n`,
      );
    });

  const integrations = program.command('integrations').description('how other programs reach Tabularium');
  integrations
    .command('register-url')
    .description('have this desktop start Tabularium when a client needs it (Linux; "serve" does it too)')
    .addOption(urlAnswer)
    .action(async (options: JsonOption) => {
      const home = resolveHome(context.env, process.platform);
      const registration = await registerUrlScheme({
        env: context.env,
        platform: process.platform,
        handler: urlHandler(home),
        packageSuffices: packageSuffices(home, context.env),
      });
      await print(context, options, urlAnswer, registration, () => registrationText(registration));
    });
  integrations
    .command('unregister-url')
    .description('take that back')
    .addOption(urlAnswer)
    .action(async (options: JsonOption) => {
      const registration = await unregisterUrlScheme({ env: context.env, platform: process.platform });
      await print(context, options, urlAnswer, registration, () => 'Removed.\n');
    });

  program
    .command('open-url', { hidden: true })
    .description('do what an address of the scheme tabularium asks for; for the platform')
    .argument('<url>', 'the address')
    .option('--home <folder>', 'the home, where the environment names none')
    .option('--json', 'changes nothing')
    .action(async (url: string, { home }: { readonly home?: string }) => {
      if (!isStartUrl(url)) throw new UsageError('Tabularium opens tabularium://integrations/start-mcp, and no other address.');
      await context.serveHidden(home);
    });
}

async function config(context: ProgramContext, options: ConfigOptions): Promise<void> {
  if (options.list === true) {
    const clients = MCP_CLIENTS.map(({ id, title, format, transport }) => ({ id, title, format, transport }));
    await print(context, options, configAnswer, { clients }, () =>
      textTable(
        [{ title: 'NAME' }, { title: 'CLIENT' }],
        clients.map(({ id, title }) => [id, title]),
      ),
    );
    return;
  }
  const client = findClient(options.client ?? '');
  if (client === undefined) {
    throw new UsageError(`--client takes one of ${MCP_CLIENTS.map(({ id }) => id).join(', ')}.`);
  }
  const values = await valuesFor(context, options, client);
  const file = options.file === undefined ? client.file?.(place(context)) : namedPath(context, options.file);
  if (options.write === true) {
    await writeConfig(context, options, client, values, file);
    return;
  }
  const text = snippetOf(client, values);
  const { id, title, format } = client;
  const { key = null } = client;
  const answer = { client: id, title, format, key, file: file ?? null, entry: client.entry(values), text };
  await print(context, options, configAnswer, answer, () => text);
  if (options.json === true) return;
  if (format === 'command') await write(context.terminal.stderr, 'Run this once.\n');
  else if (file !== undefined) await write(context.terminal.stderr, `This belongs into ${file}; --write puts it there.\n`);
  if (client.transport === 'http') {
    const next =
      client.signsIn === true
        ? 'Switch on "Sign-in with OAuth" in the window: Settings, Integrations, Server. The client opens your browser.\n'
        : 'Create the token with "tabularium tokens create".\n';
    await write(context.terminal.stderr, next);
  }
}

async function writeConfig(
  context: ProgramContext,
  options: ConfigOptions,
  client: McpClient,
  values: EntryValues,
  file: string | undefined,
): Promise<void> {
  if (client.format === 'command' || client.transport === 'http') {
    throw new UsageError(`--write cannot be used for ${client.id}: run or put in what is shown without it.`);
  }
  if (file === undefined) throw new UsageError(`Name the file of this client with --file.`);
  const change = await planChange(client, values, file);
  const diff = lineDiff(change.before ?? '', change.after);
  const unchanged = diff === '';
  if (!unchanged && options.json !== true) await write(context.terminal.stderr, `${file}\n${diff}`);
  if (!unchanged && options.yes !== true) {
    if (!canAskPerson(context.terminal)) throw new UsageError('--write asks first; add --yes where there is no terminal.');
    if (!(await confirm(context.terminal, `Change ${file}?`, context.signal))) {
      throw new HostError('INVALID_REQUEST', 'Nothing was changed.');
    }
  }
  const backup = unchanged ? undefined : await writeChange(change);
  await print(
    context,
    options,
    configAnswer,
    { client: client.id, file, diff, backup: backup ?? null, changed: !unchanged },
    () =>
      unchanged
        ? 'The entry already exists.\n'
        : `Written.${backup === undefined ? '' : ` Backup: ${backup}`}\nRestart the client.\n`,
  );
}

async function valuesFor(context: ProgramContext, options: ConfigOptions, client: McpClient): Promise<EntryValues> {
  const { env } = context;
  const home = resolveHome(env, process.platform);
  const unusual = home !== resolveHome({ ...env, TABULARIUM_HOME: undefined }, process.platform);
  if (unusual && options.withHome !== true && options.json !== true && client.transport === 'stdio') {
    await warn(
      context,
      `the home is ${home}, which the client finds only with TABULARIUM_HOME in its environment; --with-home puts it into the entry.`,
    );
  }
  const url =
    client.transport === 'http'
      ? ((await run(context, mcpStateSchema, (api, calling) => api.integrations.state.query(undefined, calling))).url ??
        `http://127.0.0.1:${PREFERRED_PORT}/mcp`)
      : '';
  return { bridge: bridgePath(), ...(options.withHome === true ? { home } : {}), url, token: TOKEN_PLACE };
}

function place({ env }: ProgramContext): Place {
  return { platform: process.platform, userFolder: userFolder(env), env };
}

/** The one executable that a client's configuration names. */
function bridgePath(): string {
  return bridgeProgram(hostPackage().folder);
}

export function urlHandler(home: string): { node: string; launcher: string; home: string } {
  return { node: process.execPath, launcher: join(hostPackage().folder, 'bin', 'tabularium.mjs'), home };
}

/** Whether a host in this home needs no desktop entry but that of the package that it lies in: the entry names no home. */
export function packageSuffices(home: string, env: NodeJS.ProcessEnv): boolean {
  return (
    packagedApplication(hostPackage().folder) !== undefined &&
    home === resolveHome({ ...env, TABULARIUM_HOME: undefined }, process.platform)
  );
}

function registrationText({ state, file }: Registration): string {
  switch (state) {
    case 'registered':
      return `Registered: ${file ?? ''}\n`;
    case 'unchanged':
      return file === undefined ? 'Registered already, by the installed package.\n' : `Registered already: ${file}\n`;
    case 'unsupported':
      return process.platform === 'linux'
        ? 'Nothing was registered: there is no xdg-mime. Install xdg-utils.\n'
        : 'Nothing was registered: the installed application does it on this platform.\n';
  }
}
