import { decodeBatch, encodeBatch } from '@tabularium/sdk';
import type { Cell, ForeignKey, NumberRange, Page, ReferringKey, RowCount } from '@tabularium/sdk';
import { compareCells } from '../orchard/filtering.ts';
import { acts, decides, withCells } from '../seeded.ts';
import type { Seeded } from '../seeded.ts';

const JOIN = ['core', 'pages of every size join without gaps and doubles'] as const;
const EXACT = ['core', 'every value is exact, null and absent are distinguished'] as const;
const PLACE = ['core', 'the same place gives the same rows, whichever was read before'] as const;
const COUNT = ['core', 'a count is a number of rows, and what is called exact is exact'] as const;
const SORTED = ['core', 'a sort by a sortable column orders the rows'] as const;
const TIES = ['core', 'pages join under every sort, ties and odd sizes and all'] as const;
const DROPPED = ['core', 'a sort that cannot be done is reported, and the read does not fail'] as const;
const COLUMNS = ['core', 'a page has the columns that the table is described with'] as const;
const END = ['core', 'counts, totals and the end agree'] as const;
const SAME = ['core', 'the identity of a table stays the same from read to read and in another session'] as const;
const DESCRIBED = ['core', 'every listed table can be described, and its description keeps to the manifest'] as const;
const RANGED = ['edits', 'a number beyond the range that a column declares is refused, and the ends are let pass'] as const;
const LABELS = ['edits', "a value that is none of a column's labels is refused, and the labels are let pass"] as const;
const LEADS = ['core', 'a foreign key leads from columns of its table to columns of a table that can be described'] as const;
const REFERRED = ['core', 'a key by which others refer to a table is a foreign key of a table that can be described'] as const;
const LAST = ['core', 'the last page, and positions that the table does not have'] as const;

const counted = (name: string, says: RegExp, count: (rows: number) => RowCount): Seeded => decides(name, COUNT, says, { count });

/** A page without one of its columns. */
function lacking(page: Page, name: string): Page {
  const { columns, rows } = decodeBatch(page.batch);
  const at = columns.findIndex((column) => column.name === name);
  if (at === -1) return page;
  const batch = encodeBatch({ columns: columns.toSpliced(at, 1), rows: rows.map((row) => row.toSpliced(at, 1)) });
  return { ...page, batch };
}

let reads = 0;

/** Of a table whose column declares another range. */
const ranged = (name: string, breaks: Seeded['breaks'], says: RegExp, column: string, range: NumberRange): Seeded =>
  acts(name, breaks, says, ({ describeTable }) => ({
    describeTable: async (...asked) => {
      const table = await describeTable(...asked);
      return { ...table, columns: table.columns.map((one) => (one.name === column ? { ...one, range } : one)) };
    },
  }));

/** Of a table whose column declares other labels. */
const labelled = (name: string, breaks: Seeded['breaks'], says: RegExp, column: string, values: readonly string[]): Seeded =>
  acts(name, breaks, says, ({ describeTable }) => ({
    describeTable: async (...asked) => {
      const table = await describeTable(...asked);
      return { ...table, columns: table.columns.map((one) => (one.name === column ? { ...one, values } : one)) };
    },
  }));

/** Of a table whose identity is made of something else than the table. */
const identified = (name: string, says: RegExp, identity: (session: number, read: number) => string | undefined): Seeded => {
  let sessions = 0;
  return acts(name, SAME, says, ({ describeTable }) => {
    sessions += 1;
    const session = sessions;
    let described = 0;
    return {
      describeTable: async (...asked) => {
        described += 1;
        const text = identity(session, described);
        return { ...(await describeTable(...asked)), ...(text === undefined ? {} : { identity: text }) };
      },
    };
  });
};

/** Of a table with another foreign key than the one that it has. */
const referring = (name: string, says: RegExp, change: (correct: ForeignKey) => readonly ForeignKey[]): Seeded =>
  acts(name, LEADS, says, ({ describeTable }) => ({
    describeTable: async (...asked) => {
      const table = await describeTable(...asked);
      return table.foreignKeys === undefined ? table : { ...table, foreignKeys: table.foreignKeys.flatMap(change) };
    },
  }));

