import { visibleText } from '@tabularium/sdk';
import type { Command } from 'commander';
import { z } from 'zod';
import { aiPolicySchema, effectiveExternalClients, externalClientsSchema } from '../../common/access.ts';
import type { AiPolicy, ConnectionAccess, ExternalClients } from '../../common/access.ts';
import { importOutcomeSchema, importPreviewSchema, onConflictSchema } from '../../common/connectionFile.ts';
import type { ImportOutcome, OnConflict } from '../../common/connectionFile.ts';
import { addedConnectionSchema, savedConnectionSchema, testStepSchema } from '../../common/connection.ts';
import { testVerdict } from '../../common/testVerdict.ts';
import type { SavedConnection, SecretInput, TestStep } from '../../common/connection.ts';
import { driverFormSchema } from '../../common/drivers.ts';
import { LARGEST_CONNECTION_FILE } from '../../common/connectionFile.ts';
import { HostError } from '../../common/errors.ts';
import { findConnection, findConnections, savedConnections } from '../findConnection.ts';
import { parseFormOptions } from '../formOptions.ts';
import type { SecretSource } from '../formOptions.ts';
import { understood } from '../ownerApi.ts';
import { destinationLine } from '../output/destinationLine.ts';
import { textTable } from '../output/table.ts';
import { readSecrets, write, writeJson } from '../terminal.ts';
import { readTextFile, writeNewFile } from '../textFiles.ts';
import { addConfirmCommand } from './confirmSecrets.ts';
import { acceptingHostKey, addForgetHostKeyCommand } from './hostKeys.ts';
import { addSignInCommands } from './signIn.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { STANDARD_STREAM, namedPath } from './namedPath.ts';
import { choice, follow, print, run, warn } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';
import { typedConnection } from '../../common/typedConnection.ts';

const namedConnectionSchema = savedConnectionSchema.pick({ id: true, name: true });
const exportedSchema = z.object({ text: z.string(), connections: z.number() });
/** With the level that holds: read-only mode and the AI policy can leave less than is stored. */
const listedConnectionSchema = savedConnectionSchema.extend({ effectiveExternalClients: externalClientsSchema });
const listAnswer = new JsonAnswer(z.object({ connections: z.array(listedConnectionSchema) }));
const addAnswer = new JsonAnswer(savedConnectionSchema.extend({ warnings: addedConnectionSchema.shape.warnings }));
const removeAnswer = new JsonAnswer(namedConnectionSchema);
const renameAnswer = new JsonAnswer(namedConnectionSchema);
const testAnswer = new JsonAnswer(z.object({ ok: z.boolean(), steps: z.array(testStepSchema) }));
/** With `--file`; without it, the file itself goes to standard output. */
const exportAnswer = new JsonAnswer(z.object({ file: z.string(), connections: z.number() }));
const importAnswer = new JsonAnswer(z.object({ connections: z.array(importOutcomeSchema) }));

interface AddOptions extends JsonOption {
  readonly driver: string;
  readonly name: string;
  readonly externalClients?: ExternalClients;
  readonly aiPolicy?: AiPolicy;
  readonly readOnly?: true;
  readonly set: readonly string[];
}

