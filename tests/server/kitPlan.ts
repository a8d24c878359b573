import { DriverError } from '@tabularium/sdk';
import type { CallOptions, DriverContext, Session, TableRef } from '@tabularium/sdk';
import type { ConformancePlan, KnownTable } from '@tabularium/sdk/testing';
import packageJson from '../../drivers/search/package.json' with { type: 'json' };
import { knownEdits, knownPrincipals, knownTables } from '../../drivers/search/src/fixture.test-helper.ts';
import { driver } from '../../drivers/search/src/index.ts';
import { importDocuments } from './scenario.ts';
import type { ServerUnderTest } from './scenario.ts';

const LARGE_ROWS = 9_000;
const LARGE_BYTES = 1_000;

export interface KitPlanOptions {
  readonly http: NonNullable<DriverContext['http']>;
  readonly host: string;
  readonly secret: string;
  readonly server: ServerUnderTest;
}

/** The conformance plan for a server that is filled under this run's prefix. Collections of others are not even listed. */
export async function kitPlan({ http, host, secret, server }: KitPlanOptions): Promise<ConformancePlan> {
  const { prefix, short, must } = server;
  const own = (ref: KnownTable['ref']): KnownTable['ref'] => ({ namespace: [], name: `${prefix}${ref.name}` });
  const scratch = `${prefix}scratch`;
  const collection = `/collections/${prefix}shelf`;
  const many = `/collections/${prefix}many`;
  const prepare = async (): Promise<void> => {
    await server.ask('DELETE', `/collections/${scratch}`);
    await must('POST', '/collections', { name: scratch, fields: [{ name: 'n', type: 'int32' }] });
    await importDocuments(server, scratch, ['{"id":"a","n":1}', '{"id":"b","n":2}', '{"id":"c","n":3}']);
  };
  const large = `${prefix}large`;
  if (!short) await fillLarge(server, large);
  if ((server.major ?? 0) >= 30) {
    // From this version on a rule needs a set that the collection uses.
    await must('PUT', `/curation_sets/${prefix}rules`, { items: [] });
    await must('PATCH', collection, { curation_sets: [`${prefix}rules`] });
  }
  return {
    driver: {
      ...driver,
      definition: {
        ...driver.definition,
        connect: async (...given) => onlyOwn(await driver.definition.connect(...given), prefix),
      },
    },
    manifest: packageJson.tabularium,
    tables: knownTables.map((table) => ({ ...table, ref: own(table.ref) })),
    edits: knownEdits.map((edit) => ({ ...edit, table: own(edit.table) })),
    principals: { input: { ...knownPrincipals.input, description: [`${prefix}kit`], collections: [`${prefix}shelf`] } },
    placedHits: { table: own({ namespace: [], name: 'shelf' }), text: 'fig' },
    operations: [
      { table: { namespace: [], name: scratch }, operation: 'empty', after: 0, prepare },
      { table: { namespace: [], name: scratch }, operation: 'delete', after: 'gone', prepare },
    ],
    ...(short
      ? {}
      : {
          large: {
            table: { namespace: [], name: large },
            rows: LARGE_ROWS,
            statement: `GET /collections/${large}/documents/export`,
          },
        }),
    // A key of a few letters is part of many words.
    secrets: secret.length < 8 ? [] : [secret],
    open: () => ({ settings: { host }, context: { http } }),
    console: {
      script: {
        text: `GET /collections\n\nPOST /multi_search\n{"searches":[]}\n\n### next\ndelete ${collection}/documents/1\nSELECT 1`,
        statements: 3,
      },
      classified: [
        { statement: 'GET /collections', effect: 'read' },
        { statement: `POST ${collection}/documents\n{"id":"1"}`, effect: 'write' },
        { statement: `POST ${collection}/documents?action=upsert\n{"id":"1"}`, effect: 'destructive' },
        { statement: 'POST /operations/db/compact', effect: 'destructive' },
        { statement: `DELETE ${collection}`, effect: 'destructive' },
        { statement: `PATCH ${collection}\n{"fields":[{"name":"x","drop":true}]}`, effect: 'destructive' },
      ],
      reads: [
        { statement: `GET ${collection}/documents/export`, rows: [24] },
        { statement: `GET ${many}/documents/search?q=*&per_page=7`, rows: [7] },
        { statement: `POST /multi_search\n{"searches":[{"collection":"${prefix}many","q":"*","per_page":250}]}`, rows: [250] },
      ],
      refused: [
        'SELECT * FROM shelf',
        'DELETE FROM shelf',
        'GET http://evil.example/x',
        'GET //evil.example/x',
        'GET /\\evil',
        'nonsense',
      ],
    },
  };
}

/** The tables of other people are not there for the kit, so that none of theirs has a name that the kit takes for free. */
function onlyOwn(session: Session, prefix: string): Session {
  const hide = async (table: TableRef, options: CallOptions): Promise<void> => {
    if (table.name.startsWith(prefix)) return;
    const tables = await session.listTables(options);
    if (tables.some(({ ref }) => ref.name === table.name)) throw new DriverError('NOT_FOUND', 'This check has no such table.');
  };
  return {
    ...session,
    listTables: async (options) => (await session.listTables(options)).filter(({ ref }) => ref.name.startsWith(prefix)),
    describeTable: (table, options) => hide(table, options).then(() => session.describeTable(table, options)),
    readPage: (request, options) => hide(request.table, options).then(() => session.readPage(request, options)),
    countRows: (request, options) => hide(request.table, options).then(() => session.countRows(request, options)),
  };
}

async function fillLarge(server: ServerUnderTest, name: string): Promise<void> {
  await server.must('POST', '/collections', { name, fields: [{ name: 'body', type: 'string', index: false, optional: true }] });
  for (let from = 0; from < LARGE_ROWS; from += 1_000) {
    const lines = Array.from({ length: 1_000 }, (_, index) => {
      const id = String(from + index);
      return JSON.stringify({ id, body: Buffer.alloc(LARGE_BYTES, `${id} `).toString('latin1') });
    });
    await importDocuments(server, name, lines);
  }
}
