import { randomUUID } from 'node:crypto';
import { rowKeyText } from '@tabularium/sdk';
import { rowKeySchema } from '@tabularium/sdk/protocol';
import { HostError } from '../../common/errors.ts';
import { MOST_JUDGMENTS, MOST_QUERIES } from '../../common/relevance.ts';
import type {
  AddQueries,
  CreateQuerySet,
  ImportQuerySet,
  ImportedQuerySet,
  Judge,
  JudgedQuery,
  ListQuerySets,
  QuerySet,
  QuerySetFormat,
  QuerySetInfo,
} from '../../common/relevance.ts';
import type { Inject } from '../container/inject.ts';
import { Database } from '../storage/database.ts';
import { readQuerySetFile, writeQuerySetFile } from './querySetFile.ts';
import { requireConnection } from './requireConnection.ts';
import { storedTable, tableOfStored } from './storedTable.ts';

const INFO = `
  SELECT query_sets.*,
    (SELECT count(*) FROM judged_queries WHERE set_id = query_sets.id) AS queries,
    (SELECT count(*) FROM judgments JOIN judged_queries ON judged_queries.id = query_id WHERE set_id = query_sets.id) AS judgments
  FROM query_sets`;

/** Queries of a table with the rows that people judged for them, in the home's database. */
export class QuerySets {
  static readonly inject: Inject<typeof QuerySets> = [Database];

  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** By name without regard to letter case; also those of connections that were removed. */
  list({ connectionId, table }: ListQuerySets): readonly QuerySetInfo[] {
    return this.#database.connection
      .prepare(
        `${INFO} WHERE (?1 IS NULL OR connection_id IS NULL OR connection_id = ?1) AND (?2 IS NULL OR ref = ?2)
          ORDER BY name COLLATE NOCASE, id`,
      )
      .all(connectionId ?? null, table === undefined ? null : storedTable(table))
      .map(infoOf);
  }

  /** @throws HostError `INVALID_REQUEST` for a set that is gone */
  get(id: string): QuerySet {
    const info = this.#info(id);
    const { connection } = this.#database;
    const judgments = connection
      .prepare(
        `SELECT query_id, row_key, grade FROM judgments JOIN judged_queries ON judged_queries.id = query_id WHERE set_id = ?
          ORDER BY query_id, grade DESC, row_key`,
      )
      .all(id);
    const byQuery = Map.groupBy(judgments, (row) => Number(row['query_id']));
    const judged = connection
      .prepare('SELECT id, text FROM judged_queries WHERE set_id = ? ORDER BY id')
      .all(id)
      .map((row): JudgedQuery => {
        const queryId = Number(row['id']);
        return {
          id: queryId,
          text: String(row['text']),
          judgments: (byQuery.get(queryId) ?? []).map((one) => ({
            key: rowKeySchema.parse(JSON.parse(String(one['row_key']))),
            grade: Number(one['grade']),
          })),
        };
      });
    return { ...info, judged };
  }