export function addConnectionCommands(program: Command, context: ProgramContext): void {
  const connections = program.command('connections').description('saved connections');

  connections
    .command('list')
    .description('list the saved connections')
    .addOption(listAnswer)
    .action(async (options: JsonOption) => {
      const saved = await run(context, z.array(savedConnectionSchema), savedConnections);
      const answer = {
        connections: saved.map((one) => ({ ...one, effectiveExternalClients: effectiveExternalClients(one.access) })),
      };
      await print(context, options, listAnswer, answer, () => connectionTable(answer.connections));
    });

  connections
    .command('add')
    .description('save a connection; the database type\'s own options follow (see "tabularium drivers options <driver>")')
    .requiredOption('--driver <id>', 'the database type')
    .requiredOption('--name <name>', 'a name that no other connection has')
    .option(
      '--external-clients <level>',
      'what MCP clients may do: blocked, readOnly, readWrite (default: readOnly)',
      choice('--external-clients', externalClientsSchema.options),
    )
    .option(
      '--ai-policy <policy>',
      'whether AI clients may act: never, askEachTime, alwaysAllow (default: askEachTime)',
      choice('--ai-policy', aiPolicySchema.options),
    )
    .option('--read-only', 'neither you nor an external client changes data through it')
    .option('--set <field=value>', 'a field of the form by its id; may be repeated', collect, [])
    .addOption(addAnswer)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (options: AddOptions, command: Command) => {
      const { manifest } = await run(context, driverFormSchema, (api, calling) =>
        api.owner.drivers.form.mutate({ driver: options.driver }, calling),
      );
      const { settings, secrets } = parseFormOptions(manifest, command.args, options.set, context.folder);
      const given = await secretInputs(context, secrets);
      const { connection, warnings } = await run(context, addedConnectionSchema, (api, calling) =>
        api.owner.connections.add.mutate(
          {
            name: options.name,
            driver: manifest.id,
            settings,
            secrets: given,
            access: { externalClients: options.externalClients, aiPolicy: options.aiPolicy, readOnly: options.readOnly },
          },
          calling,
        ),
      );
      if (options.json !== true) for (const warning of warnings) await warn(context, warning);
      await print(
        context,
        options,
        addAnswer,
        { ...connection, warnings },
        () => `Saved "${connection.name}" (${connection.id}).\n${destinationLine(manifest, connection.settings)}`,
      );
    });

  connections
    .command('remove')
    .description('remove a connection and its credentials')
    .argument('<connection>', 'name or id')
    .addOption(removeAnswer)
    .action(async (connection: string, options: JsonOption) => {
      const answer = await run(context, namedConnectionSchema, async (api, calling) => {
        const { id, name } = await findConnection(api, connection, calling);
        await api.connections.remove.mutate({ connectionId: id }, calling);
        return { id, name };
      });
      await print(context, options, removeAnswer, answer, () => `Removed "${answer.name}".\n`);
    });

  connections
    .command('rename')
    .description('give a connection another name')
    .argument('<connection>', 'name or id')
    .argument('<name>', 'a name that no other connection has')
    .addOption(renameAnswer)
    .action(async (connection: string, name: string, options: JsonOption) => {
      const answer = await run(context, namedConnectionSchema, async (api, calling) => {
        const { id } = await findConnection(api, connection, calling);
        return api.connections.rename.mutate({ connectionId: id, name }, calling);
      });
      await print(context, options, renameAnswer, answer, () => `Renamed to "${answer.name}".\n`);
    });

  connections
    .command('test')
    .description('try a connection, step by step; exit code 1 when a step fails')
    .argument('<connection>', 'name or id')
    .option(
      '--accept-host-key <fingerprint>',
      "trust the key of the connection's SSH server that has this fingerprint, which begins with SHA256:, if none is known yet",
    )
    .addOption(testAnswer)
    .action(async (connection: string, { acceptHostKey, ...options }: TestOptions) => {
      const steps = new Map<string, TestStep>();
      await run(context, z.unknown(), async (api, calling) => {
        const { id, name, driver, settings, access, color } = await findConnection(api, connection, calling);
        const input = { name, driver, settings, access, color, secrets: {} };
        await acceptingHostKey(api, calling, { fingerprint: acceptHostKey, connection: { id, name } }, async () => {
          steps.clear();
          const reported = await api.connections.test.mutate({ input, connectionId: id }, calling);
          await follow(reported, testStepSchema, async (step) => {
            steps.set(step.id, step);
            if (options.json !== true && step.outcome !== 'running') await write(context.terminal.stdout, stepLine(step));
          });
        });
      });
      const ended = [...steps.values()];
      const verdict = testVerdict(ended);
      const answer = { ok: verdict === 'passed' || verdict === 'warned', steps: ended };
      if (options.json === true) await print(context, options, testAnswer, answer, () => '');
      else if (verdict === 'incomplete')
        await warn(context, 'The test ended before the server responded. Run it again.', 'Failed');
      if (!answer.ok) context.setExitCode(1);
    });

  addForgetHostKeyCommand(connections, context);
  addSignInCommands(connections, context);
  addConfirmCommand(connections, context);
  addFileCommands(connections, context);
}

interface TestOptions extends JsonOption {
  readonly acceptHostKey?: string;
}

interface ExportOptions extends JsonOption {
  readonly file?: string;
  readonly overwrite?: true;
}

interface ImportOptions extends JsonOption {
  readonly onConflict: OnConflict;
}

