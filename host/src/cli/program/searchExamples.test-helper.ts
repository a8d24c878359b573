/** Of the commands that search one table or all. */
export const searchExamples = {
  search: [
    {
      line: 'search Shop products "oak table" --by name:3,tags --facets brand --limit 1 --json',
      answer: {
        found: 12,
        hits: [
          { key: ['7'], score: '578730123365711977', marks: ['Pinned'], document: { id: '7', name: 'Table', brand: 'Oakhouse' } },
        ],
        facets: [{ column: 'brand', values: [{ value: 'Oakhouse', rows: 5 }] }],
      },
    },
  ],
  find: [
    {
      line: 'find Shop ann@example.org --namespace public --json',
      answer: {
        tables: [
          {
            table: 'public.customers',
            rows: [{ key: { id: '7' }, found: { mail: 'ann@example.org' } }],
            more: false,
          },
        ],
        leftOut: [{ table: 'public.events', reason: 'tooSlow', message: 'It took longer than 20 s.' }],
        uncompared: [{ table: 'public.customers', columns: ['photo'], count: 1 }],
        asked: 12,
        notAsked: [],
      },
    },
  ],
};
