import type { ExplainFacet, StatementClassification } from '@tabularium/sdk';
import { DriverError, exceeds } from '@tabularium/sdk';
import type { ClassifyPlan, ExplainStatement, Explanation } from '../../common/explaining.ts';
import { HostError } from '../../common/errors.ts';
import { requireWritable } from '../connections/readOnlyMode.ts';
import { Sessions } from '../data/sessions.ts';
import { ConsoleSessions } from './consoleSessions.ts';
import type { OpenSession } from '../data/sessions.ts';
import type { Inject } from '../container/inject.ts';

/** Plans of statements. Nothing is kept: the history has what was run for its result. */
export class Explanations {
  static readonly inject: Inject<typeof Explanations> = [Sessions, ConsoleSessions];

  readonly #sessions: Pick<Sessions, 'use'>;
  readonly #consoleSessions: Pick<ConsoleSessions, 'explainOf'>;

  constructor(sessions: Pick<Sessions, 'use'>, consoleSessions: Pick<ConsoleSessions, 'explainOf'>) {
    this.#sessions = sessions;
    this.#consoleSessions = consoleSessions;
  }

  async classify(request: ClassifyPlan, signal: AbortSignal): Promise<StatementClassification> {
    const { statement, analyze } = request;
    return this.#use(request, signal, (facet) => facet.classify(statement, { analyze, signal }));
  }

  /**
   * Explains one statement when that does no more than was agreed to.
   *
   * @throws HostError `CONNECTION_READ_ONLY`, `APPROVAL_REQUIRED`, DriverError `PERMISSION_DENIED`, and what classifying throws; nothing was run then
   */
  async explain(request: ExplainStatement, signal: AbortSignal): Promise<Explanation> {
    const { statement, analyze, agreedTo } = request;
    return this.#use(request, signal, async (facet, { connection }) => {
      const { effect, unknown, summary } = await facet.classify(statement, { analyze, signal });
      if (analyze && !isRead({ effect, unknown }))
        throw new DriverError(
          'PERMISSION_DENIED',
          `Only a statement that reads is run for its plan: ${summary}. Nothing was run.`,
        );
      requireWritable(connection, effect);
      if (exceeds({ effect }, { effect: agreedTo })) {
        throw new HostError('APPROVAL_REQUIRED', `${summary}. Nothing was explained.`, {
          details: { advice: 'Confirm it, and explain it again.' },
        });
      }
      const plan = await facet.explain(statement, { analyze, signal });
      if (analyze) return { plan, measurable: { allowed: true } };
      const run = await facet.classify(statement, { analyze: true, signal });
      return { plan, measurable: isRead(run) ? { allowed: true } : { allowed: false, does: run.summary } };
    });
  }

  /** In the session of a tab, so that a plan is that of the statement which would run there. */
  async #use<T>(
    { connectionId, sessionId }: Pick<ClassifyPlan, 'connectionId' | 'sessionId'>,
    signal: AbortSignal,
    work: (facet: ExplainFacet, open: OpenSession) => Promise<T>,
  ): Promise<T> {
    return this.#sessions.use(
      connectionId,
      async (open) => {
        const own = sessionId === undefined ? undefined : this.#consoleSessions.explainOf(sessionId, connectionId);
        const facet = own ?? open.session.explain;
        if (facet !== undefined) return work(facet, open);
        throw new DriverError('UNSUPPORTED', `${open.manifest.title}: this driver doesn't explain statements.`);
      },
      { signal },
    );
  }
}

function isRead({ effect, unknown }: Pick<StatementClassification, 'effect' | 'unknown'>): boolean {
  return effect === 'read' && unknown !== true;
}