function addFileCommands(connections: Command, context: ProgramContext): void {
  connections
    .command('export')
    .description('write connections to a file, without credentials')
    .argument('[connections...]', 'names or ids (default: all)')
    .option('--file <file>', 'the file (default: -, which is standard output)')
    .option('--overwrite', 'replace a file that exists')
    .addOption(exportAnswer)
    .action(async (names: readonly string[], { file, overwrite, ...options }: ExportOptions) => {
      const answer = await run(context, exportedSchema, async (api, calling) => {
        const chosen = await findConnections(api, names, calling);
        const connectionIds = chosen.length === 0 ? undefined : chosen.map(({ id }) => id);
        const text = await api.connections.export.query({ connectionIds }, calling);
        return { text, connections: connectionIds?.length ?? (await savedConnections(api, calling)).length };
      });
      if (file === undefined || file === STANDARD_STREAM) {
        await writeJson(context.terminal.stdout, answer.text);
        return;
      }
      const path = namedPath(context, file);
      await writeNewFile(path, answer.text, overwrite === true, (await context.home()).folder);
      const reported = { file: path, connections: answer.connections };
      await print(context, options, exportAnswer, reported, () => `Wrote ${path} (connections: ${answer.connections}).\n`);
    });

  connections
    .command('import')
    .description('save the connections of a file; exit code 1 when one of them is not taken')
    .argument('<file>', 'a file that "connections export" or the window has written')
    .option(
      '--on-conflict <what>',
      'what to do with a connection whose name is taken: skip, rename, replace',
      choice('--on-conflict', onConflictSchema.options),
      'skip',
    )
    .addOption(importAnswer)
    .action(async (file: string, options: ImportOptions) => {
      const text = await readTextFile(namedPath(context, file), LARGEST_CONNECTION_FILE);
      const answer = { connections: await importFile(context, text, options.onConflict) };
      await print(context, options, importAnswer, answer, () => answer.connections.map(outcomeLine).join(''));
      for (const { name, connectionId, fromEnvironment } of options.json === true ? [] : answer.connections) {
        if (fromEnvironment !== undefined)
          await warn(
            context,
            `"${visibleText(name)}" would send the value of an environment variable to its server: ${fromEnvironment.join(', ')}. Nothing is sent before you confirm it: tabularium connections confirm ${typedConnection({ name, id: connectionId })}`,
          );
      }
      if (answer.connections.some(({ outcome }) => outcome === 'failed')) context.setExitCode(1);
    });
}

/** Saves the connections of a file's text, each for itself. */
async function importFile(context: ProgramContext, text: string, onConflict: OnConflict): Promise<readonly ImportOutcome[]> {
  return run(context, z.array(importOutcomeSchema), async (api, calling) => {
    const preview = await api.connections.previewImport.mutate({ text }, calling);
    const { candidates, problems } = understood(importPreviewSchema, preview);
    const [problem] = problems;
    if (problem !== undefined) {
      throw new HostError('INVALID_REQUEST', `${problem.message} (line ${problem.line}, column ${problem.column})`, {
        details: { advice: 'Nothing was saved. Use a file that "tabularium connections export" has written.' },
      });
    }
    const choices = candidates.map(({ index }) => ({ index, onConflict }));
    return api.connections.import.mutate({ text, choices }, calling);
  });
}

const OUTCOMES = { added: 'Added', renamed: 'Added as', replaced: 'Replaced', skipped: 'Skipped', failed: 'Not taken:' } as const;

function outcomeLine({ name, outcome, message }: ImportOutcome): string {
  return `${OUTCOMES[outcome]} "${visibleText(name)}"${message === undefined ? '' : `: ${visibleText(message)}`}\n`;
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

async function secretInputs(context: ProgramContext, sources: readonly SecretSource[]): Promise<Record<string, SecretInput>> {
  const piped = sources.filter((source) => source.from === 'stdin');
  const values = await readSecrets(
    context.terminal,
    piped.map(({ label }) => label),
    context.signal,
  );
  const inputs: Record<string, SecretInput> = {};
  for (const source of sources) {
    inputs[source.field] =
      source.from === 'environment'
        ? { kind: 'environment', variable: source.variable }
        : { kind: source.storage, value: values[piped.indexOf(source)] ?? '' };
  }
  return inputs;
}

function connectionTable(connections: readonly SavedConnection[]): string {
  if (connections.length === 0) return 'There are no connections. Add one with "tabularium connections add".\n';
  return textTable(
    [
      { title: 'NAME' },
      { title: 'TYPE' },
      { title: 'EXTERNAL CLIENTS' },
      { title: 'AI POLICY' },
      { title: 'READ-ONLY MODE' },
      { title: 'ID' },
    ],
    connections.map(({ name, driver, access, id }) => [
      name,
      driver,
      levelText(access),
      access.aiPolicy,
      access.readOnly === true ? 'on' : 'off',
      id,
    ]),
  );
}

/** The level that holds, and the stored one where that differs. */
function levelText(access: ConnectionAccess): string {
  const holds = effectiveExternalClients(access);
  return holds === access.externalClients ? holds : `${holds} (stored: ${access.externalClients})`;
}

const MARKS: Readonly<Record<TestStep['outcome'], string>> = { running: '…', ok: '✓', warning: '!', failed: '✗', skipped: '-' };

function stepLine({ outcome, label, message, milliseconds }: TestStep): string {
  return `${MARKS[outcome]} ${visibleText(label)}: ${visibleText(message, 'name', 2_000)}${milliseconds === undefined ? '' : ` (${Math.round(milliseconds)} ms)`}\n`;
}
