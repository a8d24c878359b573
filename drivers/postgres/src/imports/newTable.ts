import { DriverError, driverText, isDriverError } from '@tabularium/sdk';
import type { DriverTexts, ImportedTables, PlannedChange, TableRef } from '@tabularium/sdk';
import { forms } from '../catalogue/readSettings.ts';
import { STANDBY } from '../catalogue/reasons.ts';
import { faultTexts, rolledBack, stopIfCancelled } from '../fault.ts';
import { qualified, quoted, shown } from '../names.ts';
import { rollBack } from '../pgDatabase.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import { identifierOf } from '../sql/verdict.ts';
import { splitSql } from '../sql/split.ts';
import type { SplitStatement } from '../sql/split.ts';
import type { Link } from '../wire/link.ts';
import { likeFunctions, likeStatement, likeTable } from './likeTable.ts';
import { proposedTable } from './proposedTable.ts';
import { refuseName } from './refuseName.ts';

/** Characters of a statement that fit the path of a described request. */
const LONGEST_PATH = 16_000;

const BEGIN = { text: 'BEGIN TRANSACTION ISOLATION LEVEL READ COMMITTED READ WRITE' };

/** The schemas in which the role may make a table, the one that names are looked for in first. $1: the search path. */
const SCHEMAS = `
SELECT n.nspname FROM pg_catalog.pg_namespace n
WHERE NOT pg_catalog.starts_with(n.nspname::pg_catalog.text, 'pg_') AND n.nspname <> 'information_schema'
  AND pg_catalog.has_schema_privilege(n.oid, 'CREATE') AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
ORDER BY pg_catalog.array_position(ARRAY(SELECT pg_catalog.json_array_elements_text($1::pg_catalog.json)), n.nspname::pg_catalog.text), n.nspname
LIMIT 10000`;

/** $1: schema, $2: name. A table is a type as well, so a type of this name is in its way. No row: the schema doesn't exist. */
const PLACE = `
SELECT pg_catalog.has_schema_privilege(n.oid, 'CREATE') AND pg_catalog.has_schema_privilege(n.oid, 'USAGE'),
  EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.relnamespace = n.oid AND c.relname = $2)
    OR EXISTS (SELECT FROM pg_catalog.pg_type t WHERE t.typnamespace = n.oid AND t.typname = $2 AND t.typelem = 0)
FROM pg_catalog.pg_namespace n WHERE n.nspname = $1`;

/** Those of a list that the database has. $1: types as the server writes them. */
const KNOWN_TYPES = `
SELECT t FROM pg_catalog.json_array_elements_text($1::pg_catalog.json) t WHERE pg_catalog.to_regtype(t) IS NOT NULL`;

/** Those of a list that are neither functions of the search path nor words of SQL such as COALESCE. $1: names. */
const LACKING_FUNCTIONS = `
SELECT t FROM pg_catalog.json_array_elements_text($1::pg_catalog.json) t
WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_proc p WHERE p.proname = t AND pg_catalog.pg_function_is_visible(p.oid))
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_get_keywords() k WHERE k.word = t)`;

/** Makes tables for the rows of an import. */
export function createTables(database: PgDatabase, changed: () => void): ImportedTables {
  return {
    async namespaces({ signal }) {
      const values = [JSON.stringify(database.facts.path)];
      const [answer] = await database.read([{ text: SCHEMAS, values }], signal);
      const found = (answer?.rows ?? []).map(([schema]) => database.pathOf(schema ?? ''));
      if (found.length > 0) return found;
      const { user } = database.facts;
      throw new DriverError('ACCESS_REFUSED', `${user} may create tables in no schema of this database.`, {
        details: {
          advice: 'Ask the owner of a schema for the permission CREATE.',
          texts: faultTexts('newTable.noSchema', { user }, 'newTable.noSchema.advice'),
        },
      });
    },
    async propose(table, rows, { signal }) {
      stopIfCancelled(signal);
      return proposedTable(placeOf(database, table).sql, rows);
    },
    async like(table, definition, { signal }) {
      stopIfCancelled(signal);
      const { sql } = placeOf(database, table);
      const like = likeTable(definition);
      if (like === undefined) throw refused("This isn't the definition of a table.", faultTexts('newTable.notTable'));
      const types = [...new Set(like.columns.map(({ type }) => type))];
      const [answer, lacking] = await database.read(
        [
          { text: KNOWN_TYPES, values: [JSON.stringify(types)] },
          { text: LACKING_FUNCTIONS, values: [JSON.stringify(likeFunctions(like))] },
        ],
        signal,
      );
      const known = new Set((answer?.rows ?? []).map(([type]) => type));
      const missing = new Set((lacking?.rows ?? []).map(([name]) => name));
      return likeStatement(sql, like, {
        hasType: (type) => known.has(type),
        hasFunction: (name) => !missing.has(name),
        version: database.facts.number,
      });
    },
    plan: (table, definition, { signal }) => planned(database, table, definition, signal),
    async create(table, definition, { signal }) {
      await planned(database, table, definition, signal);
      try {
        await database.links.useToWrite(signal, (link) => created(link, database, definition, signal));
      } finally {
        changed();
      }
    },
    async discard(table, { signal }) {
      const { sql, relkind } = await database.freshTable(table, signal);
      // An import made neither a view nor a table of another kind, which the name may lead to by now.
      if (relkind !== 'r' && relkind !== 'p') throw notRemoved(table);
      try {
        await database.links.useToWrite(signal, (link) => discarded(link, table, sql, signal));
      } finally {
        changed();
      }
    },
  };
}

