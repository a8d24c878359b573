import { isDeepStrictEqual } from 'node:util';
import { NO_FILTER, decodeBatch } from '@tabularium/sdk';
import type {
  Assignment,
  CallOptions,
  Cell,
  ChangeOutcome,
  Filter,
  HttpRequest,
  PagePosition,
  RowChange,
  Session,
  Sort,
  TableRef,
} from '@tabularium/sdk';
import type { Ask } from './guardedHttp.ts';

/** The server that is checked, and the means to do so. */
export interface ServerUnderTest {
  /** Begins the name of everything that this run creates. */
  readonly prefix: string;
  /** With the key that was given. */
  readonly session: Session;
  /** Such as 29 or 30; undefined where the server hides its version from the key. */
  readonly major: number | undefined;
  /** A request beside the driver. */
  readonly ask: Ask;
  /** The same, its answer parsed; throws where the server rejects it. */
  must(method: HttpRequest['method'], path: string, body?: unknown): Promise<unknown>;
  /** Opens a session with another key. The caller closes it. */
  open(key: string): Promise<Session>;
  /** Ends and starts the server again and resolves when it answers; undefined where the server belongs to somebody else. */
  readonly restart?: (() => Promise<void>) | undefined;
  /** A few documents instead of thousands. */
  readonly short: boolean;
  readonly options: CallOptions;
}

/** Why a scenario did not run. */
export interface NotRun {
  readonly notRun: string;
}

/** One thing that people do, tried against a server. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** Problems go to `problems`; what it throws is one more. */
  run(server: ServerUnderTest, problems: Problems): Promise<void | NotRun>;
}

/** Collects what is wrong, so that one difference doesn't hide the next. */
export class Problems {
  readonly found: string[] = [];
  /** How many comparisons were made. */
  compared = 0;

  same(what: string, got: unknown, expected: unknown): void {
    this.compared += 1;
    // Cloned, because rows have no prototype and what they are compared with has one.
    if (!isDeepStrictEqual(structuredClone(got), structuredClone(expected)))
      this.found.push(`${what}: ${shown(got)} instead of ${shown(expected)}`);
  }

  holds(what: string, condition: boolean): void {
    this.compared += 1;
    if (!condition) this.found.push(what);
  }

  /** Adds a problem unless the call is rejected with this code. */
  async rejected(what: string, code: string, call: () => Promise<unknown>): Promise<void> {
    this.compared += 1;
    try {
      await call();
      this.found.push(`${what} succeeded instead of ${code}`);
    } catch (error) {
      const got = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      if (got !== code) this.found.push(`${what} ended in ${got} (${String(error)}) instead of ${code}`);
    }
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

export type Row = Readonly<Record<string, Cell>>;

export interface Question {
  readonly filter?: Filter;
  readonly sorts?: readonly Sort[];
  readonly position?: PagePosition;
  readonly limit?: number;
}

export const tableOf = (name: string): TableRef => ({ namespace: [], name });

/** A page as objects without a prototype; what a row doesn't have is not in its object. */
export async function readRows(
  { session, options }: Pick<ServerUnderTest, 'session' | 'options'>,
  table: string,
  { filter = NO_FILTER, sorts = [], position = { from: 'start' }, limit = 1_000 }: Question = {},
): Promise<Row[]> {
  const page = await session.readPage({ table: tableOf(table), filter, sorts, position, limit }, options);
  const { columns, rows } = decodeBatch(page.batch);
  return rows.map((row) => rowOf(columns, row));
}

/** A row by its columns' names. Names such as `__proto__` are members like any other. */
export function rowOf(columns: readonly { readonly name: string }[], cells: readonly Cell[]): Row {
  const row = Object.create(null) as Record<string, Cell>;
  for (const [index, { name }] of columns.entries()) {
    const cell = cells[index];
    if (cell === undefined || (Array.isArray(cell) && cell[0] === 'absent')) continue;
    row[name] = cell;
  }
  return row;
}

const assignments = (values: Row): Assignment[] => Object.entries(values).map(([column, value]) => ({ column, value }));
export const insertion = (values: Row): RowChange => ({ kind: 'insert', values: assignments(values) });
export const updating = (id: string, values: Row): RowChange => ({ kind: 'update', key: [id], assignments: assignments(values) });
export const deletion = (id: string): RowChange => ({ kind: 'delete', key: [id] });

/** Saves changes one after the other. */
export async function save(
  { session, options }: ServerUnderTest,
  table: string,
  ...changes: RowChange[]
): Promise<ChangeOutcome[]> {
  return Array.fromAsync(session.edits?.apply(tableOf(table), changes, options) ?? []);
}

/** Creates a collection of this run and returns its name. */
export async function createCollection(
  server: ServerUnderTest,
  name: string,
  fields: readonly object[],
  more: object = {},
): Promise<string> {
  const full = `${server.prefix}${name}`;
  await server.must('POST', '/collections', { name: full, enable_nested_fields: true, fields, ...more });
  return full;
}

/** Writes documents, each as its JSON text; throws with the server's own sentence for the first one that is rejected. */
export async function importDocuments({ ask }: ServerUnderTest, table: string, lines: readonly string[]): Promise<void> {
  const { status, text } = await ask('POST', `/collections/${encodeURIComponent(table)}/documents/import`, lines.join('\n'));
  const failed = text.split('\n').find((line) => !line.includes('"success":true'));
  if (status !== 200 || failed !== undefined) throw new Error(`The import was rejected: ${status} ${failed ?? ''}`);
}

/** Runs a console statement and returns the rows, or the text, of its answer. */
export async function runStatement(
  { session, options }: ServerUnderTest,
  statement: string,
): Promise<{ readonly rows: readonly Row[]; readonly text: string }> {
  const rows: Row[] = [];
  let columns: readonly { readonly name: string }[] = [];
  let text = '';
  for await (const event of session.console?.run(statement, { maxRows: 10_000, signal: options.signal }) ?? []) {
    if (event.type === 'rowsBegin') ({ columns } = event);
    if (event.type === 'rows') rows.push(...event.rows.map((row) => rowOf(columns, row)));
    if (event.type === 'text') text += event.text;
  }
  return { rows, text };
}
