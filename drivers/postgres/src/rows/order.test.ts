import { beforeAll, expect, it } from 'vitest';
import { readTable } from '../catalogue/readTable.ts';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, ref, signal } from '../session.test-helper.ts';
import type { PgAnswer, TextRow } from '../wire/batch.ts';
import { PgClient } from '../wire/pgClient.ts';
import { orderOf } from './order.ts';

describeWithServer('the order of a table that others inherit from', (server) => {
  beforeAll(() =>
    administer(
      server(),
      `CREATE SCHEMA _timescaledb_internal;
      CREATE TABLE keyed (at int NOT NULL, device int NOT NULL, PRIMARY KEY (device, at));
      CREATE TABLE _timescaledb_internal.keyed_chunk (UNIQUE (at, device)) INHERITS (keyed);
      CREATE TABLE keyless (at int); CREATE TABLE _timescaledb_internal.keyless_chunk () INHERITS (keyless);
      CREATE TABLE plain (at int); CREATE TABLE plain_child () INHERITS (plain);
      CREATE TABLE lone (at int PRIMARY KEY); CREATE TABLE lone_child () INHERITS (lone);
      CREATE TABLE partial (at int PRIMARY KEY); CREATE TABLE partial_child () INHERITS (partial); CREATE UNIQUE INDEX ON partial_child (at) WHERE at > 3;
      CREATE TABLE deferred (at int PRIMARY KEY); CREATE TABLE deferred_child (UNIQUE (at) DEFERRABLE) INHERITS (deferred);
      CREATE TABLE wider (at int PRIMARY KEY, n int); CREATE TABLE wider_child (UNIQUE (at, n)) INHERITS (wider)`,
    ),
  );

  async function termsOf(name: string, schema?: string) {
    const client = new PgClient({
      host: '127.0.0.1',
      port: server().port,
      user: server().user,
      password: server().password,
      database: 'postgres',
    });
    await client.connect();
    try {
      await client.query(`SELECT set_config('tabularium.path', current_schemas(true)::text, false)`);
      const table = await readTable(
        {
          prefix: [],
          path: [],
          read: async (steps) => {
            const answers: PgAnswer[] = [];
            for (const { text, values = [] } of steps) {
              const types = { getTypeParser: () => (value: string) => value };
              const { rows } = await client.query<TextRow[number][]>({ text, values: [...values], rowMode: 'array', types });
              answers.push({ rows, fields: [], tag: '' });
            }
            return answers;
          },
        },
        ref(name, schema),
        signal,
      );
      const { terms, isTotal } = orderOf([], table);
      return { terms: terms.map(({ sql, nullable }) => `${sql.replaceAll('"', '')}${nullable ? ' or null' : ''}`), isTotal };
    } finally {
      await client.end();
    }
  }

  it('is the key and the storing table where each heir has the key too: compressed chunks have no places', async () => {
    expect(await termsOf('keyed')).toEqual({ terms: ['keyed.device', 'keyed.at', 'keyed.tableoid'], isTotal: true });
  });

  it('is every column of a table with chunks that have no key, and of such a chunk', async () => {
    expect(await termsOf('keyless')).toEqual({ terms: ['keyless.at or null'], isTotal: false });
    expect(await termsOf('keyless_chunk', '_timescaledb_internal')).toMatchObject({ isTotal: false });
  });

  it.each(['lone', 'partial', 'deferred', 'wider'])(
    'is the place, too, where the key of %s names no row of its heir',
    async (name) => {
      const { terms } = await termsOf(name);
      expect(terms).toEqual([`${name}.at or null`, `${name}.tableoid`, `${name}.ctid`]);
    },
  );

  it('is the place of a table without a key', async () => {
    expect(await termsOf('plain')).toEqual({ terms: ['plain.tableoid', 'plain.ctid'], isTotal: true });
  });
});
