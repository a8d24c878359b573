import { isDriverError } from '../../errors.ts';
import type { ConsoleFacet } from '../../facets/console.ts';
import type { ResultEvent } from '../../model/statement.ts';
import type { Bench } from '../bench.ts';
import { cancelled, fail, inTime, must, mustBeRefusal, onBench, expectedRefusal } from '../bench.ts';
import { ConformanceError, absent, untried } from '../plan.ts';
import type { ConformanceCheck, ConformancePlan, KnownConsole } from '../plan.ts';

const MANY_ROWS = 10_000;
/** Texts that are a statement of no language. */
const NONSENSE = ['no_such_verb everything', '💥', '\u0000', '(', "'", '}{'];

function consoleOf({ session }: Bench): ConsoleFacet {
  return session.console ?? fail('The session has no console.');
}

interface ReadResult {
  readonly rows: number;
  readonly truncated: boolean;
}

/** Runs a statement and holds its events to their grammar. */
async function run(bench: Bench, statement: string, maxRows: number): Promise<ReadResult[]> {
  const results: ReadResult[] = [];
  let open: 'nothing' | 'rows' | 'text' = 'nothing';
  let width = 0;
  let rows = 0;
  const stream = consoleOf(bench).run(statement, { maxRows, signal: bench.options.signal });
  const events: AsyncIterator<ResultEvent> = stream[Symbol.asyncIterator]();
  for (;;) {
    const next: IteratorResult<ResultEvent> = await inTime(`An event of ${statement}`, events.next());
    if (next.done === true) break;
    const event = next.value;
    switch (event.type) {
      case 'rowsBegin':
        must(open === 'nothing', `${statement}: a result set begins inside another result.`);
        open = 'rows';
        width = event.columns.length;
        rows = 0;
        break;
      case 'rows':
        must(open === 'rows', `${statement}: rows outside a result set.`);
        for (const row of event.rows)
          must(row.length === width, `${statement}: a row has ${row.length} cells in ${width} columns.`);
        rows += event.rows.length;
        must(rows <= maxRows, `${statement}: more than ${maxRows} rows come.`);
        break;
      case 'text':
        must(open === 'nothing', `${statement}: text inside another result.`);
        open = 'text';
        break;
      case 'done':
        must(event.milliseconds >= 0, `${statement}: it took ${event.milliseconds} ms.`);
        results.push({ rows: open === 'rows' ? rows : 0, truncated: event.truncated });
        open = 'nothing';
        break;
    }
  }
  must(open === 'nothing', `${statement}: the last result has no end.`);
  must(results.length > 0, `${statement}: it has no result.`);
  return results;
}

/** Each call of a console that takes a statement, in a session too where it has them. */
async function callsOf(
  { session, options }: Bench,
  facet: ConsoleFacet,
): Promise<{
  readonly calls: readonly (readonly [name: string, call: (statement: string) => Promise<unknown>])[];
  readonly close: () => Promise<void>;
}> {
  const own = await facet.openSession?.(options);
  const explain = own?.explain ?? session.explain;
  const drained = async (events: AsyncIterable<unknown>): Promise<void> => {
    const iterator = events[Symbol.asyncIterator]();
    while ((await iterator.next()).done !== true);
  };
  return {
    calls: [
      ['classify', (statement) => facet.classify(statement, options)],
      ['run', (statement) => drained(facet.run(statement, { maxRows: 10, ...options }))],
      ...(explain === undefined
        ? []
        : [['explain', (statement: string) => explain.explain(statement, { analyze: false, ...options })] as const]),
      ...(own === undefined
        ? []
        : ([
            ['classify of a session', (statement: string) => own.classify(statement, options)],
            ['run of a session', (statement: string) => drained(own.run(statement, { maxRows: 10, ...options }))],
            ['parameters', (statement: string) => own.parameters?.(statement, options) ?? Promise.resolve()],
          ] as const)),
    ],
    close: async () => own?.close(),
  };
}