interface Place {
  readonly schema: string;
  readonly sql: string;
}

function placeOf({ prefix }: Pick<PgDatabase, 'prefix'>, { namespace, name }: TableRef): Place {
  const [schema, ...more] = namespace.slice(prefix.length);
  const isHere = prefix.every((one, place) => namespace[place] === one);
  // Another path means a table elsewhere, which must not be made here.
  if (!isHere || schema === undefined || more.length > 0)
    throw refused('A table of PostgreSQL is in a schema. Choose one.', faultTexts('newTable.needsSchema'));
  refuseName(name, 'name');
  return { schema, sql: qualified(schema, name) };
}

function refused(message: string, texts: DriverTexts | undefined): DriverError {
  return new DriverError('INVALID_INPUT', message, {
    details: { field: 'definition', ...(texts === undefined ? {} : { texts }) },
  });
}

async function planned(database: PgDatabase, table: TableRef, definition: string, signal: AbortSignal): Promise<PlannedChange> {
  stopIfCancelled(signal);
  const { schema, sql } = placeOf(database, table);
  const statement = onlyStatement(definition);
  const made = madeTable(statement, definition);
  if (made === undefined) throw refused('The definition has to be a CREATE TABLE statement.', faultTexts('newTable.create'));
  if (made.schema !== schema || made.name !== table.name)
    throw refused(`The definition has to make the table ${sql}.`, faultTexts('newTable.name', { name: sql }));
  if (database.facts.isStandby)
    throw new DriverError('ACCESS_REFUSED', STANDBY.reason, { details: { texts: faultTexts(STANDBY.id) } });
  const [answer] = await database.read([{ text: PLACE, values: [schema, table.name] }], signal);
  const row = answer?.rows[0];
  if (row === undefined) throw refused(`There is no schema “${schema}”.`, faultTexts('newTable.schemaGone', { schema }));
  const { user } = database.facts;
  if (row[0] !== 't')
    throw new DriverError('ACCESS_REFUSED', `${user} has no permission to create tables in the schema “${schema}”.`, {
      details: {
        advice: `Choose another schema, or ask for GRANT USAGE, CREATE ON SCHEMA ${quoted(schema)}.`,
        texts: {
          message: driverText('newTable.noRight', { user, schema }),
          advice: driverText('newTable.noRight.advice', { schema: quoted(schema) }),
        },
      },
    });
  if (row[1] === 't') {
    const name = shown(table);
    throw new DriverError('CONFLICT', `There is a table or something else “${name}” already.`, {
      details: { texts: faultTexts('newTable.taken', { name }) },
    });
  }
  await refuseFaulty(database, statement.text, signal);
  const rest = definition.slice(statement.start + 'CREATE'.length).trim();
  const name = shown(table);
  return {
    effect: 'write',
    consequence: `The table “${name}” is created. It is empty until rows are imported.`,
    texts: { consequence: driverText('import.newTable', { name }) },
    requests: [
      rest.length <= LONGEST_PATH
        ? { method: 'CREATE', path: rest }
        : { method: 'CREATE', path: `TABLE ${sql}`, body: definition },
    ],
  };
}

