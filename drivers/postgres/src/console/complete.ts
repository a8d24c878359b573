import type { Completion, CompletionList } from '@tabularium/sdk';
import type { PgDatabase } from '../pgDatabase.ts';
import { quoted } from '../names.ts';
import { arrayOf } from '../sql/arrayOf.ts';
import { completionPlace } from './completionPlace.ts';
import type { CompletionPlace } from './completionPlace.ts';

/** Those that begin a statement, the common ones first. */
const FIRST_WORDS =
  `SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|CREATE TABLE|ALTER TABLE|DROP TABLE|EXPLAIN|EXPLAIN ANALYZE|BEGIN|COMMIT|ROLLBACK|TRUNCATE|MERGE INTO|CREATE INDEX|CREATE VIEW|CREATE MATERIALIZED VIEW|REFRESH MATERIALIZED VIEW|VACUUM|ANALYZE|SET|SHOW|VALUES|WITH RECURSIVE|SAVEPOINT|GRANT|REVOKE|TABLE`.split(
    '|',
  );
/** Those within one, the common ones first. */
const KEYWORDS =
  `FROM|WHERE|JOIN|LEFT JOIN|INNER JOIN|RIGHT JOIN|FULL JOIN|CROSS JOIN|LATERAL|ON|USING|AS|AND|OR|NOT|NULL|IS NULL|IS NOT NULL|IS DISTINCT FROM|IN|LIKE|ILIKE|BETWEEN|EXISTS|GROUP BY|ORDER BY|LIMIT|OFFSET|HAVING|SET|SELECT|VALUES|DISTINCT|DISTINCT ON|CASE|WHEN|THEN|ELSE|END|ASC|DESC|NULLS FIRST|NULLS LAST|RETURNING|DEFAULT|ON CONFLICT|DO NOTHING|DO UPDATE SET|UNION ALL|UNION|EXCEPT|INTERSECT|WITH|WITH RECURSIVE|TRUE|FALSE|OVER|PARTITION BY|FILTER|WINDOW|FOR UPDATE|INSERT INTO|UPDATE|DELETE FROM|TABLE`.split(
    '|',
  );
const FUNCTIONS =
  `count(*)|count(|sum(|avg(|min(|max(|coalesce(|nullif(|now()|current_date|current_timestamp|date_trunc(|extract(|to_char(|length(|lower(|upper(|substring(|replace(|round(|concat(|string_agg(|array_agg(|jsonb_agg(|jsonb_build_object(|generate_series(|row_number()|unnest(|greatest(|least(|cast(`.split(
    '|',
  );
const MOST = 300;
/** Functions of the server are many; fewer letters than this would list too many of them. */
const LETTERS_OF_FUNCTION = 3;

/**
 * $1 and $2: schemas and names of the tables whose columns are asked for, an empty schema for any; $3: a part of a table's or function's name, in lower case; $4: the
 * schema to look in, empty for all but those of the system; $5: whether tables are asked for; $6: whether functions are.
 */
