import { DriverError, isAbsent } from '@tabularium/sdk';
import type { CallOptions, Cell, SearchAnswer, SearchFacet, SearchForm, SearchHit, SearchRequest } from '@tabularium/sdk';
import { passing } from './filtering.ts';
import { placed } from './placements.ts';
import { ordered } from './reading.ts';
import { recordedQueries } from './recordings.ts';
import type { ReadParts } from './reading.ts';
import type { Row, Table, World } from './world.ts';

const MOST_WEIGHT = 10;

const text = (cell: Cell): string => (cell === null || isAbsent(cell) ? '' : String(Array.isArray(cell) ? cell[1] : cell));
const refused = (field: string, message: string): DriverError =>
  new DriverError('INVALID_INPUT', message, { details: { field } });

function formOf({ columns }: Table): SearchForm {
  return {
    fields: columns.filter(({ kind }) => kind === 'text').map(({ name }) => ({ name, isDefault: true })),
    mostWeight: MOST_WEIGHT,
    facets: columns.filter(({ kind }) => kind === 'boolean').map(({ name }) => name),
    options: [
      {
        id: 'words',
        label: 'Words',
        group: 'Matching',
        type: 'choice',
        default: 'any',
        choices: [
          { value: 'any', label: 'Any' },
          { value: 'all', label: 'All' },
        ],
      },
      { id: 'parts', label: 'Parts of words', group: 'Matching', type: 'switch', default: true },
      { id: 'least', label: 'Least score', group: 'Ranking', type: 'number', default: 0, minimum: 0, maximum: 100 },
      { id: 'note', label: 'Note', group: 'Ranking', type: 'text', default: '' },
    ],
    mostTables: 3,
  };
}

/** The options as they were chosen. @throws DriverError for one that is not there, and for a value that does not fit */
function chosen(form: SearchForm, given: SearchRequest['options']): { words: string; parts: boolean; least: number } {
  for (const [id, value] of Object.entries(given)) {
    const option = form.options.find((one) => one.id === id);
    if (option === undefined) throw refused(id, `There is no option “${id}”.`);
    const fits =
      option.type === 'choice' ? option.choices.some((choice) => choice.value === value) : typeof value === typeof option.default;
    if (!fits) throw refused(id, `The option “${id}” has no value “${String(value)}”.`);
  }
  const { words = 'any', parts = true, least = 0 } = given;
  return { words: String(words), parts: parts === true, least: Number(least) };
}

/** Points of a row for the words: each field's weight for each word that is in it. */
function scoreOf(
  row: Row,
  columns: Table['columns'],
  fields: SearchRequest['fields'],
  words: readonly string[],
  parts: boolean,
): number[] {
  return words.map((word) =>
    fields.reduce((points, { name, weight = 1 }) => {
      const value = text(row[columns.findIndex((column) => column.name === name)] ?? null).toLowerCase();
      const found = parts ? value.includes(word) : value.split(/\s+/).includes(word);
      return found ? points + weight : points;
    }, 0),
  );
}

/** The hits of several tables, ranked together. */
async function together(search: SearchFacet['search'], request: SearchRequest, call: CallOptions): Promise<SearchAnswer> {
  const { alsoIn = [], ...alone } = request;
  const names = [request.table, ...alsoIn].map((ref) => JSON.stringify(ref));
  if (new Set(names).size < names.length) throw refused('alsoIn', 'A table is there twice.');
  if (request.facets.length > 0) throw refused('alsoIn', 'Values are counted in one table.');
  const whole = { ...alone, offset: 0, limit: 250 };
  const first = await search(whole, call);
  const others = await Promise.all(
    alsoIn.map(async (table) => {
      const answer = await search({ ...whole, table, fields: [] }, call);
      return { ...answer, hits: answer.hits.map((hit) => ({ ...hit, table })) };
    }),
  );
  const all = [first, ...others];
  const hits = all.flatMap((answer) => answer.hits).toSorted((one, other) => Number(other.score) - Number(one.score));
  return {
    ...first,
    found: all.reduce((sum, { found }) => sum + found, 0),
    hits: hits.slice(request.offset, request.offset + request.limit),
  };
}

export function createSearch(world: World, parts: ReadParts): SearchFacet {
  const facet: SearchFacet = {
    async form(ref, options) {
      await world.ready(options);
      return formOf(world.table(ref));
    },
    async search(request, call) {
      await world.ready(call);
      if ((request.alsoIn ?? []).length > 0) return together(facet.search, request, call);
      const table = world.table(request.table);
      const form = formOf(table);
      const options = chosen(form, request.options);
      for (const { name } of request.fields) {
        if (!form.fields.some((one) => one.name === name)) throw refused(name, `Words cannot be looked for in “${name}”.`);
      }
      for (const name of request.facets) if (!form.facets.includes(name)) throw refused(name, `“${name}” cannot be counted.`);
      const fields = request.fields.length > 0 ? request.fields : form.fields.map(({ name }) => ({ name }));
      const words = request.text
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== '');
      const { rows, dropped } = ordered(table, passing(table, request.filter, parts), request.sorts, parts);
      const scored = rows.map((row) => ({ row, points: scoreOf(row, table.columns, fields, words, options.parts) }));
      const found = scored
        .filter(
          ({ points }) =>
            words.length === 0 || (options.words === 'all' ? points.every((one) => one > 0) : points.some((one) => one > 0)),
        )
        .map(({ row, points }) => ({ row, score: points.reduce((sum, one) => sum + one, 0) }))
        .filter(({ score }) => score >= options.least);
      const ranked =
        request.sorts.length > 0
          ? found
          : placed(
              world,
              request.table,
              request.text,
              found.toSorted((one, other) => other.score - one.score),
              ({ row }) => keyOfRow(row, table, parts),
            );
      return {
        found: ranked.length,
        outOf: table.rows.length,
        isCutOff: false,
        hits: ranked
          .slice(request.offset, request.offset + request.limit)
          .map(({ row, score }) => hitOf(row, score, table, parts)),
        facets: request.facets.map((column) => ({
          column,
          values: countsOf(
            ranked.map(({ row }) => row),
            column,
            table,
          ),
        })),
        leftOut: [],
        droppedSorts: dropped,
        request: { method: 'GET', path: `/search?q=${encodeURIComponent(request.text)}` },
        code: [],
        object: { kind: 'note', document: JSON.stringify({ text: JSON.stringify(request.options) }) },
        notes: [],
      };
    },
    async recordedQueries(request, options) {
      await world.ready(options);
      return recordedQueries(world, request);
    },
  };
  return facet;
}

function hitOf(row: Row, score: number, table: Table, parts: ReadParts): SearchHit {
  const document = Object.fromEntries(table.columns.map(({ name }, place) => [name, text(row[place] ?? null)]));
  return {
    key: keyOfRow(row, table, parts),
    document: JSON.stringify(document),
    highlights: [],
    score: String(score),
    explanation: [],
    marks: [],
  };
}

function keyOfRow(row: Row, { columns, key }: Table, parts: ReadParts): readonly Cell[] {
  const cellOf = (name: string): Cell => {
    const place = columns.findIndex((column) => column.name === name);
    const column = columns[place];
    return column === undefined ? null : parts.cell(row[place] ?? null, column);
  };
  return key.map(cellOf);
}

function countsOf(rows: readonly Row[], column: string, { columns }: Table): { value: string; rows: number }[] {
  const place = columns.findIndex(({ name }) => name === column);
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = text(row[place] ?? null);
    if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return Array.from(counts, ([value, count]) => ({ value, rows: count })).toSorted((one, other) => other.rows - one.rows);
}
