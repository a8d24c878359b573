import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '@tabularium/sdk';
import { PgClient } from '../wire/pgClient.ts';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, clientOptions, open, ref, signal } from '../session.test-helper.ts';

const digits = (most: number): fc.Arbitrary<string> => fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: most });
const padded = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom('', '', ' '), text, fc.constantFrom('', '', ' ')).map((parts) => parts.join(''));
const numeral = padded(
  fc.oneof(
    fc
      .tuple(
        fc.constantFrom('', '-', '+'),
        digits(3),
        fc.constantFrom('', '.'),
        digits(4),
        fc.constantFrom('', '', '', 'e1', 'E-2', 'e+0'),
      )
      .map((parts) => parts.join('')),
    fc.constantFrom('NaN', 'nan', '0.10', '1_0.555', '0x1F', ''),
  ),
);
const word = fc.string({ unit: fc.constantFrom(...'ab "\\{},()[]é💥'), maxLength: 5 });
/** With blanks at the end, which the server cuts. */
const blank = fc.tuple(word, fc.constantFrom('  ', '    ')).map((parts) => parts.join(''));
const whole = fc.integer({ min: 0, max: 40 }).map(String);
const amount = fc.oneof(
  whole,
  fc.tuple(whole, digits(3)).map((parts) => parts.join('.')),
);
const unit = fc.constantFrom(
  ...[
    'us',
    'ms',
    's',
    'sec',
    'minutes',
    'h',
    'hours',
    'day',
    'days',
    'weeks',
    'mon',
    'months',
    'year',
    'yrs',
    'decades',
    'centuries',
  ],
);
const clock = fc
  .tuple(
    whole,
    fc.constantFrom('5', '05', '30'),
    fc.constantFrom('', ':00', ':07', ':59'),
    fc.constantFrom('', '.5', '.25', '.000', '.123456'),
  )
  .map(([hours, minutes, seconds, part]) => `${hours}:${minutes}${seconds}${part}`);
const interval = fc.oneof(
  fc
    .array(
      fc.tuple(fc.constantFrom('', '-', '+'), amount, fc.constantFrom('', ' '), unit).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 3 },
    )
    .map((parts) => parts.join(' ')),
  fc
    .tuple(fc.constantFrom('', '1 day ', '3 ', '-2 days ', '1-2 ', '1 year 2 mons '), fc.constantFrom('', '-'), clock)
    .map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom('', amount), fc.constantFrom('', 'ago'))
    .chain(() => fc.tuple(amount, unit, amount, unit))
    .map(([one, first, other, second]) => `@ ${one} ${first} ${other} ${second} ago`),
  fc.tuple(amount, fc.constantFrom('Y', 'M', 'W', 'D')).map(([count, letter]) => `P${count}${letter}`),
  fc.tuple(amount, fc.constantFrom('H', 'M', 'S')).map(([count, letter]) => `P1DT${count}${letter}`),
  amount,
);
const moment = fc
  .tuple(
    fc.constantFrom('2026-01-31', '20260131', 'Jan 31 2026'),
    fc.constantFrom(' ', 'T'),
    fc.constantFrom('10:00:00', '100000', '10:00', '23:59:59'),
    fc.constantFrom('', '.5', '.25', '.125', '.990', '.995', '.000'),
  )
  .map((parts) => parts.join(''));

