import { NO_FILTER } from '@tabularium/sdk';
import type { TableDescription, TableRef } from '@tabularium/sdk';
import { expect, it } from 'vitest';
import type { SharedSession } from '../../data/sessions.ts';
import { readingWall } from './readingWall.ts';

const signal = new AbortController().signal;
const SLY: TableRef = { namespace: ['s'], name: 'sly' };
const PLAIN: TableRef = { namespace: ['s'], name: 'plain' };

/** A session that records which of its members are reached. */
class RecordingSession {
  readonly #calls: string[];
  readonly server = { product: 'Recorder' };
  readonly findings = [];
  constructor(calls: string[]) {
    this.#calls = calls;
  }
  #reached(name: string): Promise<never> {
    this.#calls.push(name);
    return Promise.resolve(undefined as never);
  }
  describeTable(ref: TableRef): Promise<TableDescription> {
    this.#calls.push('describeTable');
    const uncertain = ref.name === SLY.name ? { uncertainRead: 'the view sly, which calls purge' } : {};
    return Promise.resolve({ ref, ...uncertain } as TableDescription);
  }
  listTables = () => this.#reached('listTables');
  ping(): Promise<void> {
    return this.#reached('ping');
  }
  readPage = () => this.#reached('readPage');
  countRows = () => this.#reached('countRows');
  close = () => this.#reached('close');
  rows = { read: () => this.#reached('rows.read') };
  suggestions = { values: () => this.#reached('suggestions.values') };
  search = { form: () => this.#reached('search.form'), search: () => this.#reached('search.search') };
  export = {
    splice: () => this.#reached('export.splice'),
    judge: () => undefined,
    rows: () => {
      this.#calls.push('export.rows');
      return (async function* () {})();
    },
  };
}

/** Every way to the rows of a table. */
const READS: Readonly<Record<string, (session: SharedSession, table: TableRef) => Promise<unknown>>> = {
  readPage: (session, table) =>
    session.readPage({ table, filter: NO_FILTER, sorts: [], position: { from: 'start' }, limit: 1 }, { signal }),
  countRows: (session, table) => session.countRows({ table, filter: NO_FILTER }, { signal }),
  'rows.read': async (session, table) => session.rows?.read({ table, keys: [['1']] }, { signal }),
  'suggestions.values': async (session, table) =>
    session.suggestions?.values({ table, column: 'a', typed: '', limit: 1 }, { signal }),
  'export.splice': async (session, table) => session.export?.splice({ table, filter: NO_FILTER }, { signal }),
  'export.rows': async (session, table) => {
    await Array.fromAsync(session.export?.rows({ table, filter: NO_FILTER }, { signal }) ?? []);
  },
  'search.search': async (session, table) => session.search?.search({ ...SEARCH, table }, { signal }),
  'search.search of another table': async (session, table) =>
    session.search?.search({ ...SEARCH, table: PLAIN, alsoIn: [table] }, { signal }),
};
const SEARCH = { text: '', fields: [], facets: [], filter: NO_FILTER, sorts: [], options: {}, offset: 0, limit: 1 };

function walled(calls: string[]): SharedSession {
  return readingWall(new RecordingSession(calls), ({ uncertainRead }) => {
    if (uncertainRead !== undefined) throw new Error(uncertainRead);
  });
}

it.each(Object.keys(READS))('%s reaches no table whose reading may do more than read', async (name) => {
  const calls: string[] = [];
  await expect(READS[name]?.(walled(calls), SLY)).rejects.toThrow('which calls purge');
  expect(new Set(calls)).toEqual(new Set(['describeTable']));
});

it.each(Object.keys(READS))('%s reaches a table that is only read', async (name) => {
  const calls: string[] = [];
  await READS[name]?.(walled(calls), PLAIN);
  expect(calls).toContain(name.split(' ')[0]);
});

it('describes a table once where the call has described it already, and again for another call', async () => {
  const calls: string[] = [];
  const session = walled(calls);
  await session.describeTable(PLAIN, { signal });
  await READS['readPage']?.(session, PLAIN);
  await READS['countRows']?.(session, PLAIN);
  expect(calls).toEqual(['describeTable', 'readPage', 'countRows']);
  await READS['readPage']?.(walled(calls), PLAIN);
  expect(calls.filter((call) => call === 'describeTable')).toHaveLength(2);
});

it('lets everything else of the session pass, with its own private members', async () => {
  const calls: string[] = [];
  const session = walled(calls);
  await session.ping({ signal });
  await session.search?.form(SLY, { signal });
  expect(session.server.product).toBe('Recorder');
  expect(session.edits).toBeUndefined();
  expect(calls).toEqual(['ping', 'search.form']);
});
