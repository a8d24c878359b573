import { visibleText } from '@tabularium/sdk';
import type { Cell, SearchAnswer, SearchHit, Sort, TaggedCell } from '@tabularium/sdk';
import type { Command } from 'commander';
import { z } from 'zod';
import { MOST_SEARCHED_HITS, searchTableEventSchema } from '../../common/searchApi.ts';
import { tableName } from '../../common/tableName.ts';
import { findConnection } from '../findConnection.ts';
import { textTable } from '../output/table.ts';
import { write, writeJson } from '../terminal.ts';
import { UsageError } from '../usageError.ts';
import { addSort } from './addSort.ts';
import { columnList } from './columnList.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { follow, progressNotifier, run, wholeNumber } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';

const DEFAULT_HITS = 10;
/** The farthest hit that can be asked for. */
const MOST_OFFSET = 1_000_000;

const searchAnswer = new JsonAnswer(
  z.object({
    /** Groups, where hits are grouped. */
    found: z.number(),
    /** The rows of all groups, where hits are grouped. */
    foundRows: z.number().optional(),
    /** The best first. A document is as the database returns it: numbers have all their digits. */
    hits: z.array(
      z.object({
        key: z.array(z.json()),
        score: z.string().optional(),
        marks: z.array(z.string()).optional(),
        /** The table of the row, where it is one of --also-in. */
        table: z.string().optional(),
        document: z.json(),
      }),
    ),
    facets: z.array(
      z.object({
        column: z.string(),
        values: z.array(z.object({ value: z.string(), rows: z.number(), between: z.tuple([z.string(), z.string()]).optional() })),
      }),
    ),
    /** The server stopped before it had looked at everything. */
    cutOff: z.literal(true).optional(),
  }),
);

interface SearchOptions extends JsonOption {
  readonly by?: readonly string[];
  readonly facets?: readonly string[];
  readonly alsoIn?: readonly string[];
  readonly filter?: string;
  readonly sort?: readonly Sort[];
  readonly option?: readonly OptionText[];
  readonly limit: number;
  readonly offset: number;
}

interface OptionText {
  readonly id: string;
  readonly value: string;
}

export function addSearchCommand(program: Command, context: ProgramContext): void {
  program
    .command('search')
    .description('find rows of a table by words, the best first')
    .argument('<connection>', 'name or id')
    .argument('<table>', 'its name, as "tables" prints it')
    .argument('<text>', 'the words; "" for every row')
    .option('--by <fields>', 'where to look, most important first, separated by commas; "title:3" gives a weight', columnList)
    .option('--facets <columns>', 'count the values of these columns, separated by commas', columnList)
    .option('--also-in <tables>', 'other tables, separated by commas; the hits of all are ranked together', columnList)
    .option('--limit <n>', 'hits at most', wholeNumber('--limit', 1, MOST_SEARCHED_HITS), DEFAULT_HITS)
    .option('--offset <n>', 'hits to leave out at the beginning', wholeNumber('--offset', 0, MOST_OFFSET), 0)
    .option('--filter <text>', "only what this expression lets pass, in the database's own language")
    .option('--sort <column[:desc]>', 'sort by a column instead of by rank; repeat it for further ones', addSort)
    .option('--option <id=value>', "an option of the driver's search, such as num_typos=0; repeat it for further ones", addOption)
    .addOption(searchAnswer)
    .action(async (connection: string, table: string, text: string, options: SearchOptions) => {
      const answer = await searchTable(context, connection, table, text, options);
      const { stdout, stderr } = context.terminal;
      if (options.json === true) return writeJson(stdout, jsonText(answer));
      const isTogether = (options.alsoIn ?? []).length > 0;
      await write(
        stdout,
        textTable(
          [
            { title: '#', align: 'right' },
            ...(isTogether ? [{ title: 'Table', align: 'left' } as const] : []),
            { title: 'Key', align: 'left' },
            { title: 'Score', align: 'right' },
            { title: 'Found in', align: 'left' },
          ],
          answer.hits.map((hit, place) => [
            String(options.offset + place + 1),
            ...(isTogether ? [hit.table === undefined ? table : tableName(hit.table)] : []),
            keyText(hit),
            hit.score ?? '',
            foundIn(hit),
          ]),
        ),
      );
      for (const { column, values } of answer.facets) {
        await write(
          stdout,
          `\n${textTable(
            [
              { title: column, align: 'left' },
              { title: 'Hits', align: 'right' },
            ],
            values.map(({ value, rows }) => [value, String(rows)]),
          )}`,
        );
      }
      await write(
        stderr,
        `${foundText(answer)}${answer.isCutOff ? ', cut off: the server stopped before it had looked at everything' : ''}\n`,
      );
    });
}

