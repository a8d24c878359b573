import { DriverError } from '@tabularium/sdk';
import type { Column, TableRef, TableSummary } from '@tabularium/sdk';
import { tablePath } from './link.ts';
import type { Link } from './link.ts';

/** One row as the server sends it: a field may be missing or null. */
export type Row = Readonly<Record<string, string | number | null>>;

interface ServerColumn {
  readonly name: string;
  readonly type: 'number' | 'string';
  readonly nullable: boolean;
}

const YES = { allowed: true } as const;

/** The tables of a server, and the columns of those that were asked about. */
export class Tables {
  readonly #link: Link;
  readonly #columns = new Map<string, readonly Column[]>();

  constructor(link: Link) {
    this.#link = link;
  }

  async list(signal: AbortSignal): Promise<readonly TableSummary[]> {
    const found = (await this.#link.json({ method: 'GET', path: '/tables', isReading: true, signal })) as readonly {
      readonly name: string;
      readonly rows: number;
    }[];
    return found.map(({ name, rows }) => ({ ref: { namespace: [], name }, kind: 'table', count: { rows, exact: true } }));
  }

  /** Asks the server. @throws DriverError `NOT_FOUND` */
  async describe(table: TableRef, signal: AbortSignal): Promise<readonly Column[]> {
    const answer = await this.#link.json({ method: 'GET', path: tablePath(table), isReading: true, signal });
    const columns = (answer as { readonly columns: readonly ServerColumn[] }).columns.map(columnOf);
    this.#columns.set(table.name, columns);
    return columns;
  }

  /** As they were when they were last asked for: a page doesn't wait for them. */
  async columns(table: TableRef, signal: AbortSignal): Promise<readonly Column[]> {
    this.#link.begin(signal);
    return (table.namespace.length === 0 ? this.#columns.get(table.name) : undefined) ?? this.describe(table, signal);
  }

  /** One column. @throws DriverError `STRUCTURE_CHANGED` */
  async column(table: TableRef, name: string, signal: AbortSignal): Promise<Column> {
    const find = (columns: readonly Column[]): Column | undefined => columns.find((column) => column.name === name);
    // One that is new since then is asked for.
    const found = find(await this.columns(table, signal)) ?? find(await this.describe(table, signal));
    if (found === undefined)
      throw new DriverError('STRUCTURE_CHANGED', `There is no column “${name}”.`, { details: { field: name } });
    return found;
  }
}

function columnOf({ name, type, nullable }: ServerColumn): Column {
  return {
    name,
    kind: type === 'number' ? 'decimal' : 'text',
    type,
    nullable,
    editable: { allowed: false, reason: 'This driver changes no single values.' },
    sortable: YES,
    filterClass: type === 'number' ? 'number' : 'text',
  };
}
