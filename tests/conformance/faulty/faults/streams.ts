import { DriverError, NO_FILTER, isDriverError } from '@tabularium/sdk';
import type { ConsoleFacet, ExportEvent, ExportFacet, ResultEvent } from '@tabularium/sdk';
import { ROWS_PER_EVENT } from '../orchard/streams.ts';
import { acts, deaf, mapped } from '../seeded.ts';
import type { Seeded } from '../seeded.ts';

const EVERY = ['export', 'every row with every value, also of a filter'] as const;
const MEMORY = ['export', 'what is large comes in bounded memory and in small events'] as const;
const SOON = ['export', 'what is large ends soon when it is cancelled, and the session continues'] as const;
const SPLICE = ['export', 'the fast way gives the same rows, and its judge finds what is missing'] as const;
const LEFT = ['export', 'left early, cancelled, of nothing that is there'] as const;
const SPLIT = ['console', 'a text is split into its statements, each at its place'] as const;
const CLASSIFIED = ['console', 'statements are classified, and what is not understood is never a read'] as const;
const SPELLED = ['console', 'a destructive statement in another spelling is never a read or a write'] as const;
const RESULTS = ['console', 'results come in order, and maxRows is respected and reported'] as const;

const exporting = (
  name: string,
  breaks: Seeded['breaks'],
  says: RegExp,
  change: (facet: ExportFacet) => Partial<ExportFacet>,
): Seeded => acts(name, breaks, says, (session) => ({ export: { ...session.export, ...change(session.export) } }));

const giving = (
  name: string,
  says: RegExp,
  change: (event: ExportEvent) => readonly ExportEvent[],
  breaks: Seeded['breaks'] = EVERY,
): Seeded =>
  exporting(name, breaks, says, (facet) => ({ rows: (request, options) => mapped(facet.rows(request, options), change) }));

const talking = (
  name: string,
  breaks: Seeded['breaks'],
  says: RegExp,
  change: (facet: ConsoleFacet) => Partial<ConsoleFacet>,
): Seeded => acts(name, breaks, says, (session) => ({ console: { ...session.console, ...change(session.console) } }));

async function* allAtOnce(events: AsyncIterable<ExportEvent>): AsyncGenerator<ExportEvent> {
  const all: ExportEvent[] = [];
  for await (const event of events) all.push(event);
  yield* all;
}

async function* inOneEvent(events: AsyncIterable<ExportEvent>): AsyncGenerator<ExportEvent> {
  const rows: (readonly (string | number)[])[] = [];
  for await (const event of events) {
    if (event.type === 'begin') yield event;
    else rows.push(...(event.rows as (readonly (string | number)[])[]));
  }
  yield { type: 'rows', rows };
}

