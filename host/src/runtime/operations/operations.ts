import { DriverError } from '@tabularium/sdk';
import type { Operation, OperationForm, OperationPlan, OperationsFacet } from '@tabularium/sdk';
import { requireClearJson } from '../../common/requireClearJson.ts';
import type { SavedConnection } from '../../common/connection.ts';
import { englishOf } from '../../common/hostSentences.ts';
import type { ListOperations, OperationFormOf, PlanOperationCall } from '../../common/operations.ts';
import { readOnlyReason } from '../connections/readOnlyMode.ts';
import type { Inject } from '../container/inject.ts';
import { Sessions } from '../data/sessions.ts';
import { combinedOperations } from './combinedOperations.ts';
import { shownBasis } from './shownBasis.ts';

/** The operations that a connection has, and what each would do. Nothing is changed. */
export class Operations {
  static readonly inject: Inject<typeof Operations> = [Sessions];

  readonly #sessions: Pick<Sessions, 'use'>;

  constructor(sessions: Pick<Sessions, 'use'>) {
    this.#sessions = sessions;
  }

  /** None where the driver has no operations. In read-only mode each that changes something says why it can't. */
  async list({ connectionId, place }: ListOperations, signal: AbortSignal): Promise<readonly Operation[]> {
    return this.#sessions.use(
      connectionId,
      async ({ session, connection }) => {
        const operations = (await combinedOperations(session)?.list(place, { signal })) ?? [];
        const reason = readOnlyReason(connection);
        if (reason === undefined) return operations;
        const ability = { allowed: false, reason: englishOf(reason) } as const;
        return operations.map((one) => (one.effect === 'read' ? one : { ...one, ability }));
      },
      { signal },
    );
  }

  async form({ connectionId, place, operation }: OperationFormOf, signal: AbortSignal): Promise<OperationForm> {
    return this.use(connectionId, signal, (facet) => facet.form(place, operation, { signal }));
  }

  /** Its basis is of the connection as well: see {@link shownBasis}. */
  async plan({ connectionId, call }: PlanOperationCall, signal: AbortSignal): Promise<OperationPlan> {
    requireClearJson(call.input, 'The input');
    return this.use(connectionId, signal, async (facet, connection) => {
      const plan = await facet.plan(call, { signal });
      return { ...plan, basis: shownBasis(connection, plan) };
    });
  }

  /** @throws DriverError `UNSUPPORTED` where the driver has no operations */
  async use<T>(
    connectionId: string,
    signal: AbortSignal,
    work: (facet: OperationsFacet, connection: SavedConnection) => Promise<T>,
  ): Promise<T> {
    return this.#sessions.use(
      connectionId,
      async ({ session, manifest, connection }) => {
        const facet = combinedOperations(session);
        if (facet !== undefined) return work(facet, connection);
        throw new DriverError('UNSUPPORTED', `${manifest.title}: this driver has no operations.`);
      },
      { signal },
    );
  }
}
