import { afterAll, beforeAll, expect, it } from 'vitest';
import { PgClient } from '../wire/pgClient.ts';
import { describeWithServer } from '../server.test-helper.ts';
import { clientOptions } from '../session.test-helper.ts';
import { namesDay } from './namesDay.ts';

const DAYS = [
  ...[
    '',
    '2026-01-31',
    '2026/1/31',
    '2026.01.31',
    '01/31/2026',
    '1-31-26',
    '20260131',
    '260131',
    '2026.031',
    '2026-031',
    '2026031',
  ],
  ...['Jan 31 2026', '31 January 2026', '31-Jan-2026', '2026-Jan-31', 'Sat', 'sat 2026-01-31', 'J2461072', '2461072'],
];
const TIMES = ['10:00', '10:00:00.12', '10:00:00.123456', '101010', '101010.12', '10:00 PM', 'T101010', '24:00:00', '23:59:60'];
const ZONES = ['', 'Z', '+02', '-02:30', ' +02', ' EST', ' Europe/Berlin', ' America/Monterrey', ' Etc/GMT+5', ' EST5EDT'];

describeWithServer('the day in a text for a time', (server) => {
  let client: PgClient;
  beforeAll(async () => {
    client = new PgClient({ ...clientOptions(server()), database: 'postgres' });
    await client.connect();
    // The function pg_input_is_valid is there since version 16.
    await client.query(
      `CREATE FUNCTION pg_temp.is_time(t text) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN PERFORM t::timetz; RETURN true; EXCEPTION WHEN data_exception OR invalid_datetime_format THEN RETURN false; END $$`,
    );
  });
  afterAll(() => client.end());

  it('is found in each text that the server reads as a time and that has one, and in no other', async () => {
    const texts = new Map(
      DAYS.flatMap((day) =>
        TIMES.flatMap((time) =>
          ZONES.flatMap((zone) =>
            day === '' ? [`${time}${zone}`] : [`${day} ${time}${zone}`, `${day}T${time}${zone}`, `${day} ${time}${zone} BC`],
          ).map((text) => [text, day !== ''] as const),
        ),
      ),
    );
    const { rows } = await client.query<{ text: string }>('SELECT t AS text FROM unnest($1::text[]) t WHERE pg_temp.is_time(t)', [
      [...texts.keys()],
    ]);
    expect(rows.length).toBeGreaterThan(1_000);
    expect(rows.filter(({ text }) => namesDay(text) !== texts.get(text)).map(({ text }) => text)).toEqual([]);
  });
});
