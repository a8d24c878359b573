import { PIN_PATH } from '../catalogue/pinnedPath.ts';
import { DriverError } from '@tabularium/sdk';
import type { ExplainFacet, ExplainOptions, StatementClassification, StatementPlan } from '@tabularium/sdk';
import { faultTexts, postgresError, stopIfCancelled } from '../fault.ts';
import { fromStart, withOffset } from '../faultPlace.ts';
import { rollBack } from '../pgDatabase.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import { requirePermitted } from '../console/requirePermitted.ts';
import { Agreements } from '../locks/agreements.ts';
import { reachByWords } from '../locks/lockedReader.ts';
import { PlannedStatements } from '../locks/plannedStatements.ts';
import { judge, judgeVerdict } from '../sql/judge.ts';
import type { PgStep } from '../wire/batch.ts';
import type { Link } from '../wire/link.ts';
import type { Judged } from '../sql/judge.ts';
import { verdictOf } from '../sql/verdict.ts';
import type { StatementPlace } from '../sql/verdict.ts';
import { planOf } from './planOf.ts';

/** Words that begin statements which the server plans. Of others there is no plan, and some would be carried out in part. */
const PLANNED: ReadonlySet<string> = new Set(['SELECT', 'VALUES', 'TABLE', 'WITH', 'INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** Plans of statements, by EXPLAIN. @param agreements - where what is said of them is remembered */
export function createExplain(database: PgDatabase, agreements = new Agreements()): ExplainFacet {
  return {
    async classify(statement, options) {
      const { text: _text, alone: _alone, isQuery: _isQuery, ...classified } = await judged(statement, database, options);
      agreements.say(planKey(statement, options), classified);
      return classified satisfies StatementClassification;
    },
    explain: (statement, options) => explain(statement, database, agreements, options),
  };
}

/** Names the plan of a statement among others. */
export function planKey(statement: string, { analyze }: ExplainOptions): string {
  return `${analyze ? 'ANALYZE ' : ''}${statement}`;
}

async function explain(
  statement: string,
  database: PgDatabase,
  agreements: Agreements,
  options: ExplainOptions,
): Promise<StatementPlan> {
  const { signal, analyze } = options;
  stopIfCancelled(signal);
  const planned = plannedText(statement, 'shared');
  const question = explainText(planned.text, analyze);
  return await database.links.useLong(signal, async (link) => {
    try {
      // Read-only also where the owner agreed to what planning may call: an EXPLAIN changes nothing.
      const begin = [{ text: 'BEGIN TRANSACTION READ ONLY' }, PIN_PATH];
      const run = await judgedPlan(link, database, statement, 'shared', { ...options, agreements, begin });
      const [answer] = await link.batch(run, signal);
      return planOf(answer?.rows[0]?.[0] ?? '');
    } catch (error) {
      const sent = { ...question, start: planned.start, encoding: database.facts.encoding };
      throw withOffset(postgresError(error, signal, question.text), sent);
    } finally {
      await rollBack(link);
    }
  });
}

/** Planning computes what the statement has of constants, so it is judged as an EXPLAIN that a person wrote. */
async function judged(statement: string, database: PgDatabase, { analyze, signal }: ExplainOptions): Promise<Judged> {
  const { start, ...question } = judgedText(plannedText(statement, 'shared'), analyze);
  return await fromStart(start, async () => await judge(database, question.text, signal));
}

/** How a plan is judged where it is made. */
interface PlanOptions extends ExplainOptions {
  readonly agreements: Agreements;
  /** Steps that begin the transaction, where it isn't open. */
  readonly begin?: readonly PgStep[];
}

/**
 * Judges as {@link judged}, in the transaction in which the statement will be planned, with what it reaches locked.
 *
 * @returns the steps that give the plan
 * @throws DriverError `PERMISSION_DENIED` where the statement would run and may do more than read, `CONFLICT` where planning it does more than was said
 */
export async function judgedPlan(
  link: Link,
  database: PgDatabase,
  statement: string,
  place: StatementPlace,
  { agreements, begin = [], ...options }: PlanOptions,
): Promise<readonly PgStep[]> {
  const { analyze, signal } = options;
  const planned = plannedText(statement, place);
  const { text, start } = judgedText(planned, analyze);
  // An answer that another caller gets while this one waits is agreed to by that one alone.
  const agreed = agreements.of(planKey(statement, options));
  const planning = await fromStart(start, async () => {
    const verdict = verdictOf(text, place);
    const made = new PlannedStatements<Judged>(link, database, {
      reach: reachByWords(verdict),
      judge: (reader) => judgeVerdict(reader, verdict, text, signal),
      check: (now, first) => {
        if (analyze && (now.effect !== 'read' || now.unknown === true)) throw notAnalyzed();
        requirePermitted(now, agreed, first);
      },
      beginning: begin,
    });
    await made.judged(signal);
    return made;
  });
  return await planning.plan([{ text: explainText(planned.text, analyze).text }], [], signal);
}

/** A statement to plan, without what is around it. */
export interface PlannedText {
  readonly text: string;
  /** Where it begins in the text that the driver was given. */
  readonly start: number;
}

/** The text by which a plan is judged. `start` is where its beginning would be in the text that the driver was given. */
export function judgedText({ text, start }: PlannedText, analyze: boolean): PlannedText {
  const lead = 'EXPLAIN ';
  return analyze ? { text, start } : { text: lead + text, start: start - lead.length };
}

/** The question to the server, and the length of what is in front of the statement. */
export function explainText(planned: string, analyze: boolean): { readonly text: string; readonly lead: number } {
  const lead = `EXPLAIN (${analyze ? 'ANALYZE, BUFFERS, ' : ''}FORMAT JSON) `;
  return { text: lead + planned, lead: lead.length };
}

/** @throws DriverError as {@link verdictOf} does, and `UNSUPPORTED` for a statement without a plan */
export function plannedText(statement: string, place: StatementPlace): PlannedText {
  const { text, start, tokens } = verdictOf(statement, place);
  const first = tokens.find(({ kind, text: symbol }) => kind !== 'symbol' || symbol !== '(');
  if (first?.kind === 'word' && PLANNED.has(first.text)) return { text, start };
  const word = (first?.text ?? '').slice(0, 40);
  throw new DriverError(
    'UNSUPPORTED',
    word === 'EXPLAIN'
      ? 'The statement is an EXPLAIN already. Explain takes the statement behind it.'
      : `A statement that begins with ${word} has no plan. Nothing was run.`,
    { details: { texts: word === 'EXPLAIN' ? faultTexts('explain.twice') : faultTexts('explain.noPlan', { word }) } },
  );
}

/** The error for a statement that would be run for its plan, and may do more than read. */
function notAnalyzed(): DriverError {
  return new DriverError('PERMISSION_DENIED', "Nothing was run: it isn't certain that the statement only reads.", {
    details: {
      advice: 'Explain it without running it.',
      texts: faultTexts('explain.notRead', {}, 'explain.notRead.advice'),
    },
  });
}
