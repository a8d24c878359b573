import { visibleText } from '@tabularium/sdk';
import type { TableRef } from '@tabularium/sdk';
import type { Command } from 'commander';
import { z } from 'zod';
import {
  DEFAULT_ROWS_PER_TABLE,
  DEFAULT_SECONDS_PER_TABLE,
  MOST_ROWS_PER_TABLE,
  MOST_SECONDS_PER_TABLE,
  findNamedRowsEventSchema,
} from '../../common/findingRows.ts';
import type { FindNamedRowsEvent, FoundCell, FoundRow, TableOutcome } from '../../common/findingRows.ts';
import { tableName } from '../../common/tableName.ts';
import { findConnection } from '../findConnection.ts';
import { write, writeJson } from '../terminal.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { follow, progressNotifier, run, wholeNumber } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';

const cellsSchema = z.record(z.string(), z.string());

const findAnswer = new JsonAnswer(
  z.object({
    /** Those with rows that hold the text, in the order of the list of tables. */
    tables: z.array(
      z.object({
        table: z.string(),
        /** The cells of the key, and those that hold the text: long ones are cut to the surroundings of the text. */
        rows: z.array(z.object({ key: cellsSchema, found: cellsSchema })),
        /** The table has more such rows. */
        more: z.boolean(),
      }),
    ),
    leftOut: z.array(
      z.object({ table: z.string(), reason: z.enum(['noColumns', 'tooSlow', 'alias', 'part', 'failed']), message: z.string() }),
    ),
    /** Columns that could hold the text and were not compared; at most 20 of each table are named. */
    uncompared: z.array(z.object({ table: z.string(), columns: z.array(z.string()), count: z.number() })),
    /** Tables that answered. */
    asked: z.number(),
    /** Tables that were not asked, because the connection was lost. */
    notAsked: z.array(z.string()),
  }),
);
type FindAnswer = z.output<(typeof findAnswer)['schema']>;

interface FindOptions extends JsonOption {
  readonly table?: readonly string[];
  readonly namespace?: readonly string[];
  readonly exact?: true;
  readonly matchCase?: true;
  readonly limit: number;
  readonly timeLimit: number;
}

const addName = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

export function addFindCommand(program: Command, context: ProgramContext): void {
  program
    .command('find')
    .description('find the rows of all tables that hold a text')
    .argument('<connection>', 'name or id')
    .argument('<text>', 'the text: an e-mail address, a number, an id; every character means itself')
    .option('--table <name>', 'only in this table, as "tables" prints it; repeat it for further ones', addName)
    .option('--namespace <name>', 'only in the tables of this schema or database; repeat it for further ones', addName)
    .option('--exact', 'only values that are the whole text')
    .option('--match-case', 'with regard to letter case')
    .option('--limit <n>', 'rows of each table at most', wholeNumber('--limit', 1, MOST_ROWS_PER_TABLE), DEFAULT_ROWS_PER_TABLE)
    .option(
      '--time-limit <seconds>',
      'leave out a table that takes longer',
      wholeNumber('--time-limit', 1, MOST_SECONDS_PER_TABLE),
      DEFAULT_SECONDS_PER_TABLE,
    )
    .addOption(findAnswer)
    .action(async (connection: string, text: string, options: FindOptions) => {
      const { stdout, stderr } = context.terminal;
      const found = new FoundTables();
      const print = async (): Promise<void> => {
        if (options.json === true) return;
        for (const { table, event } of found.take()) {
          const { outcome } = event;
          if (outcome.outcome !== 'found') continue;
          context.beginAnswer();
          await write(stdout, foundText(table, outcome));
        }
      };
      const end = async (): Promise<void> => {
        if (options.json === true) {
          context.beginAnswer();
          return writeJson(stdout, `${JSON.stringify(found.answer())}\n`);
        }
        await write(stderr, summaryText(found.answer()));
      };
      try {
        await findRows(context, connection, text, options, async (event) => {
          found.note(event);
          await print();
        });
      } catch (error) {
        // The rows were found, whatever happened to the connection afterwards.
        if (found.hasAnswers && !context.signal.aborted) await end();
        throw error;
      }
      await end();
    });
}

async function findRows(
  context: ProgramContext,
  connection: string,
  text: string,
  { table = [], namespace = [], exact, matchCase, limit, timeLimit, json }: FindOptions,
  onEvent: (event: FindNamedRowsEvent) => Promise<void>,
): Promise<void> {
  const notify = progressNotifier(context, json === true ? { json } : {});
  await run(context, findNamedRowsEventSchema.optional(), async (api, calling) => {
    const { id: connectionId } = await findConnection(api, connection, calling);
    const input = {
      ...{ connectionId, text, tables: [...table], namespaces: [...namespace] },
      match: exact === true ? ('exact' as const) : ('contains' as const),
      matchCase: matchCase === true,
      rowsPerTable: limit,
      secondsPerTable: timeLimit,
    };
    return follow(await api.owner.find.mutate(input, calling), findNamedRowsEventSchema, async (event) => {
      if (event.type === 'install') await notify(event.progress);
      else await onEvent(event);
    });
  });
}

type TableEvent = Extract<FindNamedRowsEvent, { type: 'table' }>;

/** The answers of the tables, in the tables' order: they come as each table answers. */
class FoundTables {
  #tables: readonly TableRef[] = [];
  readonly #events = new Map<number, TableEvent>();
  #taken = 0;

