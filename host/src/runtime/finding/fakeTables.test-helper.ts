import { DriverError, encodeBatch } from '@tabularium/sdk';
import type { Cell, Column, FilterCondition, PageRequest, Session, TableRef, TableSummary } from '@tabularium/sdk';
import { plainManifest } from '../../common/plainManifest.test-helper.ts';
import { findRowsSchema } from '../../common/findingRows.ts';
import type { FindRows, FindRowsEvent } from '../../common/findingRows.ts';
import type { OpenSession, Sessions } from '../data/sessions.ts';
import { RowFinder } from './rowFinder.ts';

export const CONNECTION = '7d9f6a52-8a3f-4f5b-9d1e-0c3a8b6f2e11';

export const FAKE_MANIFEST = plainManifest({
  filtering: {
    classes: {
      text: { value: 'text', operators: ['equals', 'contains'] },
      whole: { value: 'text', operators: ['equals', { operator: 'contains', refused: 'Ids are compared as a whole.' }] },
      integer: { value: 'integer', operators: ['equals'] },
      number: { value: 'number', operators: ['equals'] },
      time: { value: 'text', operators: ['equals', 'between'] },
      filled: { value: 'text', operators: ['isNull', 'isNotNull'] },
      mixed: { value: 'integer', operators: ['equals', 'contains'] },
      mixedBytes: { value: 'text', operators: ['contains'] },
      unusable: { value: 'text', operators: [{ operator: 'contains', refused: 'It is a picture.' }] },
    },
    match: ['all', 'any'],
    caseControl: { available: true },
  },
});

export function column(name: string, kind: Column['kind'] = 'text', filterClass = defaultClass(kind)): Column {
  return {
    ...{ name, kind, type: kind, nullable: true, editable: { allowed: true }, sortable: { allowed: true } },
    ...(filterClass === '' ? {} : { filterClass }),
  };
}

function defaultClass(kind: Column['kind']): string {
  if (kind === 'integer') return 'integer';
  if (kind === 'decimal') return 'number';
  if (kind === 'boolean' || kind === 'bytes') return 'filled';
  return kind === 'date' || kind === 'time' || kind === 'timestamp' ? 'time' : 'text';
}

export interface FakeTable {
  readonly ref: TableRef;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  readonly aliasOf?: TableRef;
  readonly partOf?: TableRef;
  /** The first column unless given. */
  readonly key?: readonly string[];
  readonly uncertainRead?: string;
}

export const named = (name: string, ...namespace: string[]): TableRef => ({ namespace, name });

export function table(name: string, columns: readonly Column[], rows: readonly (readonly Cell[])[]): FakeTable {
  return { ref: named(name), columns, rows };
}

/** A connection whose tables are in memory. What a test puts in place of a member is called instead. */
export class FakeTables {
  readonly asked: PageRequest[] = [];
  tables: readonly FakeTable[];
  manifest = FAKE_MANIFEST;
  /** Runs before each page; throws what the database would. */
  before: (request: PageRequest, signal: AbortSignal) => Promise<void> | void = () => undefined;
  members: Partial<Session> = {};
  reloads = 0;
  passes = (_row: readonly Cell[], condition: FilterCondition, cell: Cell, matchCase: boolean): boolean =>
    passes(cell, condition, matchCase);

  constructor(...tables: readonly FakeTable[]) {
    this.tables = tables;
  }

  readonly #session = {
    listTables: async (): Promise<readonly TableSummary[]> =>
      this.tables.map(({ ref, aliasOf, partOf }) => ({
        ...{ ref, kind: 'table' as const },
        ...(aliasOf === undefined ? {} : { aliasOf }),
        ...(partOf === undefined ? {} : { partOf }),
      })),
    readPage: async (request: PageRequest, { signal }: { signal: AbortSignal }) => {
      this.asked.push(request);
      await this.before(request, signal);
      const { columns, rows } = this.#table(request.table);
      const passing = rows.filter((row) =>
        request.filter.conditions.some((condition) =>
          this.passes(
            row,
            condition,
            row[columns.findIndex(({ name }) => name === condition.column)] ?? null,
            request.filter.matchCase === true,
          ),
        ),
      );
      return {
        batch: encodeBatch({ columns: columns.map(({ name, kind }) => ({ name, kind })), rows: passing.slice(0, request.limit) }),
        rowCount: Math.min(passing.length, request.limit),
        atEnd: passing.length <= request.limit,
        droppedSorts: [],
      };
    },
  };

  #table(ref: TableRef): FakeTable {
    const found = this.tables.find((one) => JSON.stringify(one.ref) === JSON.stringify(ref));
    if (found === undefined) throw new DriverError('NOT_FOUND', `There is no table “${ref.name}”.`);
    return found;
  }

  finder(opened: readonly TableRef[] = []): RowFinder {
    const sessions: Pick<Sessions, 'use' | 'describe'> = {
      use: async (_id, work, { signal }) => {
        signal.throwIfAborted();
        return work({ manifest: this.manifest, session: { ...this.#session, ...this.members } } as unknown as OpenSession);
      },
      describe: async (_id, ref, reload) => {
        if (reload) this.reloads += 1;
        const { columns, key = columns.slice(0, 1).map(({ name }) => name), uncertainRead } = this.#table(ref);
        const more = uncertainRead === undefined ? {} : { uncertainRead };
        return { ref, kind: 'table', columns, key, ...more, paging: 'offset', readsFromEnd: false, notes: [] };
      },
    };
    return new RowFinder(sessions, { view: async () => ({ tables: [...opened] }) });
  }

  find(
    input: Partial<FindRows> & { readonly text: string },
    signal = new AbortController().signal,
  ): AsyncGenerator<FindRowsEvent> {
    return this.finder().find(findRowsSchema.parse({ connectionId: CONNECTION, scope: { in: 'all' }, ...input }), signal);
  }
}

function passes(cell: Cell, { operator, values }: FilterCondition, matchCase: boolean): boolean {
  if (cell === null) return false;
  const fold = (text: string): string => (matchCase ? text : text.toLowerCase());
  const text = fold(String(Array.isArray(cell) ? cell[1] : cell));
  const [first = '', second = ''] = values.map(fold);
  if (operator === 'contains') return text.includes(first);
  if (operator === 'between') return text >= first && text <= second;
  return text === first || (typeof cell === 'number' && cell === Number(first));
}