  /** @throws HostError `INVALID_REQUEST` for a name that the table has already, `CONNECTION_UNKNOWN` */
  create({ connectionId, table, name }: CreateQuerySet): QuerySetInfo {
    requireConnection(this.#database, connectionId);
    this.#requireFreeName({ connectionId, table }, name);
    const id = randomUUID();
    this.#database.connection
      .prepare('INSERT INTO query_sets (id, connection_id, ref, name, created_at) VALUES (?, ?, ?, ?, ?)')
      .run(id, connectionId, storedTable(table), name, new Date().toISOString());
    return this.#info(id);
  }

  /** @throws HostError `INVALID_REQUEST` for a set that is gone, and for a name that the table has already */
  rename(id: string, name: string): QuerySetInfo {
    const { connectionId, table } = this.#info(id);
    this.#requireFreeName({ ...(connectionId === null ? {} : { connectionId }), table }, name, id);
    this.#database.connection.prepare('UPDATE query_sets SET name = ? WHERE id = ?').run(name, id);
    return this.#info(id);
  }

  /** Takes its queries, judgments and runs with it. */
  remove(id: string): void {
    this.#database.connection.prepare('DELETE FROM query_sets WHERE id = ?').run(id);
  }

  /** Adds queries at the end, those that the set has already left out. @throws HostError `INVALID_REQUEST`, where nothing was added */
  addQueries({ id, texts }: AddQueries): QuerySet {
    this.#info(id);
    this.#database.transaction(() => {
      for (const text of texts) this.#queryId(id, text);
    });
    return this.get(id);
  }

  /** Takes the query's judgments with it. @throws HostError `INVALID_REQUEST` for a set that is gone */
  removeQuery(id: string, queryId: number): QuerySet {
    this.#database.connection.prepare('DELETE FROM judged_queries WHERE id = ? AND set_id = ?').run(queryId, id);
    return this.get(id);
  }

  /**
   * Gives a row a grade for a query, which is added to the set where it lacks it, or takes the grade back.
   *
   * @returns the query; undefined where nothing of it is in the set
   * @throws HostError `INVALID_REQUEST` for a set that is gone or full
   */
  judge({ id, text, key, grade }: Judge): JudgedQuery | undefined {
    this.#info(id);
    this.#database.transaction(() => {
      const { connection } = this.#database;
      if (grade === null) {
        connection
          .prepare(
            'DELETE FROM judgments WHERE row_key = ? AND query_id IN (SELECT id FROM judged_queries WHERE set_id = ? AND text = ?)',
          )
          .run(rowKeyText(key), id, text);
        return;
      }
      this.#grade(this.#queryId(id, text), rowKeyText(key), grade);
    });
    return this.get(id).judged.find((query) => query.text === text);
  }

  /** The set as a file. @throws HostError `INVALID_REQUEST` for a set that is gone */
  export(id: string, format: QuerySetFormat): string {
    return writeQuerySetFile(this.get(id), format);
  }

  /**
   * Takes a file into the table's set of this name, or into a new one. A grade of the file replaces one that is there; nothing is taken out.
   *
   * @throws HostError `INVALID_REQUEST` (with the line or place) for a file that can't be read; nothing was taken then. `CONNECTION_UNKNOWN`
   */
  import({ connectionId, table, name, content }: ImportQuerySet): ImportedQuerySet {
    const queries = readQuerySetFile(content);
    return this.#database.transaction(() => {
      const same = this.#named({ connectionId, table }, name);
      const { id } = same ?? this.create({ connectionId, table, name });
      let judgments = 0;
      for (const query of queries) {
        const queryId = this.#queryId(id, query.text);
        for (const { key, grade } of query.judgments) this.#grade(queryId, rowKeyText(key), grade);
        judgments += query.judgments.length;
      }
      return { set: this.#info(id), merged: same !== undefined, queries: queries.length, judgments };
    });
  }

  #grade(queryId: number, rowKey: string, grade: number): void {
    const { connection } = this.#database;
    connection
      .prepare(
        'INSERT INTO judgments (query_id, row_key, grade) VALUES (?, ?, ?) ON CONFLICT (query_id, row_key) DO UPDATE SET grade = excluded.grade',
      )
      .run(queryId, rowKey, grade);
    const { count } = connection.prepare('SELECT count(*) AS count FROM judgments WHERE query_id = ?').get(queryId) ?? {};
    if (Number(count) > MOST_JUDGMENTS) {
      throw new HostError('INVALID_REQUEST', `A query has at most ${MOST_JUDGMENTS} judgments.`, {
        details: { advice: 'Take judgments back that are no longer needed.' },
      });
    }
  }

  /** The query of this text; it is added where the set lacks it. */
  #queryId(setId: string, text: string): number {
    const { connection } = this.#database;
    const there = connection.prepare('SELECT id FROM judged_queries WHERE set_id = ? AND text = ?').get(setId, text);
    if (there !== undefined) return Number(there['id']);
    const { count } = connection.prepare('SELECT count(*) AS count FROM judged_queries WHERE set_id = ?').get(setId) ?? {};
    if (Number(count) >= MOST_QUERIES) {
      throw new HostError('INVALID_REQUEST', `A query set has at most ${MOST_QUERIES} queries.`, {
        details: { advice: 'Begin another set for the rest.' },
      });
    }
    return Number(connection.prepare('INSERT INTO judged_queries (set_id, text) VALUES (?, ?)').run(setId, text).lastInsertRowid);
  }

  #info(id: string): QuerySetInfo {
    const row = this.#database.connection.prepare(`${INFO} WHERE query_sets.id = ?`).get(id);
    if (row === undefined) throw new HostError('INVALID_REQUEST', 'This query set no longer exists.');
    return infoOf(row);
  }

  #named(of: ListQuerySets, name: string): QuerySetInfo | undefined {
    return this.list(of).find((one) => one.name.toLowerCase() === name.toLowerCase());
  }

  #requireFreeName(of: ListQuerySets, name: string, own?: string): void {
    const same = this.#named(of, name);
    if (same === undefined || same.id === own) return;
    throw new HostError('INVALID_REQUEST', `There is already a query set "${same.name}".`, {
      details: { field: 'name', advice: 'Choose another name.' },
    });
  }
}

function infoOf(row: Record<string, unknown>): QuerySetInfo {
  return {
    id: String(row['id']),
    connectionId: typeof row['connection_id'] === 'string' ? row['connection_id'] : null,
    table: tableOfStored(row['ref']),
    name: String(row['name']),
    createdAt: String(row['created_at']),
    queries: Number(row['queries']),
    judgments: Number(row['judgments']),
  };
}
