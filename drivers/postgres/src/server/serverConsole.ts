import type { CompleteOptions, CompletionList, ConsoleFacet, ResultEvent } from '@tabularium/sdk';
import { inDatabase } from '../console/inDatabase.ts';
import { PgConsoleSession } from '../console/session.ts';
import { fromStart, withOffsetMoved } from '../faultPlace.ts';
import { connectLine, fitsLine, placeAt, splitPlaced, withConnectAdvice, withoutLines } from '../sql/connectLine.ts';
import type { ServerDatabases } from './serverDatabases.ts';
import { placed } from './statementPlace.ts';

const MOST_COMPLETIONS = 300;
/** As many as the contract takes. */
const MOST_PLACES = 1_000;

/** The console of a session that reaches all databases: a statement runs in the one that the line before it names. */
export function createServerConsole(databases: ServerDatabases): ConsoleFacet {
  const { primary } = databases;
  return {
    split: (text) => splitPlaced(text).map(({ text: statement, start, end }) => ({ text: statement, start, end })),
    async classify(statement, { signal }) {
      const { parts, sql, start } = await placed(databases, statement, signal);
      const classified = await fromStart(start, async () => await parts.console.classify(sql, { signal }));
      return inDatabase(classified, parts.database.facts.database);
    },
    async *run(statement, options): AsyncGenerator<ResultEvent, void, undefined> {
      const { parts, sql, start } = await placed(databases, statement, options.signal);
      try {
        yield* parts.console.run(sql, options);
      } catch (error) {
        throw withConnectAdvice(withOffsetMoved(error, start));
      }
    },
    openSession: ({ signal }) => PgConsoleSession.open(primary, signal, databases),
    async places({ signal }) {
      const { allowed } = await databases.names(signal);
      return allowed
        .filter(fitsLine)
        .slice(0, MOST_PLACES)
        .map((name) => ({ namespace: [name], statement: connectLine(name) }));
    },
    complete: (text, offset, options) => complete(text, offset, databases, options),
    async examples({ signal }) {
      const own = (await primary.console.examples?.({ signal })) ?? [];
      const other = (await databases.names(signal)).allowed.slice(1).find(fitsLine);
      return other === undefined ? own : [...own.slice(0, 4), `${connectLine(other)}\nSELECT current_database();`];
    },
  };
}

async function complete(
  text: string,
  offset: number,
  databases: ServerDatabases,
  { signal, namespace }: CompleteOptions,
): Promise<CompletionList> {
  const place = placeAt(text, offset);
  if (place !== undefined && 'typed' in place) return await completeName(place, databases, signal);
  const name = place?.database ?? namespace?.[0] ?? databases.named;
  try {
    const parts = await databases.get(name, signal);
    const found = await parts.console.complete?.(withoutLines(text), offset, { signal });
    return found ?? { from: offset, items: [] };
  } catch {
    return { from: offset, items: [] };
  }
}

/** The databases whose names begin as typed. */
async function completeName(
  { typed, from }: { readonly typed: string; readonly from: number },
  databases: ServerDatabases,
  signal: AbortSignal,
): Promise<CompletionList> {
  const { allowed } = await databases.names(signal).catch(() => ({ allowed: [] }));
  const fitting = allowed.filter((name) => fitsLine(name) && name.toLowerCase().startsWith(typed.toLowerCase()));
  return {
    from,
    items: fitting.slice(0, MOST_COMPLETIONS).map((name) => ({
      label: name,
      detail: 'database',
      insert: connectLine(name).replace('\\connect ', ''),
      kind: 'value',
    })),
  };
}