const NAMES = `
(SELECT 'c', n.nspname, c.relname, a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), pg_catalog.quote_ident(a.attname)
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.text[])) AS asked (schema, name)
  ON c.relname OPERATOR(pg_catalog.=) asked.name::pg_catalog.name AND (asked.schema OPERATOR(pg_catalog.=) '' OR n.nspname OPERATOR(pg_catalog.=) asked.schema::pg_catalog.name)
JOIN pg_catalog.pg_attribute a ON a.attrelid OPERATOR(pg_catalog.=) c.oid AND a.attnum OPERATOR(pg_catalog.>) 0 AND NOT a.attisdropped
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
  AND pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT, INSERT, UPDATE')
ORDER BY c.oid, a.attnum LIMIT 5000)
UNION ALL
(SELECT 't', n.nspname, c.relname, c.relkind::pg_catalog.text, pg_catalog.quote_ident(n.nspname), pg_catalog.quote_ident(c.relname)
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE $5::pg_catalog.bool AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND CASE WHEN $4::pg_catalog.text <> '' THEN n.nspname = $4::pg_catalog.name
    ELSE n.nspname <> 'information_schema' AND (NOT pg_catalog.starts_with(n.nspname::pg_catalog.text, 'pg_') OR (n.nspname = 'pg_catalog' AND pg_catalog.starts_with($3::pg_catalog.text, 'pg_'))) END
  AND pg_catalog.strpos(pg_catalog.lower(c.relname::pg_catalog.text), $3::pg_catalog.text) > 0
  AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE')
ORDER BY NOT pg_catalog.starts_with(pg_catalog.lower(c.relname::pg_catalog.text), $3::pg_catalog.text), c.relname LIMIT 1000)
UNION ALL
(SELECT 's', n.nspname, '', '', '', pg_catalog.quote_ident(n.nspname) FROM pg_catalog.pg_namespace n
WHERE $5::pg_catalog.bool AND $4::pg_catalog.text = '' AND NOT pg_catalog.starts_with(n.nspname::pg_catalog.text, 'pg_t')
  AND pg_catalog.starts_with(pg_catalog.lower(n.nspname::pg_catalog.text), $3::pg_catalog.text) AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
ORDER BY n.nspname LIMIT 200)
UNION ALL
(SELECT DISTINCT 'f', n.nspname, p.proname, '', pg_catalog.quote_ident(n.nspname), pg_catalog.quote_ident(p.proname)
FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
WHERE $6::pg_catalog.bool AND p.prokind <> 'p' AND p.prorettype NOT IN ('pg_catalog.trigger'::pg_catalog.regtype, 'pg_catalog.internal'::pg_catalog.regtype)
  AND CASE WHEN $4::pg_catalog.text <> '' THEN n.nspname = $4::pg_catalog.name
    ELSE n.nspname <> 'information_schema' AND (n.nspname = 'pg_catalog' AND pg_catalog.length($3::pg_catalog.text) >= ${LETTERS_OF_FUNCTION} OR NOT pg_catalog.starts_with(n.nspname::pg_catalog.text, 'pg_')) END
  AND pg_catalog.starts_with(pg_catalog.lower(p.proname::pg_catalog.text), $3::pg_catalog.text)
  AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_function_privilege(p.oid, 'EXECUTE')
ORDER BY n.nspname, p.proname LIMIT 100)`;
const RELKINDS: Readonly<Record<string, string>> = { v: 'view', m: 'materialized view', f: 'foreign table' };

type Row = readonly (string | null)[];

/** Completions at an offset: the tables where one is named, columns of the statement's tables, functions, and words of SQL. */
export async function complete(text: string, offset: number, database: PgDatabase, signal: AbortSignal): Promise<CompletionList> {
  const place = completionPlace(text, offset);
  const { from, sort, typed } = place;
  if (sort === 'none') return { from, items: [] };
  const rows = sort === 'start' && !place.isQuoted ? [] : await namesAt(place, database, signal);
  const names = new Names(rows, place, database.facts.path);
  const items = best(names.ordered(), typed.toLowerCase());
  // A list of what is written already would only take the next Enter.
  const [only] = items;
  return { from, items: items.length === 1 && only?.insert === text.slice(from, offset) ? [] : items.slice(0, MOST) };
}

/** The names of the catalogue that may come here; none where the server doesn't answer. */
async function namesAt(place: CompletionPlace, database: PgDatabase, signal: AbortSignal): Promise<readonly Row[]> {
  const { sort, path, tables, typed } = place;
  const isMember = sort === 'member';
  const asked = isMember ? askedMember(place) : sort === 'table' ? [] : tables;
  const schema = isMember && path.length === 1 ? (path[0] ?? '') : '';
  // The name of a schema may be one of a table as well.
  const withTables = isMember ? path.length === 1 && asked.every(({ alias }) => alias === '') : sort === 'table' || typed !== '';
  const withFunctions = isMember ? withTables : sort === 'operand' && typed !== '';
  const values = [
    ...[arrayOf(asked.map(({ schema: of }) => of)), arrayOf(asked.map(({ name }) => name)), typed.toLowerCase(), schema],
    ...[String(withTables), String(withFunctions)],
  ];
  const [answer] = await database.read([{ text: NAMES, values }], signal).catch(() => []);
  return answer?.rows ?? [];
}