async function searchTable(
  context: ProgramContext,
  connection: string,
  table: string,
  text: string,
  { by = [], facets = [], alsoIn = [], filter, sort = [], option = [], limit, offset, json }: SearchOptions,
): Promise<SearchAnswer> {
  const notify = progressNotifier(context, json === true ? { json } : {});
  let answer: SearchAnswer | undefined;
  await run(context, searchTableEventSchema.optional(), async (api, calling) => {
    const { id: connectionId } = await findConnection(api, connection, calling);
    const events = await api.owner.search.mutate(
      {
        ...{ connectionId, table, text, limit, offset },
        fields: by.map(weighted),
        facets: [...facets],
        alsoIn: [...alsoIn],
        sorts: [...sort],
        options: [...option],
        ...(filter === undefined ? {} : { filter }),
      },
      calling,
    );
    return follow(events, searchTableEventSchema, async (event) => {
      if (event.type === 'install') await notify(event.progress);
      if (event.type === 'answer') answer = event.answer;
    });
  });
  if (answer === undefined) throw new Error('The search ended without an answer.');
  return answer;
}

/** `title:3`; a name with a colon of its own is taken whole unless digits end it. */
function weighted(text: string): { readonly name: string; readonly weight?: number } {
  const [, name, weight] = /^(.+):(\d{1,6})$/s.exec(text) ?? [];
  if (name !== undefined) return { name, weight: Number(weight) };
  const [, field = '', wrong] = /^(.+):([-+]?[\d.,]+(?:[eE][-+]?\d+)?)$/s.exec(text) ?? [];
  if (wrong === undefined) return { name: text };
  throw new UsageError(
    `--by: the weight of "${visibleText(field, 'name')}" is "${wrong}". Give a whole number of at most 6 digits, such as "${visibleText(field, 'name')}:3".`,
  );
}

function addOption(text: string, before: readonly OptionText[] = []): readonly OptionText[] {
  const place = text.indexOf('=');
  if (place < 1) throw new UsageError('--option takes the id of an option, "=" and its value.');
  return [...before, { id: text.slice(0, place), value: text.slice(place + 1) }];
}

function isTagged(cell: Cell): cell is TaggedCell {
  return Array.isArray(cell);
}

function keyText({ key }: SearchHit): string {
  return key.map((cell) => (isTagged(cell) ? (cell[1] ?? '') : String(cell))).join(', ');
}

function foundText({ found, foundRows }: SearchAnswer): string {
  return foundRows === undefined ? `${found} found` : `${foundRows} found in ${found} ${found === 1 ? 'group' : 'groups'}`;
}

/** The places of the words, matches in brackets; the marks behind them. */
function foundIn({ highlights, marks }: SearchHit): string {
  const places = highlights.map(({ field, parts }) => {
    const first = parts.findIndex(({ isMatch }) => isMatch);
    const before = parts
      .slice(0, Math.max(first, 0))
      .map(({ text }) => text)
      .join('');
    const rest = parts.slice(Math.max(first, 0)).map(({ text, isMatch }) => (isMatch ? `[${text}]` : text));
    return `${shortEnd(field, MOST_FIELD)}: ${endOf(before)}${rest.join('')}`;
  });
  const labels = marks.map(({ label }) => `(${label})`);
  return [...places, ...labels].join('; ');
}

/** Characters of a field's name and of the text before the first match: a line of the table has to show the match as well. */
const MOST_FIELD = 20;
const MOST_BEFORE = 16;

function shortEnd(text: string, most: number): string {
  const characters = [...text.slice(0, 4 * most)];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

function endOf(text: string): string {
  const characters = [...text.slice(-4 * MOST_BEFORE)];
  return text.length === characters.join('').length && characters.length <= MOST_BEFORE
    ? text
    : `…${characters.slice(1 - MOST_BEFORE).join('')}`;
}

/** A document is in it as the database wrote it. */
function jsonText({ found, foundRows, hits, facets, isCutOff }: SearchAnswer): string {
  const lines = hits.map(({ key, score, marks, document, table }) => {
    const facts = {
      key: key.map((cell): string | number | boolean | null => (isTagged(cell) ? (cell[1] ?? null) : cell)),
      ...(score === undefined ? {} : { score }),
      ...(marks.length === 0 ? {} : { marks: marks.map(({ label }) => label) }),
      ...(table === undefined ? {} : { table: tableName(table) }),
    };
    return `${JSON.stringify(facts).slice(0, -1)},"document":${document.replaceAll(/[\r\n]/g, ' ')}}`;
  });
  const cutOff = isCutOff ? ',"cutOff":true' : '';
  return `{"found":${found}${foundRows === undefined ? '' : `,"foundRows":${foundRows}`},"hits":[${lines.join(',\n')}],"facets":${JSON.stringify(facets)}${cutOff}}\n`;
}
