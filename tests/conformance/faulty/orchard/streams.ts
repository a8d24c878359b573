import { DriverError } from '@tabularium/sdk';
import type { Cell, ConsoleFacet, Column, ExportFacet, ResultEvent, Statement } from '@tabularium/sdk';
import { passing } from './filtering.ts';
import type { FilterParts } from './filtering.ts';
import { keyOf } from './world.ts';
import type { Row, World } from './world.ts';

/** Rows of one event. */
export const ROWS_PER_EVENT = 20;

interface Source {
  readonly columns: readonly Column[];
  readonly count: number;
  rows(from: number, to: number): readonly Row[];
}

/** A table's rows, or those of the large table as they are asked for. */
function sourceOf(
  world: World,
  name: { readonly namespace: readonly string[]; readonly name: string },
  rows?: readonly Row[],
): Source {
  const { bulk } = world;
  if (keyOf(name) === keyOf(bulk.ref)) {
    return {
      columns: bulk.columns,
      count: bulk.rows,
      rows: (from, to) => Array.from({ length: Math.min(to, bulk.rows) - from }, (_, index) => bulk.row(from + index)),
    };
  }
  const table = world.table(name);
  const all = rows ?? table.rows;
  return { columns: table.columns, count: all.length, rows: (from, to) => all.slice(from, to) };
}

export function createExport(world: World, parts: FilterParts): ExportFacet {
  return {
    async splice({ table, filter, columns }, options) {
      await world.ready(options);
      if (keyOf(table) === keyOf(world.bulk.ref)) return undefined;
      const rows = passing(world.table(table), filter, parts);
      // The server's own answer has every column of every row.
      if (columns !== undefined || filter.conditions.length > 0) return undefined;
      return {
        request: { method: 'GET', path: `/export/${encodeURIComponent(table.name)}` },
        expected: { rows: rows.length, exact: true },
      };
    },
    judge({ expected }, { status, lines, lastLine }) {
      if (status !== 200 || !/^\[.*\]$/.test(lastLine)) throw new DriverError('CONNECTION_LOST', 'The export was cut off.');
      if (expected === undefined || expected.rows === lines) return;
      throw new DriverError('ROWS_DIFFER', undefined, { details: { rows: { got: lines, counted: expected.rows } } });
    },
    async *rows({ table, filter, columns }, options) {
      await world.ready(options);
      const isBulk = keyOf(table) === keyOf(world.bulk.ref);
      const source = sourceOf(world, table, isBulk ? undefined : passing(world.table(table), filter, parts));
      const chosen = (columns ?? source.columns.map(({ name }) => name)).map((name) => {
        const index = source.columns.findIndex((column) => column.name === name);
        const kind = source.columns[index]?.kind;
        if (kind === undefined) throw new DriverError('STRUCTURE_CHANGED', `There is no column “${name}”.`);
        return { index, name, kind };
      });
      yield {
        type: 'begin',
        columns: chosen.map(({ name, kind }) => ({ name, kind })),
        expected: { rows: source.count, exact: true },
      };
      for (let from = 0; from < source.count; from += ROWS_PER_EVENT) {
        if (from > 0) await world.ready(options);
        const some = source.rows(from, from + ROWS_PER_EVENT);
        yield { type: 'rows', rows: some.map((row) => chosen.map(({ index }): Cell => row[index] ?? null)) };
      }
    },
  };
}

/** Statements end at a semicolon; names are in double quotes, in which a quote is written twice. */
function split(text: string): Statement[] {
  const statements: Statement[] = [];
  for (const match of text.matchAll(/(?:[^;"]|"(?:[^"]|"")*"|")+/g)) {
    const found = match[0];
    const start = match.index + (found.length - found.trimStart().length);
    const part = found.trim();
    if (part !== '') statements.push({ text: part, start, end: start + part.length });
  }
  return statements;
}

const STATEMENT = /^(list|count|empty|remove) "((?:[^"]|"")+)"(?: (\d+))?$/;

function parsed(statement: string): { verb: string; name: string } | undefined {
  const [, verb = '', quoted = ''] = STATEMENT.exec(statement) ?? [];
  return verb === '' ? undefined : { verb, name: quoted.replaceAll('""', '"') };
}

/** Where a text ceases to be a statement. */
function faultAt(statement: string): number {
  return /^(?:(?:list|count|empty|remove)(?: (?:"(?:[^"]|"")+")?)?)?/.exec(statement)?.[0].length ?? 0;
}

export function createConsole(world: World): ConsoleFacet {
  return {
    split,
    async classify(statement, options) {
      await world.ready(options);
      // A new lock: its word is a secret.
      if (/^lock "[^"]+"$/.test(statement))
        return { effect: 'destructive', tables: [], summary: 'lock the gate', holdsSecret: true };
      const found = parsed(statement);
      const effect = found === undefined ? 'write' : found.verb === 'list' || found.verb === 'count' ? 'read' : 'destructive';
      const tables = found === undefined ? [] : [{ namespace: ['orchard'], name: found.name }];
      return found === undefined
        ? { effect, unknown: true, tables, summary: 'What is not understood' }
        : { effect, tables, summary: `${found.verb} ${found.name}` };
    },
    async *run(statement, { maxRows, signal }): AsyncGenerator<ResultEvent> {
      await world.ready({ signal });
      const found = parsed(statement);
      if (found === undefined)
        throw new DriverError('INVALID_INPUT', `“${statement}” is no statement of an orchard.`, {
          details: { offset: faultAt(statement) },
        });
      const source = sourceOf(world, { namespace: ['orchard'], name: found.name });
      if (found.verb === 'count') {
        yield { type: 'text', mediaType: 'text/plain', text: String(source.count) };
        yield { type: 'done', truncated: false, milliseconds: 0 };
        return;
      }
      if (found.verb !== 'list') throw new DriverError('UNSUPPORTED', 'Tables are emptied in the window.');
      yield { type: 'rowsBegin', columns: source.columns.map(({ name, kind }) => ({ name, kind })) };
      const count = Math.min(maxRows, source.count);
      for (let from = 0; from < count; from += ROWS_PER_EVENT) {
        if (from > 0) await world.ready({ signal });
        yield { type: 'rows', rows: source.rows(from, Math.min(count, from + ROWS_PER_EVENT)) };
      }
      yield { type: 'done', truncated: source.count > maxRows, milliseconds: 0 };
    },
    async describeRequest(statement) {
      const found = parsed(statement);
      if (found === undefined) throw new DriverError('INVALID_INPUT', `“${statement}” is no statement of an orchard.`);
      return { method: 'GET', path: `/${found.verb}/${encodeURIComponent(found.name)}` };
    },
    async complete(_text, offset, options) {
      await world.ready(options);
      return { from: offset, items: [{ label: 'list', insert: 'list', kind: 'keyword' }] };
    },
  };
}
