import { DriverError } from '@tabularium/sdk';
import type { BatchColumn, CallOptions, Cell, ColumnKind, ConsoleFacet, ResultEvent } from '@tabularium/sdk';
import type { Series } from './answer.ts';
import { cellOf } from './cells.ts';
import { Numeral } from './exactJson.ts';
import type { InfluxServer } from './influxServer.ts';
import { identifier, isQuotable } from './influxql.ts';
import { namesIn } from './measurement.ts';
import { classifyStatement } from './statement.ts';
import { tokenLists } from './tokens.ts';

/** The values of one event, as JSON: far below what an event may hold. */
const EVENT_CHARACTERS = 1_000_000;
const MAX_EXAMPLES = 5;

/** An answer names no types: the values that have come say what a column holds, and later ones of another kind say so themselves. */
function kindOf({ columns, rows }: Series, index: number): ColumnKind {
  const values = rows.map((row) => row[index] ?? null).filter((value) => value !== null);
  if (values.length === 0) return 'text';
  if (values.every((value) => value instanceof Numeral)) {
    const isWhole = values.every(({ digits }) => /^-?\d+$/.test(digits));
    if (isWhole && index === 0 && columns[0] === 'time') return 'timestamp';
    return isWhole ? 'integer' : 'decimal';
  }
  return values.every((value) => typeof value === 'boolean') ? 'boolean' : 'text';
}

/** Series of one shape are one result set: those of a GROUP BY differ in their tags only, which become columns. */
const shapeOf = ({ name, tags, columns }: Series): string => JSON.stringify([name, tags.map(([tag]) => tag), columns]);

/** Cells of some rows at a time, so that no event grows large. */
function* rowsOf(series: Series, columns: readonly BatchColumn[], most: number): Generator<readonly (readonly Cell[])[]> {
  const tags = series.tags.map(([, value]) => value);
  let rows: Cell[][] = [];
  let characters = 0;
  for (const row of series.rows.slice(0, most)) {
    const cells = [...tags, ...row].map((value, index) => cellOf(value, columns[index]?.kind ?? 'text'));
    rows.push(cells);
    characters += JSON.stringify(cells).length;
    if (characters < EVENT_CHARACTERS) continue;
    yield rows;
    rows = [];
    characters = 0;
  }
  if (rows.length > 0) yield rows;
}

/** The console: one statement of InfluxQL at a time. */
export function createConsole(
  server: InfluxServer,
  begin: (options: CallOptions) => AbortSignal,
  database: string | undefined,
): ConsoleFacet {
  async function* run(
    statement: string,
    options: { readonly maxRows: number; readonly signal: AbortSignal },
  ): AsyncGenerator<ResultEvent> {
    const signal = begin(options);
    const { effect, holdsSecret = false } = classifyStatement(statement, database);
    const began = performance.now();
    let open:
      { readonly shape: string; readonly columns: readonly BatchColumn[]; readonly label: string; rows: number } | undefined;
    const messages: string[] = [];
    const done = (truncated: boolean): ResultEvent => ({
      type: 'done',
      truncated,
      milliseconds: performance.now() - began,
      ...(messages.length === 0 ? {} : { status: messages.join(' ').slice(0, 1_000) }),
      ...(open === undefined || open.label === '' ? {} : { label: open.label.slice(0, 200) }),
    });
    const parts = server.parts(statement, {
      signal,
      isRead: effect === 'read',
      holdsSecret,
      ...(database === undefined ? {} : { database }),
    });
    for await (const part of parts) {
      messages.push(...part.messages);
      for (const series of part.series) {
        const shape = shapeOf(series);
        if (open?.shape !== shape) {
          if (open !== undefined) yield done(false);
          const columns: BatchColumn[] = [
            ...series.tags.map(([name]) => ({ name, kind: 'text' as const })),
            ...series.columns.map((name, index) => ({ name, kind: kindOf(series, index) })),
          ];
          open = { shape, columns, label: series.name, rows: 0 };
          yield { type: 'rowsBegin', columns };
        }
        const room = options.maxRows - open.rows;
        for (const rows of rowsOf(series, open.columns, room)) {
          open.rows += rows.length;
          yield { type: 'rows', rows };
        }
        if (series.rows.length > room) {
          // The rest, of this result set and of others, is left out: the server would send rows for as long as it has points.
          yield done(true);
          return;
        }
      }
    }
    yield done(false);
  }

  return {
    split: (text) =>
      tokenLists(text).map(({ tokens }) => {
        const start = tokens[0]?.start ?? 0;
        const end = tokens.at(-1)?.end ?? start;
        return { text: text.slice(start, end), start, end };
      }),
    async classify(statement, options) {
      options.signal.throwIfAborted();
      return classifyStatement(statement, database);
    },
    run,
    async examples(options) {
      const signal = begin(options);
      const statements = ['SHOW DATABASES'];
      for (const name of namesIn(await server.read('SHOW DATABASES', signal), 'name').filter(isQuotable)) {
        if (statements.length >= MAX_EXAMPLES) break;
        try {
          const [measurement] = namesIn(await server.read(`SHOW MEASUREMENTS ON ${identifier(name)} LIMIT 1`, signal), 'name');
          if (measurement !== undefined && isQuotable(measurement)) {
            statements.push(`SELECT * FROM ${identifier(name)}..${identifier(measurement)} ORDER BY time DESC LIMIT 100`);
          }
        } catch (error) {
          // A database that this user may only write to has no example.
          if (!(error instanceof DriverError) || error.code !== 'ACCESS_REFUSED') throw error;
        }
      }
      return statements;
    },
  };
}
