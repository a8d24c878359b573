import { DriverError } from '@tabularium/sdk';
import type { FakeContext } from './fakeContext.test-helper.ts';

const unsupported = (): never => {
  throw new DriverError('UNSUPPORTED', 'This example has no such ability.');
};
const rejected = async (): Promise<never> => unsupported();

/** The services for facets, of a runtime whose drivers have none. */
export function fakeWork(): FakeContext {
  const empty = { revision: 0, inserts: 0, updates: 0, deletes: 0, failed: 0, unknown: 0, meanwhile: 0 };
  const state = { ...empty, canUndo: false, canRedo: false, savedRows: 0, saving: false };
  return {
    editing: {
      ability: async () => ({ allowed: false, reason: 'This driver does not edit rows.' }),
      tables: () => [],
      async *watchTables() {
        yield [];
      },
      staged: () => ({ state, rows: [] }),
      async *watch() {
        yield { type: 'all', state, rows: [] };
      },
      stage: rejected,
      undo: unsupported,
      redo: unsupported,
      discard: unsupported,
      settle: rejected,
      review: async () => [],
      save: unsupported,
      cancelSave: unsupported,
    },
    transfers: {
      start: rejected,
      startRows: rejected,
      startInWindow: unsupported,
      suggestFile: async (table, format) => `/home/me/Downloads/${table.name}.${format}`,
      list: () => [],
      async *watch() {
        yield [];
      },
      cancel: rejected,
      decide: rejected,
      reveal: rejected,
      clear: unsupported,
    },
    statements: {
      run: rejected,
      split: rejected,
      classify: rejected,
      complete: async ({ position }) => ({ from: position, items: [] }),
      examples: async () => [],
      curl: rejected,
      history: { search: async () => [], remove: () => undefined, clear: () => undefined },
      saved: { list: () => [], save: unsupported, remove: () => undefined },
    },
    querySets: { list: () => [] },
    searchConfigurations: { list: () => [] },
    relevanceRuns: { list: () => [] },
    filtering: { suggest: rejected, expressions: rejected },
    principals: {
      info: rejected,
      list: rejected,
      form: rejected,
      create: rejected,
      remove: rejected,
      generatorForm: rejected,
      generate: rejected,
    },
    metrics: { info: rejected, read: rejected, history: () => [] },
    tableOperations: { list: async () => [], plan: rejected, run: rejected },
  };
}