/** An element of an array or a field of a composite value, quoted in one way or another. */
const part = (text: fc.Arbitrary<string>, doubles: boolean): fc.Arbitrary<string> =>
  fc.tuple(text, fc.nat(3)).map(([value, style]) => {
    if (style === 0) return value;
    if (style === 1) return value.replaceAll(/["\\{},()[\] ]/g, String.raw`\$&`);
    const escaped = value.replaceAll('\\', '\\\\');
    return `"${doubles && style === 2 ? escaped.replaceAll('"', '""') : escaped.replaceAll('"', String.raw`\"`)}"`;
  });
const list = (text: fc.Arbitrary<string>): fc.Arbitrary<string> => {
  const flat = fc
    .array(
      padded(fc.oneof({ weight: 5, arbitrary: part(text, false) }, { weight: 1, arbitrary: fc.constantFrom('NULL', '"NULL"') })),
      { maxLength: 3 },
    )
    .map((elements) => `{${elements.join(',')}}`);
  const lists = fc.oneof(
    flat,
    flat.map((inner) => `{${inner}}`),
    fc.tuple(flat, flat).map(([one, other]) => `{${one} , ${other}}`),
  );
  return fc.oneof(
    lists,
    flat.map((inner) => `[2:3]=${inner}`),
  );
};
const pair = fc
  .tuple(padded(part(numeral, true)), part(word, true), fc.oneof(fc.constant(''), part(list(numeral), true)))
  .map((fields) => `(${fields.join(',')})`);
const range = fc
  .tuple(fc.constantFrom('[', '('), padded(part(numeral, true)), padded(part(numeral, true)), fc.constantFrom(']', ')'))
  .map(([from, lower, upper, to]) => `${from}${lower},${upper}${to}`);

interface Compared {
  readonly texts: fc.Arbitrary<string>;
  /** The same type with room for every value. */
  readonly roomy: string;
  /** Whether what is stored of `s` is what `r` has room for. */
  readonly isSame: string;
  /** Whether values are refused for nothing but a difference of the two: others lose more than their declared length says. */
  readonly isAll: boolean;
}

const LIST = { isSame: 's IS NOT DISTINCT FROM r', isAll: true };
const TYPES: Readonly<Record<string, Compared>> = {
  'numeric(5,2)': { texts: numeral, roomy: 'numeric', ...LIST },
  'varchar(3)': { texts: fc.oneof(word, blank), roomy: 'text', isSame: 's = r', isAll: true },
  'numeric(5,2)[]': { texts: list(numeral), roomy: 'numeric[]', ...LIST },
  'varchar(3)[]': { texts: list(fc.oneof(word, blank)), roomy: 'text[]', isSame: 's::text[] = r', isAll: true },
  'timestamp(2)': { texts: moment, roomy: 'timestamp', ...LIST },
  'interval(1)': { texts: interval, roomy: 'interval', isSame: 's::text = r::text', isAll: false },
  'interval day to hour': { texts: interval, roomy: 'interval', isSame: 's::text = r::text', isAll: false },
  'interval year': { texts: interval, roomy: 'interval', isSame: 's::text = r::text', isAll: false },
  'compared.pair': {
    texts: pair,
    roomy: 'compared.roomy_pair',
    isSame: '((s).a, (s).b::text, (s).c) IS NOT DISTINCT FROM ((r).a, (r).b, (r).c)',
    isAll: true,
  },
  'compared.prices': {
    texts: range,
    roomy: 'numrange',
    isSame: '(lower(s)::numeric, upper(s)::numeric) IS NOT DISTINCT FROM (lower(r), upper(r))',
    isAll: false,
  },
};
const NAMES = Object.keys(TYPES);
/** Of a type in one run. */
const TEXTS = 60;

describeWithServer('the texts of values that are taken', (server) => {
  let session: Session;
  let client: PgClient;
  beforeAll(async () => {
    await administer(
      server(),
      `CREATE SCHEMA compared; CREATE TYPE compared.pair AS (a numeric(5,2), b varchar(3), c numeric(4,1)[]); CREATE TYPE compared.roomy_pair AS (a numeric, b text, c numeric[]);
      CREATE DOMAIN compared.price AS numeric(5,2); CREATE TYPE compared.prices AS RANGE (subtype = compared.price);
      CREATE TABLE compared.strict (id int PRIMARY KEY, ${NAMES.map((type, index) => `c${index} ${type}`).join(', ')})`,
    );
    session = await open(server());
    client = new PgClient({ ...clientOptions(server()), database: 'postgres' });
    await client.connect();
    // As the driver has the forms.
    await client.query(`SET "DateStyle" = 'ISO, YMD'`);
  });
  afterAll(async () => {
    await client.end();
    await session.close();
  });

  /** Whether the server stores a text as it has it where there is room; undefined where it refuses the text. */
  async function isStored(type: string, { roomy, isSame }: Compared, text: string): Promise<boolean | undefined> {
    try {
      // A cast would cut: only what an assignment takes is stored.
      await client.query(
        `INSERT INTO compared.strict (id, c${NAMES.indexOf(type)}) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET c${NAMES.indexOf(type)} = EXCLUDED.c${NAMES.indexOf(type)}`,
        [text],
      );
      const { rows } = await client.query<{ same: boolean }>(
        `SELECT ${isSame} AS same FROM (SELECT c${NAMES.indexOf(type)} AS s, $1::${roomy} AS r FROM compared.strict) AS both_of`,
        [text],
      );
      return rows[0]?.same;
    } catch {
      return undefined;
    }
  }

  it.each(Object.entries(TYPES))('of %s are stored whole, and no others are refused', async (type, compared) => {
    const count = { taken: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(compared.texts, { minLength: TEXTS, maxLength: TEXTS }), async (texts) => {
        const column = `c${NAMES.indexOf(type)}`;
        const prepared =
          (await session.edits?.prepare(
            ref('strict', 'compared'),
            texts.map((value) => ({ kind: 'update', key: [1], assignments: [{ column, value }] })),
            { signal },
          )) ?? [];
        const lost: string[] = [];
        const refused: string[] = [];
        for (const [index, text] of texts.entries()) {
          const isTaken = prepared[index]?.ready === true;
          const isSame = await isStored(type, compared, text);
          if (isSame !== undefined) count[isTaken ? 'taken' : 'refused'] += 1;
          if (isTaken && isSame === false) lost.push(text);
          // Numbers have forms that the driver takes nowhere.
          if (!isTaken && isSame === true && compared.isAll && !/0x|\d_\d/.test(text)) refused.push(text);
        }
        expect({ lost, refused }).toEqual({ lost: [], refused: [] });
      }),
      { numRuns: 3, endOnFailure: true },
    );
    // Of the texts that the server takes.
    expect(Math.min(count.taken, count.refused)).toBeGreaterThan(0);
  });
});
