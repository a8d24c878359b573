import type { Command } from 'commander';
import { visibleText } from '@tabularium/sdk';
import type { TableRef } from '@tabularium/sdk';
import { z } from 'zod';
import { leftOutSchema, newTableNamespacesSchema, rowImportPreviewSchema } from '../../common/imports.ts';
import type { ImportField, RowImportPreview } from '../../common/imports.ts';
import { tableToMake } from '../../common/tableName.ts';
import { findConnection } from '../findConnection.ts';
import { understood } from '../ownerApi.ts';
import type { ApiCallOptions, OwnerApi } from '../ownerApi.ts';
import { UsageError } from '../usageError.ts';
import { addImportField } from './addImportField.ts';
import { findTableOf } from './findTableOf.ts';
import { followedImport, importAnswer, printImport, rejectedFileOf } from './followedImport.ts';
import { isNotFound } from './isNotFound.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { choice, print, run } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';
import { typedOr } from '../../common/typedOr.ts';

const planAnswer = new JsonAnswer(
  z.object({
    /** Rows of the source, where they can be counted. */
    rows: z.number().optional(),
    /** Rows that are in the target already. */
    rowsThere: z.number().optional(),
    /** Of a table that is there: the mode and its request. */
    mode: z.string().optional(),
    request: z.string().optional(),
    /** Of a new table. */
    definition: z.string().optional(),
    /** Of a new table: parts of the source that it doesn't get. */
    leftOut: z.array(leftOutSchema).optional(),
    /** Values that become text, by their names. */
    asText: z.array(z.string()),
    /** Of the first rows: those that would be rejected. */
    problems: z.array(z.object({ line: z.number(), message: z.string() })),
    /** The name for `--confirm`. */
    confirm: z.string().optional(),
  }),
);

interface CopyOptions extends JsonOption {
  readonly mode?: string;
  readonly map?: readonly ImportField[];
  readonly create?: true;
  readonly confirm?: string;
  readonly rejected?: string;
  readonly resume?: true;
  readonly uncertain?: 'repeat' | 'skip';
  readonly otherTable?: true;
}

export function addCopyCommands(program: Command, context: ProgramContext): void {
  const copied = (command: Command): Command =>
    command
      .argument('<connection>', 'of the rows: name or id')
      .argument('<table>', 'its name, as "tables" prints it')
      .argument('<to>', 'the connection where the rows go: name or id')
      .argument('[new-name]', 'the table there (default: the same name)')
      .option('--mode <mode>', "what happens to rows that are there (default: the driver's first)")
      .option('--map <source=target:type>', 'as with "import". Repeatable', addImportField)
      .option('--create', 'create the table there');

  copied(program.command('copy-plan').description('print what a copy would do and write nothing'))
    .addOption(planAnswer)
    .action(async (connection: string, table: string, to: string, newName: string | undefined, options: CopyOptions) => {
      const plan = await run(context, rowImportPreviewSchema, async (api, calling) => {
        const { id: sourceId } = await findConnection(api, connection, calling);
        const { id: connectionId } = await findConnection(api, to, calling);
        const source = await findTableOf(api, sourceId, table, calling);
        const name = newName ?? table;
        const target =
          options.create === true
            ? await newTable(api, connectionId, name, calling)
            : await findTableOf(api, connectionId, name, calling).catch((error: unknown) => {
                throw isNotFound(error)
                  ? new UsageError(`“${to}” has no “${name}”. Correct the name, or add --create to make it there.`)
                  : error;
              });
        return api.imports.preview.mutate(
          {
            connectionId,
            table: target,
            source: { is: 'table', connectionId: sourceId, table: source },
            create: options.create === true,
            ...(options.mode === undefined ? {} : { mode: options.mode }),
            ...(options.map === undefined ? {} : { mapping: [...options.map] }),
          },
          calling,
        );
      });
      const answer = answerOf(plan, options.mode);
      await print(context, options, planAnswer, answer, () => textOf(answer));
    });

  copied(program.command('copy').description('copy the rows of a table into a table of another connection, or of the same one'))
    .option('--confirm <name>', 'the name of the table that the rows go to, where it is there already')
    .option('--rejected <file>', 'write rejected rows and their reasons there')
    .option('--resume', 'continue a copy that was interrupted')
    .option(
      '--uncertain <what>',
      'with --resume: repeat or skip rows that may have been written, where they have no key',
      choice('--uncertain', ['repeat', 'skip'] as const),
    )
    .option('--other-table', 'with --resume: continue in a table that was made again, or lacks rows that were written')
    .addOption(importAnswer)
    .action(async (connection: string, table: string, to: string, newName: string | undefined, options: CopyOptions) => {
      const { mode, map, create, confirm, resume, uncertain, otherTable } = options;
      if (uncertain !== undefined && resume !== true) throw new UsageError('--uncertain needs --resume.');
      if (otherTable === true && resume !== true) throw new UsageError('--other-table needs --resume.');
      if (confirm !== undefined && create === true)
        throw new UsageError('--confirm is for a table that is there, and --create makes a new one.');
      const rejected = await rejectedFileOf(context, options.rejected);
      const info = await followedImport(context, options, async (api, calling) => {
        const { id: sourceId } = await findConnection(api, connection, calling);
        const { id: connectionId } = await findConnection(api, to, calling);
        return api.owner.copy.mutate(
          {
            sourceId,
            source: table,
            connectionId,
            table: newName ?? table,
            create: create === true,
            resume: resume === true,
            ...(mode === undefined ? {} : { mode }),
            ...(map === undefined ? {} : { mapping: [...map] }),
            ...(confirm === undefined ? {} : { typedName: confirm }),
            ...(uncertain === undefined ? {} : { uncertain }),
            ...(otherTable === undefined ? {} : { otherTable }),
          },
          calling,
        );
      });
      await printImport(context, options, info, rejected);
    });
}