/** Of a table with another key that refers to it than the one that does. */
const referred = (name: string, says: RegExp, change: (correct: ReferringKey) => readonly ReferringKey[]): Seeded =>
  acts(name, REFERRED, says, ({ describeTable }) => ({
    describeTable: async (...asked) => {
      const table = await describeTable(...asked);
      return table.referredBy === undefined ? table : { ...table, referredBy: table.referredBy.flatMap(change) };
    },
  }));

export const readingFaults: readonly Seeded[] = [
  referring('a foreign key on a column that the table lacks', /"tree" isn't a column of the table/, (key) => [
    { ...key, columns: ['tree'] },
  ]),
  referring('a foreign key to a table that is gone', /can't be described/, (key) => [
    { ...key, references: { namespace: ['orchard'], name: 'felled' } },
  ]),
  referring('a foreign key to a column that the other table lacks', /refers to "number", which isn't a column/, (key) => [
    { ...key, referencedColumns: ['number'] },
  ]),
  referring('a foreign key of one column to two', /has 1 columns and refers to 2/, (key) => [
    { ...key, referencedColumns: ['id', 'plot'] },
  ]),
  referring('a foreign key with a column twice', /has a column twice/, (key) => [
    { ...key, columns: ['id', 'id'], referencedColumns: ['id', 'plot'] },
  ]),
  referring('a foreign key without a column', /has 0 columns/, (key) => [{ ...key, columns: [], referencedColumns: [] }]),
  referring('foreign keys without an end', /has 1001 foreign keys, and 1000 at most/, (key) =>
    Array.from({ length: 1_001 }, () => key),
  ),
  referred('a referring key of a table that is gone', /is of a table that can't be described/, (key) => [
    { ...key, table: { namespace: ['orchard'], name: 'felled' } },
  ]),
  referred('a referring key on a column that the other table lacks', /has "leaf", which isn't a column/, (key) => [
    { ...key, columns: ['leaf'] },
  ]),
  referred('a referring key to a column that the table lacks', /refers to "number", which isn't a column of the table/, (key) => [
    { ...key, referencedColumns: ['number'] },
  ]),
  referred('a referring key of one column to two', /has 1 columns and refers to 2/, (key) => [
    { ...key, referencedColumns: ['id', 'plot'] },
  ]),
  referred('a referring key without a column', /has 0 columns/, (key) => [{ ...key, columns: [], referencedColumns: [] }]),
  referred('a referring key that the other table has not', /is none of the foreign keys/, (key) => [
    { ...key, referencedColumns: ['id'] },
  ]),
  referred('a referring key that is described twice', /by one key twice/, (key) => [key, key]),
  referred('a referring key that is missing', /doesn't say so/, () => []),
  referred('referring keys without an end', /by 1001 keys, and 1000 at most/, (key) => Array.from({ length: 1_001 }, () => key)),
  ranged('a range of a text', DESCRIBED, /a range is for numbers/, 'name', { least: '0', greatest: '9' }),
  ranged('a range from the greatest to the least', DESCRIBED, /begins at 9 and ends at 0/, 'plot', { least: '9', greatest: '0' }),
  ranged('a range of integers with a fraction', DESCRIBED, /isn't an end of a range/, 'plot', { least: '0', greatest: '9.5' }),
  ranged('a range that is wider than what is stored', RANGED, /declares a range that ends at 4096/, 'plot', {
    least: '0',
    greatest: '4096',
  }),
  ranged('a range that is narrower than what is stored', RANGED, /declares a range without 4095/, 'plot', {
    least: '0',
    greatest: '4094',
  }),
  labelled('labels of a text', DESCRIBED, /a list of values is for labels/, 'name', ['Pear']),
  labelled('a list without a label', DESCRIBED, /has 0 labels/, 'state', []),
  labelled(
    'a list of labels without an end',
    DESCRIBED,
    /has 1001 labels/,
    'state',
    Array.from({ length: 1_001 }, (_, at) => `state ${at}`),
  ),
  labelled('a label that comes twice', DESCRIBED, /its label "old" comes twice/, 'state', ['seedling', 'grown', 'old', 'old']),
  labelled('a row with a label that its column does not declare', EXACT, /none of the labels/, 'state', ['seedling', 'grown']),
  labelled('a label that is declared and refused', LABELS, /declares the label "felled", and refuses it/, 'state', [
    'seedling',
    'grown',
    'old',
    'felled',
  ]),
  acts('a value beyond the labels that is let pass', LABELS, /lets "no label of state" pass/, ({ edits }) => ({
    edits: {
      ...edits,
      prepare: async (_table, changes) => changes.map(() => ({ ready: true, text: '', language: 'json' })),
    },
  })),
  decides('labels that are sorted by their length', SORTED, /is in no such order/, {
    compare: (a, b, column) => (column.kind === 'enum' ? String(a).length - String(b).length : compareCells(a, b, column)),
  }),
  identified('an identity that is another one with each read', /when it is read again/, (_session, read) => `read ${read}`),
  identified('an identity that is missing the second time', /absent when it is read again/, (_session, read) =>
    read === 1 ? 'trees' : undefined,
  ),
  identified('an identity of the session', /in another session/, (session) => `session ${session}`),
  identified('an identity without a character', /is empty/, () => ' '),
  identified('an identity without an end', /1000 at most/, () => 'x'.repeat(1_001)),
  decides('a gap at the border of a page', JOIN, /is missing|is empty and does not say/, {
    slice: (rows, start, limit) => rows.slice(start === 0 ? 0 : start + 1, start + limit),
  }),
  decides('a row that comes again at the border of a page', JOIN, /came twice|more than/, {
    slice: (rows, start, limit) => rows.slice(start === 0 ? 0 : start - 1, start + limit - (start === 0 ? 0 : 1)),
  }),
  decides('one row more than was asked for', JOIN, /were asked for/, {
    slice: (rows, start, limit) => rows.slice(start, start + limit + 1),
  }),
  acts('a head that counts otherwise than the page', JOIN, /says it has/, (session) => ({
    readPage: async (...asked) => {
      const page = await session.readPage(...asked);
      return { ...page, rowCount: page.rowCount + 1 };
    },
  })),
  acts('an end that is never reported', END, /does not say that it is the last/, (session) => ({
    readPage: async (...asked) => ({ ...(await session.readPage(...asked)), atEnd: false }),
  })),
  acts(
    'a first page where the last one was asked for',
    LAST,
    /does not say that it is the last|came and should not/,
    (session) => ({
      readPage: ({ position, ...asked }, options) =>
        session.readPage({ ...asked, position: position.from === 'end' ? { from: 'start' } : position }, options),
    }),
  ),
  acts('the last page once more where nothing is left', LAST, /behind its last row/, (session) => ({
    readPage: async (asked, options) => {
      const page = await session.readPage(asked, options);
      if (page.rowCount > 0 || asked.position.from !== 'offset') return page;
      return session.readPage({ ...asked, position: { from: 'offset', offset: 0 } }, options);
    },
  })),
  acts('an offset that is rounded to whole pages', PLACE, /are not those that reading on gives/, (session) => ({
    readPage: ({ position, ...asked }, options) =>
      session.readPage(
        {
          ...asked,
          position:
            position.from === 'offset' ? { from: 'offset', offset: position.offset - (position.offset % asked.limit) } : position,
        },
        options,
      ),
  })),
  acts('a cursor that moves on when it is used', PLACE, /used again gives other rows|says/, (session) => {
    let uses = 0;
    return {
      readPage: ({ position, ...asked }, options) => {
        if (position.from !== 'cursor') return session.readPage({ ...asked, position }, options);
        uses += 1;
        const at = Number(position.cursor.slice(1)) + (uses > 1 ? 1 : 0);
        return session.readPage({ ...asked, position: { from: 'cursor', cursor: `c${at}` } }, options);
      },
    };
  }),
  decides('a number rounded as a double', EXACT, /should be|should not be there/, {
    cell: (cell) => (typeof cell === 'string' && /^\d{16,}$/.test(cell) ? Number(cell) : cell),
  }),
  decides('a decimal that loses its last zero', EXACT, /\.5\) and should be \(.*\.50\)/, {
    cell: (cell, { kind }) => (kind === 'decimal' && typeof cell === 'string' ? String(Number(cell)) : cell),
  }),
  decides('null given as an empty text', EXACT, /is \(text \) and should be \(null\)/, {
    cell: (cell, { kind }) => (kind === 'text' && cell === null ? '' : cell),
  }),
  decides('what is absent given as null', EXACT, /is \(null\) and should be \(absent\)/, {
    cell: (cell) => (Array.isArray(cell) ? null : cell),
  }),
  decides('letters that a narrow encoding does not have', EXACT, /\?/, {
    cell: (cell) => (typeof cell === 'string' ? cell.replaceAll(/[^\x00-\x7f]/g, '?') : cell),
  }),
  acts('truth values mixed up', EXACT, /boolean/, (session) => ({
    readPage: async (...asked) =>
      withCells(await session.readPage(...asked), (cell): Cell => (typeof cell === 'boolean' ? !cell : cell)),
  })),
  acts('a page without a column that is described', COLUMNS, /described with a column "name"/, (session) => ({
    readPage: async (...asked) => lacking(await session.readPage(...asked), 'name'),
  })),
  acts('a column that is of another kind in a page', COLUMNS, /is described as integer, and is text/, (session) => ({
    readPage: async (...asked) => {
      const page = await session.readPage(...asked);
      const { columns, rows } = decodeBatch(page.batch);
      const kinds = columns.map(({ name, kind }) => ({ name, kind: name === 'plot' ? ('text' as const) : kind }));
      return { ...page, batch: encodeBatch({ columns: kinds, rows }) };
    },
  })),
  counted('an estimate that is called exact', /there are/, (rows) => ({ rows: Math.ceil(rows / 10) * 10, exact: true })),
  counted('a count of less than nothing', /is -1 rows/, () => ({ rows: -1, exact: false })),
  counted("a count that isn't a whole number", /is 11\.5 rows/, (rows) => ({ rows: rows / 2, exact: false })),
  acts('a count that ignores the filter', COUNT, /countRows is exactly/, (session) => ({
    countRows: ({ table }, options) => session.countRows({ table, filter: { match: 'all', conditions: [] } }, options),
  })),
  acts(
    'a count in the list that is old',
    ['core', 'every known table is listed, once, with a right count'],
    /is listed with/,
    (session) => ({
      listTables: async (options) =>
        (await session.listTables(options)).map((table) => ({ ...table, count: { rows: 17, exact: true } })),
    }),
  ),
  decides('numbers sorted as text', SORTED, /is in no such order/, {
    compare: (a, b) => (String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0),
  }),
  decides('a sort that is dropped in silence', SORTED, /is in no such order/, { compare: () => 0 }),
  acts('a sort whose direction does not matter', SORTED, /descending, is in no such order/, (session) => ({
    readPage: (asked, options) =>
      session.readPage({ ...asked, sorts: asked.sorts.map(({ column }) => ({ column, direction: 'ascending' })) }, options),
  })),
  acts('ties that fall otherwise in every page', TIES, /comes otherwise in pages of/, (session) => ({
    // A database answers like this if the order has equal rows, and each page breaks the ties differently.
    readPage: ({ sorts, ...asked }, options) => {
      const key = asked.table.name === 'picks' ? 'number' : 'id';
      const tie = { column: key, direction: 'descending' } as const;
      const [first] = sorts;
      const isLater = first !== undefined && first.column !== key && asked.position.from !== 'start';
      return session.readPage({ ...asked, sorts: isLater ? [first, tie] : sorts }, options);
    },
  })),
  decides('a sort too many that is left out without an error', DROPPED, /is not reported as dropped/, { dropped: () => [] }),
  decides('a dropped sort without a reason', DROPPED, /without a reason/, {
    dropped: (dropped) => dropped.map(({ column }) => ({ column, reason: '' })),
  }),
  acts('a sort that cannot be done, and fails the read', DROPPED, /./, (session) => ({
    readPage: async (asked, options) => {
      const page = await session.readPage(asked, options);
      if (page.droppedSorts.length > 0) throw new TypeError('cannot sort');
      return page;
    },
  })),
  decides('a second sort that is ignored', ['core', 'the second sort orders what the first leaves equal'], /are not ordered by/, {
    maxSorts: 1,
  }),
  acts(
    'calls that share what they are reading',
    ['core', 'calls at the same time do not disturb each other'],
    /at the same time/,
    (session) => {
      let limit = 0;
      return {
        readPage: async (asked, options) => {
          limit = asked.limit;
          await session.ping(options);
          return session.readPage({ ...asked, limit }, options);
        },
      };
    },
  ),
  acts('rows that come in another order each time', PLACE, /./, (session) => ({
    readPage: async (asked, options) => {
      const page = await session.readPage(asked, options);
      reads += 1;
      const { columns, rows } = decodeBatch(page.batch);
      return { ...page, batch: encodeBatch({ columns, rows: reads % 2 === 0 ? rows : rows.toReversed() }) };
    },
  })),
];