/** Rows that a driver of this file has read ahead; held only as long as its check runs. */
export const streamFaults: readonly Seeded[] = [
  talking(
    'a statement that removes, hidden behind one that reads',
    ['console', 'several statements in one text are never taken for a read'],
    /the second of its statements is destructive/,
    ({ split, classify }) => ({
      // The first one decides.
      classify: async (statement, options) => classify((await split(statement))[0]?.text ?? statement, options),
    }),
  ),
  talking(
    'a new password in the history',
    ['console', 'a statement that holds a secret says so, and its summary has none of it'],
    /lock "…" holds a secret, and doesn't say so/,
    ({ classify }) => ({
      classify: async (statement, options) => ({ ...(await classify(statement, options)), holdsSecret: false }),
    }),
  ),
  talking(
    'a new password in a summary',
    ['console', 'a statement that holds a secret says so, and its summary has none of it'],
    /The summary of lock "…" holds its secret/,
    ({ classify }) => ({
      classify: async (statement, options) => ({ ...(await classify(statement, options)), summary: statement }),
    }),
  ),
  giving('an export that doubles a row at the border of a chunk', /came twice/, (event) =>
    event.type === 'rows' && event.rows.length === ROWS_PER_EVENT
      ? [{ ...event, rows: [...event.rows, ...event.rows.slice(-1)] }]
      : [event],
  ),
  giving('an export that lacks the last chunk when it is not full', /is missing/, (event) =>
    event.type === 'rows' && event.rows.length < ROWS_PER_EVENT ? [] : [event],
  ),
  giving('an export with a null for an empty text', /should be/, (event) =>
    event.type === 'rows'
      ? [{ ...event, rows: event.rows.map((row) => row.map((cell) => (cell === '' ? null : cell))) }]
      : [event],
  ),
  giving('an export that promises more rows than there are', /were expected/, (event) =>
    event.type === 'begin' ? [{ ...event, expected: { rows: 99, exact: true } }] : [event],
  ),
  giving('an export that begins twice', /begins twice/, (event) => (event.type === 'begin' ? [event, event] : [event])),
  exporting('an export that ignores its filter', EVERY, /came and should not|came twice/, (facet) => ({
    rows: (request, options) => facet.rows({ ...request, filter: NO_FILTER }, options),
  })),
  exporting(
    'an export that ignores the choice of columns',
    ['export', 'chosen columns, in their order and no others'],
    /were chosen/,
    (facet) => ({
      rows: ({ table, filter }, options) => facet.rows({ table, filter }, options),
    }),
  ),
  exporting('a judge that lets everything pass', SPLICE, /a stream that lacks a line succeeded/, () => ({
    judge: () => undefined,
  })),
  exporting('a judge that keeps the numbers that differ to itself', SPLICE, /details\.rows don't say that/, (facet) => ({
    judge: async (...judged) => {
      try {
        await facet.judge(...judged);
      } catch (error) {
        if (isDriverError(error) && error.code === 'ROWS_DIFFER') throw new DriverError('ROWS_DIFFER');
        throw error;
      }
    },
  })),
  exporting('a judge that takes half a line for a different number of rows', SPLICE, /ends inside a line/, (facet) => ({
    judge: async (splice, summary) => {
      try {
        await facet.judge(splice, summary);
      } catch {
        throw new DriverError('ROWS_DIFFER', undefined, { details: { rows: { got: summary.lines, counted: 1 } } });
      }
    },
  })),
  exporting('a fast way that leaves out the last line', SPLICE, /the spliced answer has 22 lines/, (facet) => ({
    splice: async (...asked) => {
      const splice = await facet.splice(...asked);
      return splice === undefined
        ? undefined
        : { ...splice, request: { ...splice.request, path: `${splice.request.path}?short` } };
    },
  })),
  exporting('an export of nothing that is empty', LEFT, /splice of an unknown table succeeded/, () => ({
    splice: async () => undefined,
  })),
  exporting('an export that begins although it was cancelled', LEFT, /A cancelled export gave begin/, (facet) => ({
    rows: (request) => facet.rows(request, deaf),
  })),
  exporting('an export that is read whole before its first event', MEMORY, /holds .* in memory/, (facet) => ({
    rows: (request, options) => allAtOnce(facet.rows(request, options)),
  })),
  exporting('an export in one event', MEMORY, /has an event of|holds .* in memory/, (facet) => ({
    rows: (request, options) => inOneEvent(facet.rows(request, options)),
  })),
  giving(
    'an export that loses rows in its course',
    /rows; there are/,
    (event) => (event.type === 'rows' ? [{ ...event, rows: event.rows.slice(0, 19) }] : [event]),
    MEMORY,
  ),
  exporting(
    'an export that continues after it was cancelled',
    SOON,
    /continues after it was cancelled: 3 events more/,
    (facet) => ({
      async *rows(request, { signal }) {
        signal.throwIfAborted();
        yield* facet.rows(request, deaf);
      },
    }),
  ),
  exporting('a cancelled export that ends as if it were whole', SOON, /ends as if it were whole/, (facet) => ({
    async *rows(request, { signal }) {
      for await (const event of facet.rows(request, deaf)) {
        if (signal.aborted) return;
        yield event;
      }
    },
  })),
  talking('statements that are split inside of names', SPLIT, /statements were found/, () => ({
    split: (text) => {
      let at = 0;
      return text.split(/[;]/).map((part) => {
        const start = at;
        at += part.length + 1;
        return { text: part, start, end: start + part.length };
      });
    },
  })),
  talking('statements at other places than they say', SPLIT, /isn't at the place that it gives|outside/, (facet) => ({
    split: async (text) => (await facet.split(text)).map((one) => ({ ...one, start: one.start + 1, end: one.end + 1 })),
  })),
  talking('a deletion that is classified as a read', CLASSIFIED, /remove "trees" 1 is classified as read/, (facet) => ({
    classify: async (statement, options) => {
      const found = await facet.classify(statement, options);
      return statement.startsWith('remove') ? { ...found, effect: 'read' } : found;
    },
  })),
  talking('classification by looking for a word', CLASSIFIED, /empty "list" is classified as read/, (facet) => ({
    classify: async (statement, options) => ({
      ...(await facet.classify(statement, options)),
      effect: statement.includes('list') || statement.startsWith('count') ? 'read' : 'destructive',
    }),
  })),
  talking('what is not understood, classified as a read', CLASSIFIED, /is classified as a read/, (facet) => ({
    classify: async (statement, options) => {
      const found = await facet.classify(statement, options);
      return found.effect === 'write' ? { ...found, effect: 'read' } : found;
    },
  })),
  talking(
    'a verb in other letters that is a mere write',
    SPELLED,
    /keywords in upper case\) is classified as a write/,
    (facet) => ({
      classify: async (statement, options) => {
        const { unknown: _unknown, ...found } = await facet.classify(statement, options);
        return /^[^a-z]*(?:REMOVE|EMPTY)/.test(statement) ? { ...found, effect: 'write' } : facet.classify(statement, options);
      },
    }),
  ),
  talking('a deletion behind a comment that looks like a read', SPELLED, /comment.*\) is classified as a read/, (facet) => ({
    classify: async (statement, options) => {
      const found = await facet.classify(statement, options);
      return /^\W*SELECT/.test(statement) ? { ...found, effect: 'read' } : found;
    },
  })),
  talking('a spelling that fails as if the server had not answered', SPELLED, /ended in CONNECTION_LOST/, (facet) => ({
    classify: async (statement, options) => {
      if (statement.includes('/**/')) throw new DriverError('CONNECTION_LOST', 'The gate is shut.');
      return facet.classify(statement, options);
    },
  })),
  talking('nonsense that runs', ['console', "text that isn't a statement is refused"], /succeeded/, () => ({
    async *run(): AsyncGenerator<ResultEvent> {
      yield { type: 'done', truncated: false, milliseconds: 0 };
    },
  })),
  talking(
    'a fault behind the end of its statement',
    ['console', 'the place of a fault lies in the statement'],
    /run of "nonsense" has a fault at 9; it has 8 characters/,
    (facet) => ({
      async *run(statement, options) {
        try {
          yield* facet.run(statement, options);
        } catch (error) {
          if (!isDriverError(error) || error.details.offset === undefined) throw error;
          throw new DriverError(error.code, error.message, { details: { offset: statement.length + 1 } });
        }
      },
    }),
  ),
  talking('rows beyond the limit', RESULTS, /more than 2 rows come/, (facet) => ({
    run: (statement, options) => facet.run(statement, { ...options, maxRows: 10_000 }),
  })),
  talking('rows that are left out without an error', RESULTS, /with maxRows 2/, (facet) => ({
    run: (statement, options) =>
      mapped(facet.run(statement, options), (event) => [event.type === 'done' ? { ...event, truncated: false } : event]),
  })),
  talking('a result without an end', RESULTS, /has no end/, (facet) => ({
    run: (statement, options) => mapped(facet.run(statement, options), (event) => (event.type === 'done' ? [] : [event])),
  })),
  talking(
    'a statement that cannot be cancelled',
    ['console', 'a statement can be left early and cancelled, and the session continues'],
    /gave the event|succeeded/,
    (facet) => ({
      run: (statement, { maxRows }) => facet.run(statement, { maxRows, ...deaf }),
    }),
  ),
  talking(
    'an answer that is read whole before its first event',
    ['console', 'what is large comes in bounded memory and in small events'],
    /holds .* in memory/,
    (facet) => ({
      async *run(statement, options) {
        const all: ResultEvent[] = [];
        for await (const event of facet.run(statement, options)) all.push(event);
        yield* all;
      },
    }),
  ),
  talking(
    'an answer that continues after it was cancelled',
    ['console', 'what is large ends soon when it is cancelled, and the session continues'],
    /continues after it was cancelled/,
    (facet) => ({
      async *run(statement, { maxRows, signal }) {
        signal.throwIfAborted();
        yield* facet.run(statement, { maxRows, ...deaf });
      },
    }),
  ),
  talking(
    'a completion that replaces what is not typed yet',
    ['console', 'completions fit the text, wherever the cursor is'],
    /would replace/,
    () => ({
      complete: async (_text, offset) => ({ from: offset + 1, items: [] }),
    }),
  ),
  talking(
    'a described request with a path that is none',
    ['console', 'the request that a statement stands for is described without sending it'],
    /the path is/,
    () => ({
      describeRequest: async () => ({ method: 'GET', path: 'trees' }),
    }),
  ),
];
