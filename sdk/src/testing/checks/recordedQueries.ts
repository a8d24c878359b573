import { isDriverError } from '../../errors.ts';
import type { RecordedQueries, RecordedQueriesRequest, SearchFacet } from '../../facets/search.ts';
import { cancelled, expectedRefusal, inTime, must, onBench } from '../bench.ts';
import { tableText } from '../cells.ts';
import { absent, untried } from '../plan.ts';
import type { ConformanceCheck, ConformancePlan, NotChecked } from '../plan.ts';

const NOT_THERE = 'kit_nothing_has_this_name';
const KINDS = ['popular', 'withoutHits'] as const;
const MOST = 1_000;

type Ask = (
  request: Omit<RecordedQueriesRequest, 'offset' | 'limit'>,
  offset?: number,
  limit?: number,
) => Promise<RecordedQueries>;

/** Calls a check with the session's recorded queries, where it has them. */
async function withRecorded(
  plan: ConformancePlan,
  check: (ask: Ask, recorded: NonNullable<SearchFacet['recordedQueries']>) => Promise<void>,
): Promise<NotChecked | undefined> {
  let outcome: NotChecked | undefined;
  await onBench(plan, async ({ session, options }) => {
    const { search } = session;
    const recorded = search?.recordedQueries?.bind(search);
    if (recorded === undefined) outcome = absent('The session reads no recorded queries.');
    else {
      const ask: Ask = (request, offset = 0, limit = MOST) =>
        inTime('search.recordedQueries', recorded({ ...request, offset, limit }, options));
      await check(ask, recorded);
    }
  });
  return outcome;
}

/** An answer is whole in itself: a reason exactly where there is no query, the most frequent first. */
function mustBeWhole({ recordings, queries, found, missing }: RecordedQueries, where: string): void {
  must(new Set(recordings).size === recordings.length, `${where}: two recordings have one name.`);
  must(
    (found === 0) === (missing !== undefined),
    `${where}: ${found} were found, and a reason for none is ${missing === undefined ? 'not ' : ''}given.`,
  );
  must(missing === undefined || missing.reason.trim() !== '', `${where}: the reason for no queries is empty.`);
  must(queries.length <= found, `${where}: there are more than were found.`);
  for (const [place, { text, count }] of queries.entries()) {
    must(text !== '', `${where}: one has no text.`);
    must(place === 0 || count <= (queries[place - 1]?.count ?? 0), `${where}: “${text}” comes behind a less frequent one.`);
  }
}

async function checkReasons(plan: ConformancePlan): Promise<NotChecked | undefined> {
  return withRecorded(plan, async (ask, recorded) => {
    for (const { ref: table } of plan.tables) {
      for (const kind of KINDS) {
        const where = `Recorded queries (${kind}) of ${tableText(table)}`;
        mustBeWhole(await ask({ table, kind }), where);
        await expectedRefusal(`${where} of a recording that is not there`, () => ask({ table, kind, recording: NOT_THERE }), [
          'INVALID_INPUT',
        ]);
      }
      const signal = AbortSignal.abort();
      await cancelled('search.recordedQueries with an aborted signal', () =>
        recorded({ table, kind: 'popular', offset: 0, limit: 1 }, { signal }),
      );
    }
    const lost = await ask({ table: { namespace: [], name: NOT_THERE }, kind: 'popular' }).catch((error: unknown) =>
      isDriverError(error) ? error.code : 'another error',
    );
    must(lost === 'NOT_FOUND', 'Recorded queries of a table that is not there are not refused with NOT_FOUND.');
  });
}

async function checkKnown(plan: ConformancePlan): Promise<NotChecked | undefined> {
  const known = plan.recordedQueries;
  if (known === undefined) {
    return (await withRecorded(plan, async () => undefined)) ?? untried('The plan names no recorded queries.');
  }
  return withRecorded(plan, async (ask) => {
    const { table, kind, queries: wanted } = known;
    const where = `Recorded queries (${kind}) of ${tableText(table)}`;
    const whole = await ask({ table, kind });
    const text = (queries: RecordedQueries['queries']): string => JSON.stringify(queries.map((one) => [one.text, one.count]));
    must(text(whole.queries) === text(wanted), `${where} are ${text(whole.queries)}; ${text(wanted)} are known.`);
    must(whole.found === wanted.length, `${where}: ${whole.found} were found; ${wanted.length} are known.`);
    const paged = [];
    for (let offset = 0; offset < wanted.length; offset += 1) {
      const { queries } = await ask({ table, kind }, offset, 1);
      must(queries.length <= 1, `${where}: ${queries.length} are given; 1 was asked for.`);
      paged.push(...queries);
    }
    must(text(paged) === text(whole.queries), `${where}: parts of one don’t join to what one answer gives.`);
    const [first] = whole.recordings;
    must(first !== undefined, `${where} come from no recording.`);
    const named = await ask({ table, kind, recording: first });
    must(text(named.queries) === text(whole.queries), `${where}: the first recording has others when it is named.`);
  });
}

/** Recorded queries are those that are known, or have a reason. */
export function recordedQueryChecks(plan: ConformancePlan): ConformanceCheck[] {
  return [
    {
      name: 'search: recorded queries have the most frequent first, or a reason for none; what is not there is refused; they are cancelled',
      run: () => checkReasons(plan),
    },
    {
      name: 'search: recorded queries are those that are known, and parts of them join',
      run: () => checkKnown(plan),
    },
  ];
}
