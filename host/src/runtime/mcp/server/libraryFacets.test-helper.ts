import { ABSENT, DriverError, encodeBatch } from '@tabularium/sdk';
import type {
  BatchColumn,
  Cell,
  ConsoleFacet,
  EditsFacet,
  ExplainFacet,
  ExportFacet,
  ImportFacet,
  MetricsFacet,
  Page,
  PageRequest,
  PrincipalsFacet,
  SearchFacet,
  SearchHit,
  Session,
  StatementEffect,
} from '@tabularium/sdk';

/** The key of the library's connections, which no client may ever read. */
export const LIBRARY_KEY = 'library-key-3f9a1c';

interface Recorder {
  begin(call: string, signal: AbortSignal): Promise<void>;
}

const BOOK_COLUMNS: readonly BatchColumn[] = [
  { name: 'library', kind: 'text' },
  { name: 'number', kind: 'integer' },
  { name: 'title', kind: 'text' },
  { name: '__proto__', kind: 'json' },
];

/** As many books as one likes. Every third has no title, and numbers go beyond what a double holds. */
function bookRows(from: number, count: number): Cell[][] {
  return Array.from({ length: count }, (_, index) => {
    const row = from + index;
    return [
      'north',
      String(9_007_199_254_740_993n + BigInt(row)),
      row % 3 === 2 ? ABSENT : `Book ${row}`,
      `{"page":${row},"big":9007199254740993,"price":1.50}`,
    ];
  });
}
const BOOKS = 2_500;

export function pageOfBooks({ limit, position, sorts }: PageRequest): Page {
  const from = position.from === 'offset' ? position.offset : 0;
  const rows = bookRows(from, Math.max(0, Math.min(limit, BOOKS - from)));
  return {
    rowCount: rows.length,
    atEnd: from + rows.length >= BOOKS,
    total: { rows: BOOKS, exact: true },
    droppedSorts: sorts
      .filter(({ column }) => column !== 'number')
      .map(({ column }) => ({ column, reason: 'It cannot be sorted by.' })),
    batch: encodeBatch({ columns: BOOK_COLUMNS, rows }),
  };
}

const EFFECTS: Readonly<Record<string, StatementEffect>> = {
  read: 'read',
  write: 'write',
  destroy: 'destructive',
  key: 'destructive',
};

/** The value of a new key of the library, which no client may ever read. */
export const NEW_KEY = 'new-key-77e1b0';

/**
 * The statements of the library: `read N`, `write …`, `destroy …`, `key`, which creates a key, and `key VALUE`, which creates that one; one a
 * line. A line that begins with another word is unknown.
 */
function effectOf(statement: string): StatementEffect {
  return EFFECTS[statement.trim().split(/\s+/, 1)[0]?.toLowerCase() ?? ''] ?? 'write';
}

/** Books that every search finds. */
const FOUND = 60;

