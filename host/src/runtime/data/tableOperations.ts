import type { OperationResult, PlannedOperation, TableOperation, TableOperationsFacet, TableRef } from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import { HostError } from '../../common/errors.ts';
import type { SavedConnection } from '../../common/connection.ts';
import { englishOf } from '../../common/hostSentences.ts';
import { readOnlyReason, requireWritable } from '../connections/readOnlyMode.ts';
import type { RunOperation } from '../../common/principals.ts';
import { ON_TABLES_CHANGED } from './onTablesChanged.ts';
import { Sessions } from './sessions.ts';
import type { Inject } from '../container/inject.ts';

/** Operations on a table as a whole. A destructive one runs only on a table whose name a person has typed. */
export class TableOperations {
  static readonly inject: Inject<typeof TableOperations> = [Sessions, ON_TABLES_CHANGED];

  readonly #sessions: Pick<Sessions, 'use' | 'forgetStructures'>;

  readonly #onRun: (connectionId: string) => void;

  /** @param onRun - called when tables of a connection may have been changed */
  constructor(sessions: Pick<Sessions, 'use' | 'forgetStructures'>, onRun: (connectionId: string) => void = () => undefined) {
    this.#sessions = sessions;
    this.#onRun = onRun;
  }

  async list(connectionId: string, table: TableRef, signal: AbortSignal): Promise<readonly TableOperation[]> {
    return this.#use(connectionId, signal, async (facet, connection) => {
      const operations = await facet.list(table, { signal });
      const reason = readOnlyReason(connection);
      if (reason === undefined) return operations;
      const ability = { allowed: false, reason: englishOf(reason) } as const;
      return operations.map((operation) => (operation.effect === 'read' ? operation : { ...operation, ability }));
    });
  }

  async plan(connectionId: string, table: TableRef, operation: string, signal: AbortSignal): Promise<PlannedOperation> {
    return this.#use(connectionId, signal, (facet) => facet.plan(table, operation, { signal }));
  }

  /** @throws HostError `CONNECTION_READ_ONLY` in read-only mode, `APPROVAL_REQUIRED` when the name was not typed; DriverError `UNSUPPORTED`, `CONFLICT`, `NOT_FOUND`, `ACCESS_REFUSED` */
  async run(
    { connectionId, table, operation, confirmed, typedName }: RunOperation,
    signal: AbortSignal,
  ): Promise<OperationResult> {
    return this.#use(connectionId, signal, async (facet, connection) => {
      const known = (await facet.list(table, { signal })).find(({ id }) => id === operation);
      if (known === undefined) throw new DriverError('UNSUPPORTED', "This operation isn't supported for this table.");
      requireWritable(connection, known.effect);
      if (!known.ability.allowed) throw new DriverError('UNSUPPORTED', known.ability.reason);
      if (known.effect === 'destructive' && typedName !== confirmed.name) {
        throw new HostError(
          'APPROVAL_REQUIRED',
          `${known.label}: the typed name isn't "${confirmed.name}", so nothing was changed.`,
          {
            details: { advice: `Type ${confirmed.name} to confirm.`, field: 'typedName' },
          },
        );
      }
      try {
        return await facet.run(table, operation, confirmed, { signal });
      } finally {
        // Also where it failed: it may have been done before the answer was lost.
        this.#sessions.forgetStructures(connectionId);
        this.#onRun(connectionId);
      }
    });
  }

  async #use<T>(
    connectionId: string,
    signal: AbortSignal,
    work: (facet: TableOperationsFacet, connection: SavedConnection) => Promise<T>,
  ): Promise<T> {
    return this.#sessions.use(
      connectionId,
      async ({ session, manifest, connection }) => {
        if (session.tableOperations !== undefined) return work(session.tableOperations, connection);
        const { other } = manifest.terms.table;
        throw new DriverError('UNSUPPORTED', `${manifest.title}: this driver has no operations on whole ${other.toLowerCase()}.`);
      },
      { signal },
    );
  }
}
