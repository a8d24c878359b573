import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Session, SocketCapability } from '@tabularium/sdk';
import { driver } from '../index.ts';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, grantsOf, importRows, ref, signal } from '../session.test-helper.ts';

// The parts of one import, each in a transaction of its own, on a server where nothing else ends meanwhile, or something does.

const MODES = ['create', 'upsert'] as const;

/** A socket that counts what is sent to the server, in bytes. */
function counted(socket: SocketCapability): { readonly socket: SocketCapability; readonly sent: () => number } {
  let bytes = 0;
  return {
    sent: () => bytes,
    socket: {
      endpoint: socket.endpoint,
      tls: socket.tls,
      async open(options) {
        const opened = await socket.open(options);
        return Object.assign(Object.create(opened) as typeof opened, {
          received: opened.received,
          write: async (data: Uint8Array) => {
            bytes += data.length;
            await opened.write(data);
          },
        });
      },
    },
  };
}

describeWithServer('the parts of an import', (server) => {
  let session: Session;
  let sent: () => number;
  beforeEach(async () => {
    await administer(
      server(),
      `DROP SCHEMA IF EXISTS parts CASCADE; CREATE SCHEMA parts;
       CREATE TABLE parts.goods (id int PRIMARY KEY, v text, price numeric);
       CREATE TABLE parts.log (id int);
       CREATE FUNCTION parts.wipe() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM parts.log; RETURN NEW; END $$`,
    );
    const { settings, context } = grantsOf(server());
    const counting = counted(context.socket);
    ({ sent } = counting);
    session = await driver.definition.connect(
      settings,
      { ...context, socket: counting.socket, log: () => undefined },
      { signal },
    );
  });
  afterEach(() => session.close());

  const goods = ref('goods', 'parts');
  const rowsFrom = (first: number, value: object = {}): string[] =>
    Array.from({ length: 30 }, (_, index) => JSON.stringify({ id: first + index, v: 'a', price: '1.25', ...value }));
  const begin = async (mode: string): Promise<void> => {
    await session.import?.form(goods, { signal });
    expect(await importRows(session, goods, mode, rowsFrom(0))).toHaveLength(30);
  };

  it.each(MODES)('by %s ask nothing of the catalogue where nothing can have changed', async (mode) => {
    const before = sent();
    await begin(mode);
    const first = sent() - before;
    for (const from of [100, 200]) {
      const at = sent();
      await importRows(session, goods, mode, rowsFrom(from));
      // The rows themselves, and the little that begins and ends a transaction.
      expect(sent() - at).toBeLessThan(6_000);
    }
    expect(first).toBeGreaterThan(50_000);
  });

  it.each(MODES)('by %s go on after a row was rejected, each with its own outcomes', async (mode) => {
    await begin(mode);
    for (const from of [100, 200, 300]) {
      const rows = [...rowsFrom(from), JSON.stringify({ id: from + 50, v: 'b', price: 'dear' })];
      const outcomes = await importRows(session, goods, mode, rows);
      expect(outcomes.map(({ outcome }) => outcome).filter((outcome) => outcome === 'written')).toHaveLength(30);
      expect(outcomes[30]).toMatchObject({ outcome: 'rejected' });
    }
  });

  describe.each(MODES)('by %s', (mode) => {
    it.each([
      [
        'a trigger that deletes other rows',
        'CREATE TRIGGER wipe BEFORE INSERT ON parts.goods FOR EACH ROW EXECUTE FUNCTION parts.wipe()',
        'CONFLICT',
      ],
      ['another type', 'ALTER TABLE parts.goods ALTER price TYPE int', undefined],
      ['no such table', 'DROP TABLE parts.goods', 'NOT_FOUND'],
      [
        'a view in its place',
        'ALTER TABLE parts.goods RENAME TO old; CREATE VIEW parts.goods AS SELECT * FROM parts.old',
        mode === 'create' ? 'CONFLICT' : 'INVALID_INPUT',
      ],
      [
        'another table in its place',
        'ALTER TABLE parts.goods RENAME TO old; CREATE TABLE parts.goods (id int PRIMARY KEY, v text, price numeric); CREATE TRIGGER wipe BEFORE INSERT ON parts.goods FOR EACH ROW EXECUTE FUNCTION parts.wipe()',
        'CONFLICT',
      ],
    ] as const)('see %s between two of them', async (_what, change, code) => {
      await begin(mode);
      await importRows(session, goods, mode, rowsFrom(100));
      await administer(server(), change);
      const part = importRows(session, goods, mode, rowsFrom(200));
      if (code !== undefined) {
        await expect(part).rejects.toMatchObject({ code });
        return;
      }
      const outcomes = await part;
      // A price that the new type doesn't have is refused, not rounded.
      const isRefused = change.includes('TYPE int');
      expect(outcomes.every(({ outcome }) => outcome === (isRefused ? 'rejected' : 'written'))).toBe(true);
    });

    it('see a trigger that replaces one which was judged, and a function that is replaced below it', async () => {
      await administer(
        server(),
        `CREATE FUNCTION parts.trim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.v := 't'; RETURN NEW; END $$;
         CREATE TRIGGER t BEFORE INSERT ON parts.goods FOR EACH ROW EXECUTE FUNCTION parts.trim()`,
      );
      await begin(mode);
      await importRows(session, goods, mode, rowsFrom(100));
      await administer(
        server(),
        `CREATE OR REPLACE FUNCTION parts.trim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM parts.log; RETURN NEW; END $$`,
      );
      await expect(importRows(session, goods, mode, rowsFrom(200))).rejects.toMatchObject({ code: 'CONFLICT' });
    });
  });
});
