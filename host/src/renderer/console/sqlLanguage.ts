import type { Completion, CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete';
import * as dialects from '@codemirror/lang-sql';
import { SQLDialect, StandardSQL, keywordCompletionSource, schemaCompletionSource, sql } from '@codemirror/lang-sql';
import type { SQLNamespace } from '@codemirror/lang-sql';
import type { Extension } from '@codemirror/state';
import { visibleText } from '@tabularium/sdk';
import type { TableDescription, TableSummary } from '@tabularium/sdk';

/** Behind these words and a blank the name of a table comes next, or a column that is set. */
const BEFORE_NAME = /(?<![\p{L}\p{N}_$])(?:from|join|into|update|table|set)\s$/iu;

/** How the editor learns about the tables of a connection. */
export interface SqlSchema {
  readonly tables: (signal: AbortSignal) => Promise<readonly TableSummary[]>;
  readonly describe: (table: TableSummary, signal: AbortSignal) => Promise<TableDescription>;
  /** The driver's completions. */
  readonly byDriver: CompletionSource;
}

export interface SqlLanguage {
  readonly extension: Extension;
  readonly complete: CompletionSource;
}

/** Tables of a text whose columns are offered; asking about more would make typing wait. */
const MOST_DESCRIBED = 12;
const MOST_TABLES = 5_000;
/** A text beyond this is not looked through for the names of tables at every letter. */
const LONGEST_SEARCHED = 200_000;

/** The dialect of this name, letter case aside; standard SQL where the editor has none. */
function dialectOf(name: string | undefined): SQLDialect {
  const found = Object.entries(dialects).find(([key]) => key.toLowerCase() === name?.toLowerCase())?.[1];
  return found instanceof SQLDialect ? found : StandardSQL;
}

/** Highlighting and completions of SQL: key words of the dialect, the tables of a connection, and the columns of those that a text names. */
export function sqlLanguage(dialectName: string | undefined, schema: SqlSchema): SqlLanguage {
  const dialect = dialectOf(dialectName);
  const keywords = keywordCompletionSource(dialect, true);
  return {
    extension: sql({ dialect, upperCaseKeywords: true }),
    complete: async (context) => {
      const isAfterWord = context.explicit || context.matchBefore(/[\p{L}\p{N}_$."`[]$/u) !== null;
      if (!isAfterWord && context.matchBefore(BEFORE_NAME) === null) return null;
      const controller = new AbortController();
      context.addEventListener('abort', () => controller.abort());
      const { signal } = controller;
      // A server that does not answer makes the list shorter.
      const tables = await schema.tables(signal).catch(() => []);
      if (context.aborted) return null;
      const depth = tables.reduce((most, { ref }) => Math.max(most, ref.namespace.length), 0);
      // Which schemas a statement may leave out is for the driver to say. Not every server takes a path of more than a schema.
      const byDriver = depth === 0 ? null : await schema.byDriver(context);
      if (byDriver !== null || depth > 1 || context.aborted) return byDriver;
      if (!isAfterWord) return null;
      const namespace = await namespaceOf(context, tables.slice(0, MOST_TABLES), schema, signal);
      if (context.aborted) return null;
      const results = [await schemaCompletionSource({ dialect, schema: namespace })(context), await keywords(context)];
      return merged(results.filter((result) => result !== null));
    },
  };
}

/** The completions of several sources as one list, those of the first source first. */
function merged(results: readonly CompletionResult[]): CompletionResult | null {
  const [first] = results;
  if (first === undefined) return null;
  const options: readonly Completion[] = results
    .filter(({ from }) => from === first.from)
    .flatMap((result, place) => result.options.map((option) => ({ ...option, boost: (option.boost ?? 0) - place * 10 })));
  return { ...first, options: [...options] };
}

/** The tables, with the columns of those that the text names. */
async function namespaceOf(
  context: CompletionContext,
  tables: readonly TableSummary[],
  schema: SqlSchema,
  signal: AbortSignal,
): Promise<SQLNamespace> {
  const text = context.state.sliceDoc(0, LONGEST_SEARCHED).toLowerCase();
  const named = tables.filter(({ ref }) => text.includes(ref.name.toLowerCase())).slice(0, MOST_DESCRIBED);
  const columns = new Map(
    await Promise.all(
      named.map(async (table) => [table, await schema.describe(table, signal).then(columnsOf, () => [])] as const),
    ),
  );
  // A path as the name of a member is a table in a namespace, so a point that belongs to a name is escaped.
  const entries = tables.map((table) => [
    [...table.ref.namespace, table.ref.name].map((part) => part.replaceAll('.', '\\.')).join('.'),
    columns.get(table) ?? [],
  ]);
  return Object.fromEntries(entries) as SQLNamespace;
}

function columnsOf({ columns }: TableDescription): Completion[] {
  return columns.map(({ name, type }) => ({ label: name, type: 'property', detail: visibleText(type) }));
}
