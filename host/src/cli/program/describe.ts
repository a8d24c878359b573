import { visibleText } from '@tabularium/sdk';
import type { TableDescription } from '@tabularium/sdk';
import { tableDescriptionSchema } from '@tabularium/sdk/protocol';
import type { Command } from 'commander';
import { z } from 'zod';
import { tableName } from '../../common/tableName.ts';
import { columnNote } from '../../common/columnNote.ts';
import { findConnection } from '../findConnection.ts';
import { understood } from '../ownerApi.ts';
import { textTable } from '../output/table.ts';
import { findTableOf } from './findTableOf.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { print, run } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';

const keySchema = z.object({
  /** Null where the database has no name for it. */
  name: z.string().nullable(),
  columns: z.array(z.string()),
  /** The table at the other end. */
  table: z.string(),
  tableColumns: z.array(z.string()),
});

const describedTableSchema = z.object({
  name: z.string(),
  kind: z.enum(['table', 'view', 'materializedView']),
  comment: z.string().optional(),
  columns: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      nullable: z.boolean(),
      /** The labels that the column takes, in the order of the database. */
      values: z.array(z.string()).optional(),
      /** The value of a new row that names none, in the database's own language. */
      default: z.string().optional(),
      generated: z
        .object({
          kind: z.enum(['identityAlways', 'identityByDefault', 'stored', 'virtual']),
          expression: z.string().optional(),
        })
        .optional(),
      comment: z.string().optional(),
      note: z.string().optional(),
    }),
  ),
  key: z.array(z.string()),
  /** The order of the rows where no sort is asked for. */
  defaultSort: z.array(z.object({ column: z.string(), direction: z.enum(['ascending', 'descending']) })).optional(),
  indexes: z
    .array(
      z.object({
        name: z.string(),
        /** Names of columns and expressions. */
        columns: z.array(
          z.object({
            name: z.string().optional(),
            expression: z.string().optional(),
            descending: z.boolean().optional(),
            /** Where rows without a value are, unless they are where the database usually has them. */
            nulls: z.enum(['first', 'last']).optional(),
            /** Such as a collation or an operator class. */
            detail: z.string().optional(),
          }),
        ),
        unique: z.boolean(),
        primary: z.boolean().optional(),
        includes: z.array(z.string()).optional(),
        method: z.string().optional(),
        where: z.string().optional(),
        note: z.string().optional(),
      }),
    )
    .optional(),
  foreignKeys: z.array(keySchema).optional(),
  /** Keys of other tables that refer to this one. */
  referredBy: z.array(keySchema).optional(),
  triggers: z
    .array(
      z.object({
        name: z.string(),
        timing: z.enum(['before', 'after', 'insteadOf']),
        events: z.array(z.enum(['insert', 'update', 'delete', 'truncate'])),
        columns: z.array(z.string()).optional(),
        level: z.enum(['row', 'statement']).optional(),
        enabled: z.boolean().optional(),
        when: z.string().optional(),
        calls: z.string().optional(),
        note: z.string().optional(),
      }),
    )
    .optional(),
  notes: z.array(z.string()),
});
type DescribedTable = z.output<typeof describedTableSchema>;

const describeAnswer = new JsonAnswer(describedTableSchema);

export function addDescribeCommand(program: Command, context: ProgramContext): void {
  program
    .command('describe')
    .description('show the structure of a table: columns, indexes, keys and triggers')
    .argument('<connection>', 'name or id')
    .argument('<table>', 'its name, as "tables" prints it')
    .addOption(describeAnswer)
    .action(async (connection: string, table: string, options: JsonOption) => {
      const described = await run(context, describedTableSchema, async (api, calling) => {
        const { id: connectionId } = await findConnection(api, connection, calling);
        const ref = await findTableOf(api, connectionId, table, calling);
        const description = await api.tables.describe.query({ connectionId, table: ref, reload: false }, calling);
        return answerOf(understood(tableDescriptionSchema, description));
      });
      await print(context, options, describeAnswer, described, () =>
        describedText(described, context.terminal.stdout.isTTY !== true),
      );
    });
}

function answerOf(description: TableDescription): DescribedTable {
  const { ref, kind, comment, columns, key, defaultSort, indexes, foreignKeys, referredBy, triggers, notes } = description;
  return describedTableSchema.parse({
    name: tableName(ref),
    kind,
    comment,
    columns: columns.map(({ name, type, nullable, values, default: preset, generated, comment: ofColumn, ...rest }) => ({
      name,
      type,
      nullable,
      values,
      default: preset,
      generated,
      comment: ofColumn,
      note: columnNote(rest),
    })),
    key,
    defaultSort,
    indexes,
    foreignKeys: foreignKeys?.map(({ name, columns: own, references, referencedColumns }) => ({
      name: name ?? null,
      columns: own,
      table: tableName(references),
      tableColumns: referencedColumns,
    })),
    referredBy: referredBy?.map(({ name, table, columns: others, referencedColumns }) => ({
      name: name ?? null,
      columns: referencedColumns,
      table: tableName(table),
      tableColumns: others,
    })),
    triggers,
    notes,
  });
}