/** The facets of the library. Whatever changes data is noted under a name that begins with `CHANGE`. */
export function libraryFacets(
  recorder: Recorder,
): Required<Pick<Session, 'console' | 'edits' | 'explain' | 'export' | 'principals' | 'metrics' | 'search' | 'import'>> {
  const console: ConsoleFacet = {
    split: (text) => {
      let end = -1;
      return text.split('\n').flatMap((line) => {
        const start = end + 1;
        end = start + line.length;
        return line.trim() === '' ? [] : [{ text: line.trim(), start, end }];
      });
    },
    classify: async (statement, { signal }) => {
      await recorder.begin(`classify ${statement}`, signal);
      const [verb = '', value] = statement.trim().toLowerCase().split(/\s+/);
      return {
        effect: effectOf(statement),
        tables: [],
        summary: `Statement: ${verb}`,
        ...(Object.hasOwn(EFFECTS, verb) ? {} : { unknown: true }),
        ...(verb === 'key' ? { holdsSecret: true, newSecret: value === undefined ? 'inAnswer' : 'inStatement' } : {}),
      };
    },
    async *run(statement, { maxRows, signal }) {
      const effect = effectOf(statement);
      await recorder.begin(`${effect === 'read' ? 'run' : 'CHANGE run'} ${statement}`, signal);
      const [word, count] = statement.trim().split(/\s+/);
      if (word === 'key') {
        yield { type: 'text', mediaType: 'application/json', text: `{"value":"${NEW_KEY}"}` };
      } else if (word === 'read' && count === 'text') {
        yield { type: 'text', mediaType: 'application/json', text: `{"big":9007199254740993,"key":"${LIBRARY_KEY}"}` };
      } else if (word === 'read') {
        const rows = bookRows(0, Math.min(Number(count ?? 3), maxRows));
        yield { type: 'rowsBegin', columns: BOOK_COLUMNS };
        for (let at = 0; at < rows.length; at += 500) yield { type: 'rows', rows: rows.slice(at, at + 500) };
      }
      const truncated = Number(count ?? 3) > maxRows;
      yield { type: 'done', truncated, milliseconds: 1, ...(effect === 'read' ? {} : { affectedRows: 1 }) };
    },
  };
  const explain: ExplainFacet = {
    // A plan of a statement that begins with “call” calls what the library doesn't know.
    classify: async (statement, options) => {
      const found = await console.classify(statement, options);
      if (options.analyze || found.unknown === true) return found;
      return { ...found, effect: 'read' };
    },
    explain: async (statement, { analyze, signal }) => {
      await recorder.begin(`${analyze && effectOf(statement) !== 'read' ? 'CHANGE ' : ''}explain ${statement}`, signal);
      const measures = analyze ? { actualRows: 900, actualMilliseconds: 2.5, loops: 1 } : {};
      return {
        nodes: [
          {
            depth: 0,
            operation: 'Sort',
            estimatedRows: 3,
            cost: 12,
            ...measures,
            facts: [{ label: '__proto__', value: 'number' }],
          },
          { depth: 1, operation: 'Walk', target: 'books', estimatedRows: 3, cost: 10, facts: [] },
        ],
        notes: [`Planned with ${LIBRARY_KEY}.`],
      };
    },
  };
  const edits: EditsFacet = {
    atomicity: 'each',
    prepare: async (table, changes, { signal }) => {
      await recorder.begin(`prepare ${table.name}`, signal);
      return changes.map((change) =>
        'values' in change && change.values.some(({ column }) => column === 'forbidden')
          ? { ready: false, message: 'There is no such mark', column: 'forbidden' }
          : {
              ready: true,
              text: `${change.kind} ${JSON.stringify(change)}`,
              language: 'text',
              ...(JSON.stringify(change).includes('sets off a loss') ? { effect: 'destructive' } : {}),
            },
      );
    },
    async *apply(table, changes, { signal }) {
      for (const [index, change] of changes.entries()) {
        await recorder.begin(`CHANGE ${change.kind} ${table.name} ${JSON.stringify(change)}`, signal);
        if (JSON.stringify(change).includes('refuse')) {
          yield {
            index,
            outcome: 'failed',
            code: 'INVALID_INPUT',
            message: 'The library refuses it.',
            details: {},
            column: 'title',
          };
        } else yield { index, outcome: 'saved', key: ['north', '9007199254740993'] };
      }
    },
  };
  const exporting: ExportFacet = {
    splice: async () => undefined,
    judge: () => undefined,
    async *rows(request, { signal }) {
      await recorder.begin(`export ${request.table.name}`, signal);
      yield { type: 'begin', columns: BOOK_COLUMNS, expected: { rows: BOOKS, exact: true } };
      for (let at = 0; at < BOOKS; at += 500) {
        await recorder.begin(`export part ${at}`, signal);
        yield { type: 'rows', rows: bookRows(at, 500) };
      }
    },
  };
  const principals: PrincipalsFacet = {
    term: { one: 'Reader', other: 'Readers' },
    editable: { allowed: false, reason: 'They cannot be changed.' },
    list: async ({ signal }) => {
      await recorder.begin('principals', signal);
      return [
        {
          id: '1',
          label: 'Librarian',
          reach: 'Server-wide',
          serverWide: true,
          actions: ['*'],
          attributes: [{ label: 'Prefix', value: 'libr' }],
          removable: { allowed: true },
        },
      ];
    },
    form: async () => [],
    create: async () => {
      throw new DriverError('UNSUPPORTED');
    },
    remove: async () => {
      throw new DriverError('UNSUPPORTED');
    },
  };
  const metrics: MetricsFacet = {
    missingPanels: [],
    read: async ({ signal }) => {
      await recorder.begin('metrics', signal);
      return {
        metrics: [{ id: 'memory', label: 'Memory', unit: 'bytes', value: 5, total: 10 }],
        node: 'north:1',
        nodes: [
          {
            name: 'north:1',
            state: 'ready',
            facts: [{ id: 'role', label: 'Role', value: 'Leader' }],
            metrics: [{ id: 'behind', label: 'Behind', unit: 'count', value: 0 }],
          },
          { name: 'south:1', state: 'unreachable', message: `Nothing listens (${LIBRARY_KEY}).`, facts: [], metrics: [] },
        ],
        problems: [{ source: 'disk', message: "It couldn't be read." }],
      };
    },
  };
  const search: SearchFacet = {
    form: async (_table, { signal }) => {
      await recorder.begin('search form', signal);
      return { fields: [{ name: 'title', isDefault: true }], facets: ['library'], options: [] };
    },
    search: async ({ text, facets, offset, limit }, { signal }) => {
      await recorder.begin(`search ${text}`, signal);
      const hits = Array.from({ length: Math.max(0, Math.min(limit, FOUND - offset)) }, (_, index): SearchHit => {
        const place = offset + index;
        const long = text === 'long' ? 'long words '.repeat(2_000) : `A book of ${text}`;
        return {
          key: ['north', String(place)],
          document: `{"library":"north","number":9007199254740993,"title":${JSON.stringify(long)},"shelf":{"row":${place}}}`,
          highlights: [],
          score: String(100 - place),
          explanation: [],
          marks: place === 0 ? [{ label: 'Pinned', detail: 'A rule put it here.' }] : [],
        };
      });
      return {
        found: FOUND,
        isCutOff: false,
        hits,
        facets: facets.map((column) => ({ column, values: [{ value: 'north', rows: FOUND }] })),
        leftOut: [],
        droppedSorts: [],
        request: { method: 'GET', path: '/search' },
        code: [],
        notes: [],
      };
    },
  };
  const mode = { label: 'Mode', help: 'A mode.', repeated: 'same', text: 'import' } as const;
  const importing: ImportFacet = {
    form: async ({ name }, { signal }) => {
      await recorder.begin(`import form ${name}`, signal);
      return {
        modes: [
          { ...mode, id: 'create', effect: 'write' },
          { ...mode, id: 'replace', effect: 'destructive' },
        ],
        language: 'text',
        key: ['library', 'number'],
      };
    },
    check: async () => [],
    splice: async () => undefined,
    judge: () => [],
    async *write({ table, mode: id }, rows, { signal }) {
      await recorder.begin(`CHANGE import ${table.name} ${id}`, signal);
      for (let index = 0; index < rows.length; index += 1) yield { outcome: 'written' };
    },
  };
  return { console, edits, explain, export: exporting, principals, metrics, search, import: importing };
}