  get hasAnswers(): boolean {
    return this.#events.size > 0;
  }

  note(event: FindNamedRowsEvent): void {
    if (event.type === 'tables') this.#tables = event.tables;
    if (event.type === 'table') this.#events.set(event.place, event);
  }

  /** The answers that have none missing before them, each once. */
  take(): readonly { readonly table: string; readonly event: TableEvent }[] {
    const ready: { table: string; event: TableEvent }[] = [];
    for (; this.#taken < this.#tables.length; this.#taken += 1) {
      const event = this.#events.get(this.#taken);
      if (event === undefined) break;
      ready.push({ table: this.#name(this.#taken), event });
    }
    return ready;
  }

  answer(): FindAnswer {
    const answered = this.#tables.flatMap((_table, place) => {
      const event = this.#events.get(place);
      return event === undefined ? [] : [{ table: this.#name(place), event }];
    });
    return {
      tables: answered.flatMap(({ table, event: { outcome } }) =>
        outcome.outcome === 'found' ? [{ table, rows: outcome.rows.map((row) => rowFacts(row)), more: outcome.hasMore }] : [],
      ),
      leftOut: answered.flatMap(({ table, event: { outcome } }) => {
        const why = reasonOf(outcome);
        return why === undefined ? [] : [{ table, ...why }];
      }),
      uncompared: answered.flatMap(({ table, event: { uncompared, outcome } }) =>
        uncompared === undefined || outcome.outcome === 'noColumns'
          ? []
          : [{ table, columns: [...uncompared.names], count: uncompared.count }],
      ),
      asked: answered.length,
      notAsked: this.#tables.flatMap((_table, place) => (this.#events.has(place) ? [] : [this.#name(place)])),
    };
  }

  #name(place: number): string {
    const table = this.#tables[place];
    return table === undefined ? '' : tableName(table);
  }
}

function reasonOf(outcome: TableOutcome): Pick<FindAnswer['leftOut'][number], 'reason' | 'message'> | undefined {
  switch (outcome.outcome) {
    case 'found':
    case 'nothing':
      return undefined;
    case 'noColumns':
      return { reason: 'noColumns', message: 'None of its columns can be compared with the text.' };
    case 'tooSlow':
      return { reason: 'tooSlow', message: `It took longer than ${outcome.seconds} s.` };
    case 'alias':
      return { reason: 'alias', message: `It is an alias of ${tableName(outcome.of)}.` };
    case 'part':
      return { reason: 'part', message: `It is a part of ${tableName(outcome.of)}.` };
    case 'failed':
      return { reason: 'failed', message: outcome.error.message };
  }
}

const plainText = ({ parts }: FoundCell): string => parts.map(({ text }) => text).join('');

function rowFacts({ key, cells }: FoundRow): FindAnswer['tables'][number]['rows'][number] {
  const facts = (list: readonly FoundCell[]): Record<string, string> =>
    Object.fromEntries(list.map((cell) => [cell.column, plainText(cell)]));
  return { key: facts(key), found: facts(cells) };
}

/** One line for the table, and one for each row: its key, and the places of the text in brackets. */
function foundText(table: string, { rows, hasMore }: Extract<TableOutcome, { outcome: 'found' }>): string {
  const lines = rows.map(({ key, cells, moreCells }) => {
    const id = key.map((cell) => `${visibleText(cell.column, 'name')}=${visibleText(plainText(cell))}`).join(' ');
    const places = cells.map(
      ({ column, parts }) =>
        `${visibleText(column, 'name')}: ${visibleText(parts.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join(''))}`,
    );
    const more = moreCells === 0 ? '' : ` (+${moreCells})`;
    return `  ${[id, places.join(' | ')].filter((part) => part !== '').join('  ')}${more}\n`;
  });
  return `${visibleText(table)}: ${rows.length}${hasMore ? '+' : ''} ${rows.length === 1 && !hasMore ? 'row' : 'rows'}\n${lines.join('')}`;
}

/** Messages of tables that are printed one by one. */
const MOST_REASONS = 20;

function summaryText({ tables, leftOut, uncompared, asked, notAsked }: FindAnswer): string {
  const reasons = leftOut
    .slice(0, MOST_REASONS)
    .map(({ table, message }) => `Left out: ${visibleText(table)}: ${visibleText(message)}\n`);
  const more = leftOut.length > MOST_REASONS ? `Left out: ${leftOut.length - MOST_REASONS} more\n` : '';
  const columns = uncompared.reduce((sum, { count }) => sum + count, 0);
  const lines = [
    `Found in ${tables.length} of ${asked} ${asked === 1 ? 'table' : 'tables'}\n`,
    ...reasons,
    more,
    columns === 0
      ? ''
      : `Not compared: ${columns} ${columns === 1 ? 'column' : 'columns'} of ${uncompared.length} ${uncompared.length === 1 ? 'table' : 'tables'} (--json names them)\n`,
    notAsked.length === 0
      ? ''
      : `Not asked: ${notAsked
          .slice(0, MOST_REASONS)
          .map((name) => visibleText(name))
          .join(', ')}${notAsked.length > MOST_REASONS ? `, ${notAsked.length - MOST_REASONS} more` : ''}\n`,
  ];
  return lines.join('');
}
