import { expect, it } from 'vitest';
import { describeWithServer } from '../server.test-helper.ts';
import { PgClient } from '../wire/pgClient.ts';
import { beginRead, END_READ } from './readSettings.ts';

describeWithServer('a transaction that only reads', (server) => {
  it.each([
    ['the catalogue', [], 'off'],
    ['rows of a person', ['public'], 'on'],
  ])('compiles no question to %s, and leaves the setting of the server', async (_, path, jit) => {
    const { port, user, password } = server();
    const client = new PgClient({ host: '127.0.0.1', port, user, password, database: 'postgres' });
    await client.connect();
    try {
      await client.query('SET jit = on');
      const shown = async (): Promise<unknown> => (await client.query('SHOW jit')).rows[0];
      for (const { text, values = [] } of beginRead(path)) await client.query({ text, values: [...values] });
      expect(await shown()).toEqual({ jit });
      for (const { text } of END_READ) await client.query(text);
      expect(await shown()).toEqual({ jit: 'on' });
    } finally {
      await client.end();
    }
  });
});
