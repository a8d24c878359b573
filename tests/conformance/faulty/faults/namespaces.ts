import type { NamespacesFacet } from '@tabularium/sdk';
import { acts } from '../seeded.ts';
import type { Seeded } from '../seeded.ts';

const PAGES = ['namespaces', 'pages join, and have what is directly in a namespace, each once'] as const;
const BEGIN = ['namespaces', 'the list of tables is that of the namespaces where a person begins'] as const;
const ABSENT = ['namespaces', 'one that is not there is refused, and so is a cursor of nothing; calls are cancelled'] as const;

const listing = (
  name: string,
  breaks: Seeded['breaks'],
  says: RegExp,
  change: (facet: NamespacesFacet) => Partial<NamespacesFacet>,
): Seeded => acts(name, breaks, says, ({ namespaces }) => ({ namespaces: { ...namespaces, ...change(namespaces) } }));

/** The options of a page without its cursor. */
const fromStart = <Options extends { readonly after?: string }>({ after: _after, ...rest }: Options): Omit<Options, 'after'> =>
  rest;

export const namespaceFaults: readonly Seeded[] = [
  listing('pages of namespaces that begin again', PAGES, /don't end/, (facet) => ({
    list: async (parent, options) => {
      const { namespaces, next } = await facet.list(parent, fromStart(options));
      return { namespaces, ...(next === undefined ? {} : { next: `${Math.random()}` }) };
    },
  })),
  listing('a next page after the last one', PAGES, /no entry, and a next page/, (facet) => ({
    listTables: async (...asked) => ({ next: '1000', ...(await facet.listTables(...asked)) }),
  })),
  listing('more namespaces than were asked for', PAGES, /2 were asked for/, (facet) => ({
    list: (parent, options) => facet.list(parent, { ...fromStart(options), limit: 100 }),
  })),
  listing('a table of another namespace', PAGES, /is listed among the tables in “meadow”/, (facet) => ({
    listTables: (namespace, options) => facet.listTables(namespace[0] === 'meadow' ? ['orchard'] : namespace, options),
  })),
  listing('a namespace twice', PAGES, /listed twice/, (facet) => ({
    list: async (parent, options) => {
      const { namespaces, ...next } = await facet.list(parent, { ...options, limit: 1 });
      return { namespaces: options.limit > 2 || parent.length > 0 ? namespaces : [...namespaces, ...namespaces], ...next };
    },
  })),
  listing('pages that join to another order', PAGES, /another list/, (facet) => ({
    list: async (parent, options) => {
      const page = await facet.list(parent, options);
      return options.limit > 2 ? { ...page, namespaces: page.namespaces.toReversed() } : page;
    },
  })),
  listing('a namespace without namespaces that has some', PAGES, /without namespaces, and has some/, (facet) => ({
    list: async (...asked) => {
      const { namespaces, ...next } = await facet.list(...asked);
      return { namespaces: namespaces.map((one) => ({ ...one, hasNamespaces: false })), ...next };
    },
  })),
  listing('a namespace without tables that has some', PAGES, /without tables, and has some/, (facet) => ({
    list: async (...asked) => {
      const { namespaces, ...next } = await facet.list(...asked);
      return { namespaces: namespaces.map((one) => ({ ...one, hasTables: false })), ...next };
    },
  })),
  listing('a list of tables of namespaces that begin empty', BEGIN, /where a person begins have 0/, () => ({
    initial: [['meadow']],
  })),
  listing('a namespace that is begun with twice', BEGIN, /within another one/, () => ({ initial: [['orchard'], []] })),
  listing('a namespace that is not there and has no tables', ABSENT, /listTables of .*succeeded/, (facet) => ({
    listTables: async (namespace, options) =>
      facet.listTables(namespace, options).catch((error: unknown) => {
        if (options.signal.aborted || options.after !== undefined) throw error;
        return { tables: [] };
      }),
  })),
  listing('a cursor of nothing that begins the list', ABSENT, /list after .*succeeded/, (facet) => ({
    list: (parent, options) => facet.list(parent, fromStart(options)),
  })),
  listing('a list that is not cancelled', ABSENT, /aborted signal succeeded/, (facet) => ({
    list: (parent, options) => facet.list(parent, { ...options, signal: new AbortController().signal }),
  })),
];