/** The tables that the names before the point may mean. */
function askedMember({ path, tables }: CompletionPlace): CompletionPlace['tables'] {
  const [last, schema] = path.toReversed();
  if (last === undefined) return [];
  if (schema !== undefined) return [{ schema, name: last, alias: last }];
  const called = tables.filter(({ alias, name }) => alias === last || name === last);
  return called.length > 0 ? called : [{ schema: '', name: last, alias: '' }];
}

/** Those that begin as typed, then names that contain it, each in its order. */
function best(items: readonly Completion[], typed: string): Completion[] {
  const named = items.filter(({ label }) => label !== '');
  const begins = named.filter(({ label }) => label.toLowerCase().startsWith(typed));
  const contains = named.filter(
    ({ label, kind }) =>
      typed.length > 1 && kind !== 'keyword' && label.toLowerCase().includes(typed) && !label.toLowerCase().startsWith(typed),
  );
  return [...begins, ...contains];
}

/** The completions of a place, the likely ones first. */
class Names {
  readonly #rows: readonly Row[];
  readonly #place: CompletionPlace;
  readonly #path: readonly string[];

  constructor(rows: readonly Row[], place: CompletionPlace, path: readonly string[]) {
    this.#rows = rows;
    this.#place = place;
    this.#path = path;
  }

  ordered(): Completion[] {
    const { sort, isQuoted, typed } = this.#place;
    if (sort === 'member') return [...this.#columns(), ...this.#tables(), ...(isQuoted ? [] : this.#functions())];
    const tables = [...this.#withQueries(), ...this.#tables()];
    const schemas = this.#schemas();
    if (isQuoted) return sort === 'table' ? [...tables, ...schemas] : [...this.#columns(), ...tables];
    if (sort === 'start') return this.#words(FIRST_WORDS);
    if (sort === 'table') return [...tables, ...schemas, ...(typed === '' ? [] : [...this.#functions(), ...this.#keywords()])];
    if (sort === 'after') return typed === '' ? this.#keywords() : [...this.#keywords(), ...this.#columns()];
    const common = [...this.#words(FUNCTIONS), ...this.#keywords()];
    const aliases = this.#aliases();
    return typed === ''
      ? [...this.#columns(), ...aliases, ...common]
      : [...this.#columns(), ...aliases, ...common, ...this.#functions(), ...tables, ...schemas];
  }

  #sort(sort: string): readonly Row[] {
    return this.#rows.filter(([of]) => of === sort);
  }

  /** A name as the server writes it, or as its quotes that are there already need it. */
  #written(name: string, ident: string): string {
    if (!this.#place.isQuoted) return ident;
    return this.#place.isClosed ? quoted(name).slice(0, -1) : quoted(name);
  }

  /** Words in capitals, unless small letters are typed. */
  #words(words: readonly string[]): Completion[] {
    const { typed } = this.#place;
    const isSmall = typed !== '' && typed === typed.toLowerCase();
    return words.map((word) => ({ label: word, insert: isSmall ? word.toLowerCase() : word, kind: 'keyword' }));
  }

  #keywords(): Completion[] {
    return this.#words(KEYWORDS);
  }

  #isHidden(schema: string, name: string, rows: readonly Row[]): boolean {
    const at = this.#path.indexOf(schema);
    if (at < 0) return true;
    return rows.some(
      ([, other, of]) => of === name && this.#path.indexOf(other ?? '') >= 0 && this.#path.indexOf(other ?? '') < at,
    );
  }

  #tables(): Completion[] {
    const rows = this.#sort('t');
    const isMember = this.#place.sort === 'member';
    const made = rows.map(([, schema, table, relkind, schemaIdent, tableIdent]) => {
      const name = this.#written(table ?? '', tableIdent ?? '');
      const isHidden = this.#isHidden(schema ?? '', table ?? '', rows) && schema !== 'pg_catalog';
      const item: Completion = {
        label: table ?? '',
        detail: `${RELKINDS[relkind ?? ''] ?? 'table'} in ${schema ?? ''}`,
        insert: isHidden && !isMember ? `${schemaIdent ?? ''}.${name}` : name,
        kind: 'table',
      };
      return { item, isHidden };
    });
    return [...made.filter(({ isHidden }) => !isHidden), ...made.filter(({ isHidden }) => isHidden)].map(({ item }) => item);
  }

  #schemas(): Completion[] {
    return this.#sort('s').map(([, schema, , , , ident]) => ({
      label: schema ?? '',
      detail: 'schema',
      insert: this.#written(schema ?? '', ident ?? ''),
      kind: 'value',
    }));
  }

