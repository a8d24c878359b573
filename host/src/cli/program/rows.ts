import type { BatchColumn, Cell, RowCount, Sort } from '@tabularium/sdk';
import { ABSENT } from '@tabularium/sdk';
import type { Command } from 'commander';
import { z } from 'zod';
import { MOST_READ_ROWS, readRowsEventSchema } from '../../common/rowsApi.ts';
import { findConnection } from '../findConnection.ts';
import { cellJson, cellText } from '../output/cellText.ts';
import { textTable } from '../output/table.ts';
import { write, writeJson } from '../terminal.ts';
import { addSort } from './addSort.ts';
import { columnList } from './columnList.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { follow, progressNotifier, run, wholeNumber } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';

const DEFAULT_ROWS = 100;

const rowsAnswer = new JsonAnswer(
  z.object({
    columns: z.array(z.string()),
    /** In the order of the columns; null also where a row does not have the field. Numbers have all their digits. */
    rows: z.array(z.array(z.json())),
    /** All rows that pass the filter; null where the database has not said so. */
    total: z.number().nullable(),
    /** The total is an estimate. */
    estimated: z.literal(true).optional(),
  }),
);

interface RowsOptions extends JsonOption {
  readonly limit: number;
  readonly filter?: string;
  readonly sort?: readonly Sort[];
  readonly columns?: readonly string[];
}

/** Rows of one or more pages, under all columns that any of them had. */
interface ReadTable {
  readonly columns: BatchColumn[];
  readonly rows: (readonly Cell[])[];
  total: RowCount | undefined;
  more: boolean;
}

export function addRowsCommand(program: Command, context: ProgramContext): void {
  program
    .command('rows')
    .description('read rows of a table')
    .argument('<connection>', 'name or id')
    .argument('<table>', 'its name, as "tables" prints it')
    .option('--limit <n>', 'rows at most', wholeNumber('--limit', 1, MOST_READ_ROWS), DEFAULT_ROWS)
    .option('--filter <text>', "only what this expression lets pass, in the database's own language")
    .option('--sort <column[:desc]>', 'sort by a column; repeat it for further ones, most important first', addSort)
    .option('--columns <names>', 'only these columns, separated by commas (default: all)', columnList)
    .addOption(rowsAnswer)
    .action(async (connection: string, table: string, options: RowsOptions) => {
      const read = await readRows(context, connection, table, options);
      const { stdout, stderr } = context.terminal;
      if (options.json === true) return writeJson(stdout, jsonText(read));
      await write(
        stdout,
        textTable(
          read.columns.map(({ name, kind }) => ({
            title: name,
            align: kind === 'integer' || kind === 'decimal' ? 'right' : 'left',
          })),
          read.rows.map((row) => row.map((cell, index) => cellText(cell, read.columns[index]?.kind ?? 'text'))),
        ),
      );
      await write(stderr, countText(read));
    });
}

async function readRows(
  context: ProgramContext,
  connection: string,
  table: string,
  { limit, filter, sort = [], columns, json }: RowsOptions,
): Promise<ReadTable> {
  const notify = progressNotifier(context, json === true ? { json } : {});
  const read: ReadTable = { columns: [], rows: [], total: undefined, more: false };
  await run(context, readRowsEventSchema.optional(), async (api, calling) => {
    const { id: connectionId } = await findConnection(api, connection, calling);
    const events = await api.owner.rows.mutate(
      {
        connectionId,
        table,
        limit,
        sorts: [...sort],
        ...(filter === undefined ? {} : { filter }),
        ...(columns === undefined ? {} : { columns: [...columns] }),
      },
      calling,
    );
    return follow(events, readRowsEventSchema, async (event) => {
      if (event.type === 'install') await notify(event.progress);
      if (event.type !== 'page') return;
      addPage(read, event.columns, event.rows);
      read.total ??= event.total;
      read.more = event.more;
    });
  });
  return read;
}

/** Pages of some databases have the columns of their rows only: those of a later page come after the others. */
function addPage(read: ReadTable, columns: readonly BatchColumn[], rows: readonly (readonly Cell[])[]): void {
  const places = columns.map((column) => {
    const place = read.columns.findIndex(({ name }) => name === column.name);
    return place === -1 ? read.columns.push(column) - 1 : place;
  });
  for (const row of rows) {
    const cells = read.columns.map((): Cell => ABSENT);
    for (const [index, place] of places.entries()) cells[place] = row[index] ?? null;
    read.rows.push(cells);
  }
}

function jsonText({ columns, rows, total }: ReadTable): string {
  const lines = rows.map(
    (row) => `[${columns.map(({ kind }, index) => cellJson(row[index] ?? ABSENT, kind) ?? 'null').join(',')}]`,
  );
  const names = JSON.stringify(columns.map(({ name }) => name));
  const estimated = total?.exact === false ? ',"estimated":true' : '';
  return `{"columns":${names},"rows":[${lines.join(',\n')}],"total":${total?.rows ?? 'null'}${estimated}}\n`;
}

function countText({ rows, total, more }: ReadTable): string {
  const of = total === undefined || total.rows === rows.length ? '' : ` of ${total.exact ? '' : 'about '}${total.rows}`;
  const rest = of === '' && more ? ', and there are more' : '';
  return `${rows.length}${of} ${rows.length === 1 && of === '' ? 'row' : 'rows'}${rest}\n`;
}
