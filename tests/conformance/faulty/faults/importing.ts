import type { ImportFacet, ImportedTables } from '@tabularium/sdk';
import { acts } from '../seeded.ts';
import type { Seeded } from '../seeded.ts';
import { keyOf } from '../orchard/world.ts';
import type { World } from '../orchard/world.ts';

const FORMS = [
  'import',
  'its modes have names and requests; a table or mode that is not there is refused, and calls are cancelled',
] as const;
const ROWS = ['import', 'each row has its outcome, a rejected one leaves nothing, and one that is there stays one'] as const;
const JUDGED = ['import', 'the answer to a splice is judged by its status and its lines'] as const;
const TABLES = ['import', 'a table is proposed, planned and created for rows, and takes them'] as const;

const replacing = (
  name: string,
  breaks: Seeded['breaks'],
  says: RegExp,
  change: (imports: ImportFacet, world: World) => Partial<ImportFacet>,
): Seeded => acts(name, breaks, says, (session, world) => ({ import: { ...session.import, ...change(session.import, world) } }));

const creating = (
  name: string,
  says: RegExp,
  change: (tables: ImportedTables, world: World) => Partial<ImportedTables>,
): Seeded =>
  replacing(name, TABLES, says, ({ tables }, world) => {
    if (tables === undefined) throw new Error('The orchard creates tables.');
    return { tables: { ...tables, ...change(tables, world) } };
  });

export const importFaults: readonly Seeded[] = [
  replacing('two import modes of one id', FORMS, /one id/, ({ form }) => ({
    form: async (...asked) => {
      const found = await form(...asked);
      return { ...found, modes: [...found.modes, ...found.modes] };
    },
  })),
  replacing('an import mode without its request', FORMS, /without its request/, ({ form }) => ({
    form: async (...asked) => {
      const found = await form(...asked);
      return { ...found, modes: found.modes.map((mode) => ({ ...mode, text: ' ' })) };
    },
  })),
  replacing('an import form of a table that is not there', FORMS, /not there succeeded/, ({ form }) => ({
    form: async (table, options) => form({ ...table, name: 'trees' }, options),
  })),
  replacing('an unknown import mode that is taken for another', FORMS, /mode that is not there/, ({ write }) => ({
    write: (target, rows, options) => write({ ...target, mode: 'plant' }, rows, options),
  })),
  replacing('an import that is not cancelled', FORMS, /aborted signal/, ({ write }) => ({
    write: (target, rows) => write(target, rows, { signal: new AbortController().signal }),
  })),
  replacing('rejected rows without an outcome', ROWS, /outcomes came/, ({ write }) => ({
    async *write(...asked) {
      for await (const outcome of write(...asked)) if (outcome.outcome === 'written') yield outcome;
    },
  })),
  replacing('an outcome of no written row', ROWS, /outcome is of 0 written rows/, ({ write }) => ({
    async *write(...asked) {
      for await (const outcome of write(...asked)) yield outcome.outcome === 'written' ? { ...outcome, rows: 0 } : outcome;
    },
  })),
  replacing('an outcome of more rows than were written', ROWS, /outcomes came/, ({ write }) => ({
    async *write(...asked) {
      for await (const outcome of write(...asked)) yield outcome.outcome === 'written' ? { ...outcome, rows: 2 } : outcome;
    },
  })),
  replacing('rejected rows that are called written', ROWS, /must be rejected/, ({ write }) => ({
    async *write(...asked) {
      for await (const outcome of write(...asked)) yield outcome.outcome === 'written' ? outcome : { outcome: 'written' };
    },
  })),
  replacing('rejected rows without a reason', ROWS, /nothing says why/, ({ write }) => ({
    async *write(...asked) {
      for await (const outcome of write(...asked)) yield outcome.outcome === 'rejected' ? { ...outcome, message: ' ' } : outcome;
    },
  })),
  replacing('a row that is there and rejected as any other', ROWS, /doesn't say so/, ({ write }) => ({
    async *write(...asked) {
      for await (const outcome of write(...asked)) {
        yield outcome.outcome === 'rejected' ? { outcome: 'rejected', message: outcome.message } : outcome;
      }
    },
  })),
  replacing('a check of rows that writes them', ROWS, /Checking rows/, ({ check, write }) => ({
    check: async (target, rows, options) => {
      await Array.fromAsync(write(target, rows, options));
      return check(target, rows, options);
    },
  })),
  replacing('a check that rejects a good row', ROWS, /before it is written/, () => ({
    check: async () => [{ index: 0, message: 'No row is good enough.' }],
  })),
  replacing('an import that writes nothing', ROWS, /not one more/, ({ write }) => ({
    async *write(target, rows, options) {
      for (const row of rows) {
        if (row.includes('"baskets":1')) yield { outcome: 'written' };
        else yield* write(target, [row], options);
      }
    },
  })),
  replacing('an answer of an import that is judged by its lines alone', JUDGED, /status 500/, ({ judge }) => ({
    judge: async (splice, { status, lines }) =>
      status === 200 ? judge(splice, { status, lines }) : lines.map((message) => ({ outcome: 'rejected' as const, message })),
  })),
  replacing('a broken answer of an import that is taken for a rejected row', JUDGED, /isn't an outcome/, ({ judge }) => ({
    judge: async (splice, answer) => {
      try {
        return await judge(splice, answer);
      } catch (error) {
        if (answer.status !== 200) throw error;
        return answer.lines.map((message) => ({ outcome: 'rejected' as const, message }));
      }
    },
  })),
  replacing('a written row that is judged as rejected', JUDGED, /something else/, () => ({
    judge: (_splice, { lines }) => lines.map((message) => ({ outcome: 'rejected', message })),
  })),
  creating('a namespace for new tables that is missing', /isn't among those for new tables/, () => ({
    namespaces: async () => [['meadow']],
  })),
  creating('a namespace for new tables that is listed twice', /listed twice/, () => ({
    namespaces: async () => [['orchard'], ['orchard']],
  })),
  creating('namespaces for new tables that are not cancelled', /aborted signal/, () => ({
    namespaces: async () => [['orchard']],
  })),
  creating('a plan of a table that creates it', /planned or refused/, ({ plan, create }) => ({
    plan: async (...asked) => {
      const planned = await plan(...asked);
      await create(...asked);
      return planned;
    },
  })),
  creating('a definition of another table that is taken', /definition of another/, ({ create }) => ({
    create: async (table, definition, options) =>
      create({ ...table, name: definition.startsWith('{"') ? 'kit "new"' : table.name }, definition, options),
  })),
  creating('a table that is created twice', /Creating a table twice/, ({ create }, world) => ({
    create: async (table, definition, options) => {
      if (definition.startsWith('{"') && world.tables.has(keyOf(table))) return;
      await create(table, definition, options);
    },
  })),
  creating('a table that is created and not there', /not listed/, ({ plan }) => ({
    create: async (...asked) => {
      await plan(...asked);
    },
  })),
];