  #functions(): Completion[] {
    const seen = new Set<string>(FUNCTIONS.map((name) => name.replace(/\(.*/, '')));
    return this.#sort('f').flatMap(([, schema, name, , schemaIdent, ident]): Completion[] => {
      if (schema === 'pg_catalog' && seen.has(name ?? '')) return [];
      const isFound = schema === 'pg_catalog' || this.#place.sort === 'member' || this.#path.includes(schema ?? '');
      return [
        {
          label: `${name ?? ''}(`,
          detail: `function in ${schema ?? ''}`,
          insert: isFound ? `${ident ?? ''}(` : `${schemaIdent ?? ''}.${ident ?? ''}(`,
          kind: 'keyword',
        },
      ];
    });
  }

  #withQueries(): Completion[] {
    return this.#place.withQueries.map((name) => ({
      label: name,
      detail: 'WITH query',
      insert: this.#written(name, /^[a-z_][a-z0-9_]*$/.test(name) ? name : quoted(name)),
      kind: 'table',
    }));
  }

  /** How the statement calls its tables: a point and a column come next. */
  #aliases(): Completion[] {
    const named = this.#place.tables.filter(({ alias, name }) => alias !== name);
    return named.map(({ alias, name }) => ({
      label: alias,
      detail: name,
      insert: /^[a-z_][a-z0-9_]*$/.test(alias) ? alias : quoted(alias),
      kind: 'table',
    }));
  }

  /** Of the tables that the search path finds first; of all so named where it finds none. */
  #columns(): Completion[] {
    const rows = this.#sort('c');
    const asked = this.#place.sort === 'member' ? askedMember(this.#place) : this.#place.tables;
    const owners = asked.map((table) => ({ table, rows: this.#rowsOf(table, rows) }));
    const times = new Map<string, number>();
    for (const owner of owners)
      for (const [, , , column] of owner.rows) times.set(column ?? '', (times.get(column ?? '') ?? 0) + 1);
    const made = owners.flatMap(({ table: { alias }, rows: own }) =>
      own.map(([, , name, column, type, ident]): Completion => {
        const isUnclear =
          this.#place.sort !== 'member' && new Set(asked.map((of) => of.alias)).size > 1 && (times.get(column ?? '') ?? 0) > 1;
        const prefix = isUnclear ? `${/^[a-z_][a-z0-9_]*$/.test(alias) ? alias : quoted(alias)}.` : '';
        return {
          label: column ?? '',
          detail: `${type ?? ''}, ${name ?? ''}`,
          insert: prefix + this.#written(column ?? '', ident ?? ''),
          kind: 'column',
        };
      }),
    );
    return [...new Map(made.map((item) => [`${item.insert}\n${item.detail ?? ''}`, item])).values()];
  }

  #rowsOf({ schema, name }: CompletionPlace['tables'][number], rows: readonly Row[]): readonly Row[] {
    const own = rows.filter(([, of, table]) => table === name && (schema === '' || of === schema));
    const schemas = [...new Set(own.map(([, of]) => of ?? ''))].filter((of) => this.#path.includes(of));
    const first = schemas.toSorted((left, right) => this.#path.indexOf(left) - this.#path.indexOf(right))[0];
    return schema !== '' || first === undefined ? own : own.filter(([, of]) => of === first);
  }
}