async function newTable(
  api: OwnerApi,
  connectionId: string,
  name: string,
  calling: ApiCallOptions,
): Promise<{ namespace: string[]; name: string }> {
  const namespaces = understood(newTableNamespacesSchema, await api.imports.namespaces.query({ connectionId }, calling));
  const elsewhere: string[][] = [];
  const found = tableToMake(namespaces, name) ?? (await tableElsewhere(api, { connectionId, name, seen: elsewhere }, calling));
  if (found !== undefined) return { namespace: [...found.namespace], name: found.name };
  const those = (elsewhere.length > 0 ? elsewhere : namespaces).map((namespace) => `${namespace.join('.')}.`).join(', ');
  throw new UsageError(`“${name}” begins with no namespace in which you may create a table. Begin it with one of ${those}`);
}

/** In a namespace that isn't among the first ones: that with which the name begins. `seen` gets the namespaces in it. */
async function tableElsewhere(
  api: OwnerApi,
  { connectionId, name, seen }: { readonly connectionId: string; readonly name: string; readonly seen: string[][] },
  calling: ApiCallOptions,
): Promise<TableRef | undefined> {
  const places = name.split('.').map((_part, at, parts) => parts.slice(0, at).join('.'));
  for (const place of places.filter((one) => one !== '')) {
    const within = [place];
    // Most of the places that a name could begin with aren't there.
    const answer = await api.imports.namespaces.query({ connectionId, within }, calling).catch((error: unknown) => {
      if (isNotFound(error)) return [];
      throw error;
    });
    const inside = understood(newTableNamespacesSchema, answer).filter(([first]) => first === place);
    seen.push(...inside.map((path) => [...path]));
    const found = tableToMake(inside, name);
    if (found?.namespace[0] === place) return found;
  }
  return undefined;
}

type PlanAnswer = z.output<(typeof planAnswer)['schema']>;

function answerOf({ copy, form, definition, suggested, rows }: RowImportPreview, wanted: string | undefined): PlanAnswer {
  const mode = form?.modes.find(({ id }) => id === wanted) ?? form?.modes[0];
  return {
    ...(copy?.rows === undefined ? {} : { rows: copy.rows.rows }),
    ...(copy?.rowsThere === undefined ? {} : { rowsThere: copy.rowsThere.rows }),
    ...(mode === undefined ? {} : { mode: mode.id, request: mode.text }),
    ...(definition === undefined ? {} : { definition }),
    ...(copy?.leftOut === undefined ? {} : { leftOut: copy.leftOut.map((one) => ({ ...one, names: [...one.names] })) }),
    asText: (suggested ?? []).filter(({ type }) => type === 'text').map(({ source }) => source),
    problems: rows.flatMap(({ line, problem }) => (problem === undefined ? [] : [{ line, message: problem.message }])),
    ...(copy?.confirm === undefined ? {} : { confirm: copy.confirm }),
  };
}

function textOf({ rows, rowsThere, mode, request, definition, leftOut = [], asText, problems, confirm }: PlanAnswer): string {
  const lines = [
    `Rows to copy: ${rows ?? 'unknown'}`,
    ...(rowsThere === undefined ? [] : [`Rows there: ${rowsThere}`]),
    ...(mode === undefined || request === undefined ? [] : [`Mode: ${mode}`, request]),
    ...(definition === undefined ? [] : ['Created by:', definition]),
    ...leftOut.map(leftOutText),
    ...(asText.length === 0 ? [] : [`Becomes text: ${asText.join(', ')}`]),
    `Of the first rows, ${problems.length} would be rejected${problems.length === 0 ? ', as far as can be seen before' : ''}.`,
    ...problems.slice(0, 20).map(({ line, message }) => `Row ${line}: ${message}`),
    ...(confirm === undefined ? [] : [`To copy into this table, give --confirm ${typedOr(confirm, 'NAME')}`]),
  ];
  return `${lines.map((line) => visibleText(line, 'data')).join('\n')}\n`;
}

const PARTS = {
  identity: 'numbers that the database gives (identity)',
  computed: 'computed columns, which become plain ones',
  defaults: 'defaults',
  foreignKeys: 'foreign keys',
  indexes: 'indexes',
  triggers: 'triggers',
  comments: 'comments',
} as const;

function leftOutText({ part, names, count }: z.output<typeof leftOutSchema>): string {
  const more = count - names.length;
  const listed = names.map((name) => visibleText(name)).join(', ');
  return `Not copied: ${PARTS[part]}: ${listed}${more === 0 ? '' : ` and ${more} more`}`;
}
