import { DriverError } from '@tabularium/sdk';
import type { ListPageOptions, NamespacesFacet, Session, TableRef, TableSummary } from '@tabularium/sdk';

/** Tables by the path of their namespace, its names joined by slashes. */
type Tables = Readonly<Record<string, readonly string[]>>;

/** A server with the database `shop`, where a person begins, and others that are reached when they are asked for. */
export class FakeNamespaces {
  readonly tables: Tables;
  /** The calls that reached a namespace. */
  readonly asked: string[] = [];
  /** Databases that can't be reached, with the reason. */
  readonly refused = new Map<string, DriverError>();
  readonly #initial: string;

  constructor(tables: Tables, initial = 'shop') {
    this.tables = tables;
    this.#initial = initial;
  }

  get facet(): NamespacesFacet {
    return {
      initial: [[this.#initial]],
      list: async (parent, options) => {
        this.#reach('list', parent);
        const depth = parent.length + 1;
        const paths = Object.keys(this.tables).map((key) => key.split('/'));
        const inside = paths.filter((path) => parent.every((name, at) => path[at] === name)).map((path) => path.slice(0, depth));
        const found = [...new Set(inside.filter((path) => path.length === depth).map((path) => path.join('/')))];
        const { page, next } = pageOf(found, options);
        const namespaces = page.map((key) => ({
          path: key.split('/'),
          hasNamespaces: paths.some((path) => path.length > depth && path.slice(0, depth).join('/') === key),
          hasTables: Object.hasOwn(this.tables, key),
        }));
        return { namespaces, ...next };
      },
      listTables: async (namespace, options) => {
        this.#reach('tables', namespace);
        const { page, next } = pageOf(this.tables[namespace.join('/')] ?? [], options);
        return { tables: page.map((name) => summary(namespace, name)), ...next };
      },
    };
  }

  /** Members of a session with this facet. */
  get members(): Pick<Session, 'listTables' | 'describeTable' | 'namespaces'> {
    return {
      namespaces: this.facet,
      listTables: async () =>
        Object.entries(this.tables)
          .map(([key, names]) => [key.split('/'), names] as const)
          .filter(([[first]]) => first === this.#initial)
          .flatMap(([path, names]) => names.map((name) => summary(path, name))),
      describeTable: async (ref) => {
        this.#reach('describe', ref.namespace);
        if (this.tables[ref.namespace.join('/')]?.includes(ref.name) !== true)
          throw new DriverError('NOT_FOUND', `There is no table “${ref.name}”.`);
        return { ref, kind: 'table', columns: [], key: [], paging: 'offset', readsFromEnd: false, notes: [] };
      },
    };
  }

  #reach(call: string, path: readonly string[]): void {
    this.asked.push(`${call} ${path.join('.')}`);
    const [database = ''] = path;
    const refusal = this.refused.get(database);
    if (refusal !== undefined) throw refusal;
    if (database !== '' && !Object.keys(this.tables).some((key) => key.split('/')[0] === database))
      throw new DriverError('NOT_FOUND', `There is no database “${database}”.`);
  }
}

function summary(namespace: TableRef['namespace'], name: string): TableSummary {
  return { ref: { namespace: [...namespace], name }, kind: 'table' };
}

function pageOf(
  all: readonly string[],
  { after, limit }: ListPageOptions,
): { readonly page: readonly string[]; readonly next: { readonly next?: string } } {
  const start = after === undefined ? 0 : all.indexOf(after) + 1;
  const page = all.slice(start, start + limit);
  const last = page.at(-1);
  return { page, next: last === undefined || start + limit >= all.length ? {} : { next: last } };
}

/** Three databases, one of which has a schema with a dot in its name. */
export const THREE_DATABASES: Tables = {
  'shop/public': ['articles', 'orders'],
  'sales/public': ['articles', 'invoices'],
  'sales/more.of': ['it'],
  'stock/public': ['shelves'],
};