const GENERATED = {
  identityAlways: 'numbered, always',
  identityByDefault: 'numbered by default',
  stored: 'computed and stored',
  virtual: 'computed when read',
} as const;

const KINDS = { table: 'table', view: 'view', materializedView: 'materialized view' } as const;

/** @param isWhole - whether no value is cut */
function describedText(table: DescribedTable, isWhole: boolean): string {
  const part = (titles: readonly string[], lines: readonly (readonly string[])[] | undefined): string =>
    partOf(titles, lines, isWhole);
  const {
    name: ofTable,
    kind,
    comment,
    columns,
    key,
    defaultSort = [],
    indexes,
    foreignKeys,
    referredBy,
    triggers,
    notes,
  } = table;
  const sorted = defaultSort.map(({ column, direction }) => (direction === 'descending' ? `${column} descending` : column));
  const parts = [
    [
      `${ofTable}, a ${KINDS[kind]}`,
      ...(comment === undefined ? [] : [`Comment: ${comment}`]),
      ...(key.length === 0 ? [] : [`Key: ${key.join(', ')}.`]),
      ...(sorted.length === 0 ? [] : [`Without a sort, rows come by ${sorted.join(', ')}.`]),
      ...notes,
    ]
      // Line breaks of a name or a comment would begin lines that look like others of these.
      .map((line) => `${visibleText(line, 'name', Infinity)}\n`)
      .join(''),
    part(
      ['COLUMN', 'TYPE', 'NULL', 'DEFAULT', 'NOTE'],
      columns.map(({ name, type, nullable, values, generated, comment: said, note, default: preset }) => [
        name,
        type,
        nullable ? 'yes' : 'no',
        generated === undefined
          ? (preset ?? '')
          : [GENERATED[generated.kind], ...(generated.expression === undefined ? [] : [generated.expression])].join(': '),
        [said, values === undefined ? undefined : `One of ${values.map((value) => JSON.stringify(value)).join(', ')}.`, note]
          .filter((one) => one !== undefined)
          .join(' '),
      ]),
    ),
    part(
      ['INDEX', 'ON', 'KIND', 'ONLY WHERE'],
      indexes?.map(({ name, columns: on, unique, primary, includes = [], method, where, note }) => [
        name,
        [on.map(indexedText).join(', '), ...(includes.length === 0 ? [] : [`stores ${includes.join(', ')}`])].join('; '),
        [primary === true ? 'primary key' : unique ? 'unique' : '', method ?? '', note ?? '']
          .filter((one) => one !== '')
          .join(', '),
        where ?? '',
      ]),
    ),
    part(['FOREIGN KEY', 'COLUMNS', 'REFERS TO'], foreignKeys?.map(keyLine)),
    part(['REFERRED TO BY', 'COLUMNS', 'FROM'], referredBy?.map(keyLine)),
    part(
      ['TRIGGER', 'FIRES', 'ONLY WHERE', 'RUNS', 'NOTE'],
      triggers?.map(({ name, timing, events, columns: on = [], level, enabled, when, calls, note }) => [
        name,
        [
          `${timing === 'insteadOf' ? 'instead of' : timing} ${events.join(' or ')}${on.length === 0 ? '' : ` of ${on.join(', ')}`}`,
          ...(level === undefined ? [] : [`for each ${level}`]),
          ...(enabled === false ? ['switched off'] : []),
        ].join(', '),
        when ?? '',
        calls ?? '',
        note ?? '',
      ]),
    ),
  ];
  return parts.filter((text) => text !== '').join('\n');
}

function indexedText({
  name,
  expression = '',
  descending,
  nulls,
  detail,
}: NonNullable<DescribedTable['indexes']>[number]['columns'][number]): string {
  return [
    name ?? expression,
    ...(detail === undefined ? [] : [detail]),
    ...(descending === true ? ['descending'] : []),
    ...(nulls === undefined ? [] : [`nulls ${nulls}`]),
  ].join(' ');
}

function keyLine({ name, columns, table, tableColumns }: z.output<typeof keySchema>): readonly string[] {
  return [name ?? '', columns.join(', '), `${table} (${tableColumns.join(', ')})`];
}

function partOf(titles: readonly string[], lines: readonly (readonly string[])[] | undefined, isWhole: boolean): string {
  if (lines === undefined || lines.length === 0) return '';
  return textTable(
    titles.map((title) => ({ title })),
    // Expressions have line breaks for their writers; those of a name are marked.
    lines.map(([name = '', ...line]) => [name, ...line.map((text) => text.replaceAll(/\s+/g, ' '))]),
    isWhole,
  );
}
