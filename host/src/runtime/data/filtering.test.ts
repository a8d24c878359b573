import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BOOKS, FakeWork, never } from '../work.test-helper.ts';
import { Filtering } from './filtering.ts';

let work: FakeWork;
let filtering: Filtering;
beforeEach(() => {
  work = new FakeWork();
  filtering = new Filtering(work.sessions);
});
afterEach(() => work[Symbol.asyncDispose]());

const request = { table: BOOKS, column: 'title', typed: 'a', limit: 5 };
const question = { table: BOOKS, filter: { match: 'all' as const, conditions: [] }, sorts: [] };

describe('help for filters', () => {
  it('comes from the driver', async () => {
    const asked: unknown[] = [];
    work.session.suggestions = {
      values: async (wanted) => {
        asked.push(wanted);
        return { values: [{ value: 'a', rows: 2 }], from: 'all' };
      },
    };
    work.session.expressions = {
      ofRead: async (wanted) => {
        asked.push(wanted);
        return { parts: [{ label: 'WHERE', text: 'x' }], droppedSorts: [] };
      },
    };
    const { connectionId } = work;
    expect(await filtering.suggest({ connectionId, request }, never)).toEqual({ values: [{ value: 'a', rows: 2 }], from: 'all' });
    expect((await filtering.expressions({ connectionId, ...question }, never)).parts).toEqual([{ label: 'WHERE', text: 'x' }]);
    expect(asked).toEqual([request, question]);
  });

  it('is refused in a sentence where the driver has none', async () => {
    const { connectionId } = work;
    await expect(filtering.suggest({ connectionId, request }, never)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    await expect(filtering.expressions({ connectionId, ...question }, never)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });
});
