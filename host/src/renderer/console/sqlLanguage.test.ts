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

  const withNamespace = (namespace: readonly string[], byDriver: SqlSchema['byDriver']) =>
    sqlLanguage('postgresql', {
      ...schema([]),
      tables: async () => [{ ref: { namespace: [...namespace], name: 'orders' }, kind: 'table' }],
      byDriver,
    });
  const labelsAt = async ({ extension, complete }: ReturnType<typeof sqlLanguage>, doc: string, isExplicit: boolean) => {
    const state = EditorState.create({ doc, extensions: [extension] });
    return (await complete(new CompletionContext(state, doc.length, isExplicit)))?.options.map(({ label }) => label);
  };

  it.each([[['public']], [['sales', 'public']]])(
    'are those of the driver where a table has a namespace, of which a statement may name a part: %s',
    async (namespace) => {
      const language = withNamespace(namespace, ({ pos }) => ({ from: pos, options: [{ label: 'of the driver' }] }));
      for (const isExplicit of [true, false])
        for (const text of ['SELECT * FROM ', 'select * from o', 'update orders set ', 'select * from ü'])
          expect(await labelsAt(language, text, isExplicit)).toEqual(['of the driver']);
      expect(await labelsAt(language, 'select 1 ', false)).toBeUndefined();
    },
  );

  it("leave rare key words out where the driver has nothing that fits, and the editor's own where it completes nothing", async () => {
    const empty = withNamespace(['public'], ({ pos }) => ({ from: pos, options: [] }));
    expect(await labelsAt(empty, 'select * from clust', false)).toEqual([]);
    const without = withNamespace(['public'], () => null);
    expect(await labelsAt(without, 'select * from public.', false)).toEqual(['orders']);
    expect(await labelsAt(without, 'sel', false)).toContain('SELECT');
  });
});