/** Statements are split, judged and run as the language has it. */
export function consoleChecks(plan: ConformancePlan, known: KnownConsole): ConformanceCheck[] {
  return [
    {
      name: 'console: a text is split into its statements, each at its place',
      run: () =>
        onBench(plan, async (bench) => {
          const { text, statements } = known.script;
          const parts = await consoleOf(bench).split(text);
          must(parts.length === statements, `${parts.length} statements were found; there are ${statements}.`);
          let end = 0;
          for (const part of parts) {
            must(
              part.start >= end && part.end > part.start && part.end <= text.length,
              'Statements overlap, or lie outside the text.',
            );
            must(
              text.slice(part.start, part.end) === part.text,
              `The statement ${JSON.stringify(part.text)} isn't at the place that it gives.`,
            );
            end = part.end;
          }
          must((await consoleOf(bench).split(' \n\t ')).length === 0, 'Blank text has a statement.');
          for (const statement of known.refused) {
            must(
              (await consoleOf(bench).split(statement)).length > 0,
              `${JSON.stringify(statement)} disappears without an error, though it isn't a statement.`,
            );
          }
        }),
    },
    {
      name: 'console: statements are classified, and what is not understood is never a read',
      run: () =>
        onBench(plan, async (bench) => {
          for (const { statement, effect } of known.classified) {
            const found = await inTime('classify', consoleOf(bench).classify(statement, bench.options));
            must(found.effect === effect, `${statement} is classified as ${found.effect}; it is ${effect}.`);
            must(found.summary.trim() !== '', `The summary of ${statement} is empty.`);
          }
          for (const { statement } of known.reads) {
            const { effect } = await inTime('classify', consoleOf(bench).classify(statement, bench.options));
            must(effect === 'read', `${statement} only reads, and is classified as ${effect}.`);
          }
          for (const statement of [...known.refused, ...NONSENSE]) {
            const classified = inTime('classify', consoleOf(bench).classify(statement, bench.options));
            const found = await classified.catch((error: unknown) => {
              mustBeRefusal(`Classifying ${JSON.stringify(statement)}`, error, ['INVALID_INPUT']);
            });
            must(found?.effect !== 'read', `${JSON.stringify(statement)} is classified as a read.`);
          }
        }),
    },
    {
      name: 'console: several statements in one text are never taken for a read',
      run: () =>
        onBench(plan, async (bench) => {
          const facet = consoleOf(bench);
          const { text } = known.script;
          const [first, second] = await facet.split(text);
          const [read] = known.reads;
          if (first === undefined || second === undefined || read === undefined)
            return untried('The plan has no script of several statements, or none that reads.');
          const between = text.slice(first.end, second.start);
          for (const { statement, effect } of known.classified) {
            if (effect === 'read') continue;
            const joined = `${read.statement}${between}${statement}`;
            const classified = inTime('classify', facet.classify(joined, bench.options));
            const found = await classified.catch((error: unknown) => {
              mustBeRefusal(`Classifying ${JSON.stringify(joined)}`, error, ['INVALID_INPUT', 'UNSUPPORTED']);
            });
            must(
              found === undefined || found.unknown === true || found.effect === effect || found.effect === 'destructive',
              `${JSON.stringify(joined)} is classified as a ${found?.effect ?? ''}; the second of its statements is ${effect}.`,
            );
          }
          return undefined;
        }),
    },
    {
      name: 'console: a statement that holds a secret says so, and its summary has none of it',
      run: () =>
        onBench(plan, async (bench) => {
          const secrets = known.secrets ?? [];
          if (secrets.length === 0) return absent('The plan names no statement that holds a secret.');
          for (const { statement, secret } of secrets) {
            const found = await inTime('classify', consoleOf(bench).classify(statement, bench.options));
            must(found.holdsSecret === true, `${statement.replaceAll(secret, '…')} holds a secret, and doesn't say so.`);
            must(!found.summary.includes(secret), `The summary of ${statement.replaceAll(secret, '…')} holds its secret.`);
          }
          return undefined;
        }),
    },
    {
      name: "console: text that isn't a statement is refused",
      run: () =>
        onBench(plan, async (bench) => {
          for (const statement of known.refused) {
            await expectedRefusal(`Running ${JSON.stringify(statement)}`, () => run(bench, statement, 10), ['INVALID_INPUT']);
          }
        }),
    },
    {
      name: 'console: the place of a fault lies in the statement',
      run: () =>
        onBench(plan, async (bench) => {
          const facet = consoleOf(bench);
          const { calls, close } = await inTime('openSession', callsOf(bench, facet));
          let places = 0;
          try {
            for (const statement of [
              ...known.refused,
              ...NONSENSE,
              ...(known.sessions === undefined ? [] : [known.sessions.fails]),
            ]) {
              for (const [name, call] of calls) {
                const error: unknown = await inTime(name, call(statement)).catch((thrown: unknown) => thrown);
                if (error instanceof ConformanceError) throw error;
                const offset = isDriverError(error) ? error.details.offset : undefined;
                if (offset === undefined) continue;
                places += 1;
                must(
                  Number.isSafeInteger(offset) && offset >= 0 && offset <= statement.length,
                  () =>
                    `${name} of ${JSON.stringify(statement)} has a fault at ${String(offset)}; it has ${statement.length} characters.`,
                );
              }
            }
          } finally {
            await inTime('close', close());
          }
          return places === 0 ? absent('No error says where in its statement the fault is.') : undefined;
        }),
    },
    {
      name: 'console: results come in order, and maxRows is respected and reported',
      run: () =>
        onBench(plan, async (bench) => {
          for (const { statement, rows } of known.reads) {
            const results = await run(bench, statement, MANY_ROWS);
            const got = results.map((result) => result.rows);
            must(got.join() === rows.join(), `${statement} gave results of ${got.join()} rows instead of ${rows.join()}.`);
            must(!results.some(({ truncated }) => truncated), `${statement} says that rows were left out.`);
            const [few] = await run(bench, statement, 2);
            const all = rows[0] ?? 0;
            must(
              few?.rows === Math.min(2, all) && few.truncated === all > 2,
              `${statement} with maxRows 2: ${JSON.stringify(few)} of ${all} rows.`,
            );
          }
        }),
    },
    {
      name: 'console: a statement can be left early and cancelled, and the session continues',
      run: () =>
        onBench(plan, async (bench) => {
          const statement = known.reads[0]?.statement ?? fail('The plan names no statement that reads.');
          for await (const event of consoleOf(bench).run(statement, { maxRows: MANY_ROWS, signal: bench.options.signal })) {
            must(event.type !== 'done' || event.milliseconds >= 0, 'It took less than no time.');
            break;
          }
          const aborted = async (): Promise<void> => {
            for await (const event of consoleOf(bench).run(statement, { maxRows: MANY_ROWS, signal: AbortSignal.abort() })) {
              fail(`A cancelled statement gave the event ${event.type}.`);
            }
          };
          await cancelled('A statement with an aborted signal', aborted);
          await inTime('ping', bench.session.ping(bench.options));
        }),
    },
    {
      name: 'console: completions fit the text, wherever the cursor is',
      run: () =>
        onBench(plan, async (bench) => {
          const facet = consoleOf(bench);
          if (facet.complete === undefined) return;
          const { text } = known.script;
          const step = Math.max(1, Math.floor(text.length / 40));
          const places = [
            0,
            text.length,
            ...Array.from({ length: 40 }, (_, index) => index * step).filter((at) => at < text.length),
          ];
          for (const offset of places) {
            const { from, items } = await inTime('complete', facet.complete(text, offset, bench.options));
            must(from >= 0 && from <= offset, `At ${offset} a completion would replace the text from ${from} onwards.`);
            for (const { label, insert } of items)
              must(label !== '' && insert !== '', `At ${offset} an empty completion is offered.`);
          }
        }),
    },
  ];
}