/** The statement is parsed and not run. */
async function refuseFaulty(database: PgDatabase, text: string, signal: AbortSignal): Promise<void> {
  try {
    await database.links.use(signal, (link) => link.parametersOf(text, signal));
  } catch (error) {
    throw isDriverError(error) && error.code === 'INVALID_INPUT' ? refused(error.message, error.details.texts) : error;
  }
}

function onlyStatement(text: string): SplitStatement {
  const [statement, ...others] = splitSql(text);
  if (statement === undefined || others.length > 0)
    throw refused('The definition has to be one CREATE TABLE statement.', faultTexts('newTable.one'));
  return statement;
}

/** The table that a statement makes; undefined for one that does something else, or fills it. */
function madeTable(
  { tokens }: SplitStatement,
  definition: string,
): { readonly schema: string; readonly name: string } | undefined {
  const isWord = (at: number, text: string): boolean => tokens[at]?.kind === 'word' && tokens[at].text === text;
  const isSymbol = (at: number, text: string): boolean => tokens[at]?.kind === 'symbol' && tokens[at].text === text;
  const nameAt = (at: number): string | undefined => {
    const token = tokens[at];
    return token === undefined ? undefined : identifierOf(token, definition);
  };
  if (tokens.some(({ kind }) => kind === 'bad' || kind === 'parameter') || !isWord(0, 'CREATE')) return undefined;
  // IF NOT EXISTS would make nothing where a table came meanwhile, without saying so.
  const at = isWord(1, 'UNLOGGED') ? 2 : 1;
  const schema = nameAt(at + 1);
  const name = nameAt(at + 3);
  if (!isWord(at, 'TABLE') || schema === undefined || !isSymbol(at + 2, '.') || name === undefined) return undefined;
  if (!isSymbol(at + 4, '(')) return undefined;
  let depth = 0;
  for (let place = at + 4; place < tokens.length; place += 1) {
    if (isSymbol(place, '(')) depth += 1;
    else if (isSymbol(place, ')')) depth -= 1;
    // CREATE TABLE … AS SELECT would fill it.
    else if (depth === 0 && isWord(place, 'AS')) return undefined;
  }
  return { schema, name };
}

async function created(link: Link, database: PgDatabase, definition: string, signal: AbortSignal): Promise<void> {
  try {
    await link.batch([BEGIN, forms(database.facts.path), { text: definition }], signal);
  } catch (error) {
    await rollBack(link);
    throw error;
  }
  await committed(
    link,
    'Whether the table was created is not known: the connection was lost while the server committed.',
    'newTable.unknown',
  );
}

async function discarded(link: Link, table: TableRef, sql: string, signal: AbortSignal): Promise<void> {
  try {
    // A policy that hides rows makes the count an error and not zero.
    const off = { text: `SELECT pg_catalog.set_config('row_security', 'off', true)` };
    const lock = { text: `LOCK TABLE ${sql} IN ACCESS EXCLUSIVE MODE` };
    const answers = await link.batch([BEGIN, off, lock, { text: `SELECT EXISTS (SELECT FROM ${sql})` }], signal);
    if (answers.at(-1)?.rows[0]?.[0] !== 'f') throw notRemoved(table);
    await link.run(`DROP TABLE ${sql}`, [], signal);
  } catch (error) {
    await rollBack(link);
    throw error;
  }
  await committed(
    link,
    'Whether the table was removed is not known: the connection was lost while the server committed.',
    'newTable.unknownRemoval',
  );
}

function notRemoved(table: TableRef): DriverError {
  const name = shown(table);
  return new DriverError('CONFLICT', `“${name}” has rows or is another table by now, so it was not removed.`, {
    details: { texts: faultTexts('newTable.hasRows', { name }) },
  });
}

/** @param unknown - the sentence where the connection is lost before the answer, with its translation */
async function committed(link: Link, unknown: string, id: string): Promise<void> {
  let tag: string;
  try {
    // Not to be cancelled from here on: its outcome would not be known.
    ({ tag } = await link.run('COMMIT', [], new AbortController().signal));
  } catch (error) {
    if (link.isOpen) {
      await rollBack(link);
      throw error;
    }
    throw new DriverError('CONNECTION_LOST', unknown, {
      cause: error,
      details: {
        advice: 'Reload the list of tables before you repeat this.',
        texts: faultTexts(id, {}, 'newTable.unknown.advice'),
      },
    });
  }
  if (tag !== 'COMMIT') throw rolledBack();
}
