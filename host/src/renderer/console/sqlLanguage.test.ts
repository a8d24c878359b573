import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import type { TableDescription, TableSummary } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { sqlLanguage } from './sqlLanguage.ts';
import type { SqlSchema } from './sqlLanguage.ts';

const TABLES: Readonly<Record<string, readonly string[]>> = {
  books: ['isbn', 'title', 'constructor'],
  'odd names': ['a b'],
};

function schema(described: string[]): SqlSchema {
  return {
    tables: async () => Object.keys(TABLES).map((name): TableSummary => ({ ref: { namespace: [], name }, kind: 'table' })),
    describe: async ({ ref }) => {
      described.push(ref.name);
      return {
        columns: (TABLES[ref.name] ?? []).map((name) => ({ name, type: 'TEXT', kind: 'text' })),
      } as unknown as TableDescription;
    },
    byDriver: () => null,
  };
}

/** The labels that are offered at the | of a text. */
async function offered(text: string, described: string[] = []): Promise<readonly string[]> {
  const { extension, complete } = sqlLanguage('sqlite', schema(described));
  const state = EditorState.create({ doc: text.replace('|', ''), extensions: [extension] });
  const result = await complete(new CompletionContext(state, text.indexOf('|'), true));
  return result?.options.map(({ label }) => label) ?? [];
}

describe('completions of SQL', () => {
  it('are tables and key words of the dialect, and only tables that the text names are looked at', async () => {
    const described: string[] = [];
    const labels = await offered('SELECT * FROM |', described);
    expect(labels).toEqual(expect.arrayContaining(['books', 'odd names', 'WHERE', 'GLOB']));
    expect(described).toEqual([]);
  });

  it('are the columns behind a table or its other name', async () => {
    expect(await offered('SELECT books.| FROM books')).toEqual(['isbn', 'title', 'constructor']);
    expect(await offered('SELECT b.| FROM books AS b')).toEqual(['isbn', 'title', 'constructor']);
  });

  it('are key words alone when the server does not answer', async () => {
    const { extension, complete } = sqlLanguage(undefined, {
      tables: () => Promise.reject(new Error('away')),
      describe: () => Promise.reject(new Error('away')),
      byDriver: () => null,
    });
    const state = EditorState.create({ doc: 'SEL', extensions: [extension] });
    const result = await complete(new CompletionContext(state, 3, true));
    expect(result?.options.map(({ label }) => label)).toContain('SELECT');
  });

  it('are those of the driver where a table has a database before its schema, which no statement may name', async () => {
    const { extension, complete } = sqlLanguage('postgresql', {
      ...schema([]),
      tables: async () => [{ ref: { namespace: ['sales', 'public'], name: 'orders' }, kind: 'table' }],
      byDriver: ({ pos }) => ({ from: pos, options: [{ label: 'of the driver' }] }),
    });
    const state = EditorState.create({ doc: 'SELECT * FROM ', extensions: [extension] });
    const result = await complete(new CompletionContext(state, 14, true));
    expect(result?.options).toEqual([{ label: 'of the driver' }]);
  });
});
