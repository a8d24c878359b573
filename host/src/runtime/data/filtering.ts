import { DriverError } from '@tabularium/sdk';
import type { ReadExpressionsInput, ReadExpressions, Suggestions, SuggestValues } from '../../common/filtering.ts';
import { Sessions } from './sessions.ts';
import type { Inject } from '../container/inject.ts';

/** The driver's help for people who write a filter. */
export class Filtering {
  static readonly inject: Inject<typeof Filtering> = [Sessions];

  readonly #sessions: Pick<Sessions, 'use'>;

  constructor(sessions: Pick<Sessions, 'use'>) {
    this.#sessions = sessions;
  }

  /** @throws DriverError `UNSUPPORTED` where the driver has no values */
  async suggest({ connectionId, request }: SuggestValues, signal: AbortSignal): Promise<Suggestions> {
    return this.#sessions.use(
      connectionId,
      async ({ session, manifest }) => {
        if (session.suggestions === undefined)
          throw new DriverError('UNSUPPORTED', `${manifest.title} doesn't support suggestions.`);
        return session.suggestions.values(request, { signal });
      },
      { signal },
    );
  }

  /** @throws DriverError `UNSUPPORTED` where the driver doesn't show it, and the errors of a read with this filter */
  async expressions({ connectionId, ...question }: ReadExpressionsInput, signal: AbortSignal): Promise<ReadExpressions> {
    return this.#sessions.use(
      connectionId,
      async ({ session, manifest }) => {
        if (session.expressions === undefined) {
          throw new DriverError('UNSUPPORTED', `${manifest.title} doesn't show the requests that it sends for a filter.`);
        }
        return session.expressions.ofRead(question, { signal });
      },
      { signal },
    );
  }
}
