import { DriverError } from '@tabularium/sdk';
import type {
  Filter,
  NamespacePage,
  Page,
  PageRequest,
  RowCount,
  RowsRequest,
  Session,
  TableDescription,
  TablePage,
  TableRef,
  TableSummary,
} from '@tabularium/sdk';
import type { z } from 'zod';
import type { NamespaceLister, namespacePageRequestSchema } from '../../common/namespaces.ts';
import { namespaceLister } from './namespaceLister.ts';
import type { PageAnswer, RowsAnswer } from './pageAnswer.ts';
import type { OpenSession } from './sessions.ts';
import { Sessions } from './sessions.ts';
import type { Inject } from '../container/inject.ts';

type NamespacePageRequest = z.output<typeof namespacePageRequestSchema>;

function lister(session: Pick<Session, 'listTables' | 'namespaces'>, signal: AbortSignal): NamespaceLister {
  const found = namespaceLister(session, signal);
  if (found !== undefined) return found;
  throw new DriverError('UNSUPPORTED', 'This connection lists all its tables at once, and no namespaces.');
}

/** The window's reads of a connection's tables. Opens the connection where it is not open. */
export class Tables {
  static readonly inject: Inject<typeof Tables> = [Sessions];

  readonly #sessions: Sessions;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  async list(connectionId: string, signal: AbortSignal): Promise<readonly TableSummary[]> {
    return this.#sessions.use(connectionId, ({ session }) => session.listTables({ signal }), { signal });
  }

  /** A page of the namespaces directly in another one. @throws DriverError `UNSUPPORTED` where the list has every table */
  async namespaces({ connectionId, namespace, after }: NamespacePageRequest, signal: AbortSignal): Promise<NamespacePage> {
    return this.#sessions.use(connectionId, ({ session }) => lister(session, signal).namespaces(namespace, after), { signal });
  }

  /** A page of the tables directly in a namespace. @throws DriverError as {@link Tables.namespaces} */
  async inNamespace({ connectionId, namespace, after }: NamespacePageRequest, signal: AbortSignal): Promise<TablePage> {
    return this.#sessions.use(connectionId, ({ session }) => lister(session, signal).tables(namespace, after), { signal });
  }

  async describe(connectionId: string, table: TableRef, reload: boolean, signal: AbortSignal): Promise<TableDescription> {
    return this.#sessions.describe(connectionId, table, reload, { signal });
  }

  async count(connectionId: string, table: TableRef, filter: Filter, signal: AbortSignal): Promise<RowCount> {
    return this.#sessions.use(connectionId, ({ session }) => session.countRows({ table, filter }, { signal }), { signal });
  }

  /** The page's rows as the driver encoded them; nothing is parsed on the way. */
  async readPage(connectionId: string, request: PageRequest, signal: AbortSignal): Promise<PageAnswer> {
    const began = performance.now();
    let node: string | undefined;
    const read = async ({ session }: OpenSession): Promise<Page> => {
      const page = await session.readPage(request, { signal });
      node = session.http?.node;
      return page;
    };
    const { batch, ...head } = await this.#sessions.use(connectionId, read, { signal });
    const milliseconds = Math.round((performance.now() - began) * 10) / 10;
    return { head: { ...head, milliseconds, ...(node === undefined ? {} : { node }) }, batch };
  }

  /** Rows by their keys, every value whole; as the driver encoded them. */
  async readRows(connectionId: string, request: RowsRequest, signal: AbortSignal): Promise<RowsAnswer> {
    const read = await this.#sessions.use(
      connectionId,
      ({ session }) => {
        if (session.rows === undefined) throw new DriverError('UNSUPPORTED', "This database can't read single rows.");
        return session.rows.read(request, { signal });
      },
      { signal },
    );
    const { batch, ...head } = read;
    return { head, batch };
  }
}
