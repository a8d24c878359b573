import { describe, expect, it } from 'vitest';
import { eventsOf } from './eventsOf.ts';

const column = { name: 'a', kind: 'text' };
const begin = { type: 'rowsBegin', columns: [column] };
const rows = (count: number, width = 1) => ({
  type: 'rows',
  rows: Array.from({ length: count }, () => Array<null>(width).fill(null)),
});
const done = { type: 'done', truncated: false, milliseconds: 1 };

async function read(
  events: readonly unknown[],
  maxRows = Infinity,
  method: 'console.run' | 'console.sessionRun' | 'export.rows' | 'edits.apply' = 'console.run',
  changes = 0,
) {
  async function* body() {
    for (const event of events) yield await Promise.resolve(Buffer.from(`${JSON.stringify(event)}\n`));
  }
  let count = 0;
  for await (const event of eventsOf(
    method,
    body(),
    16 * 1024 * 1024,
    { rows: maxRows, changes },
    (reason) => new Error(reason) as never,
  ))
    if ('type' in event || 'index' in event) count += 1;
  return count;
}

const notice = { type: 'notice', severity: 'notice', message: 'hello' };

describe('the events of a statement in a session', () => {
  it('may have notices and reports between the others, and only there', async () => {
    const context = { type: 'context', context: { transaction: 'open' } };
    const progress = { type: 'progress', message: 'building', share: 0.5 };
    expect(await read([notice, begin, notice, rows(1), progress, done, context], 5, 'console.sessionRun')).toBe(7);
    await expect(read([notice], 5)).rejects.toThrow(/not valid/);
  });

  it('has no notices without end', async () => {
    await expect(
      read(
        Array.from({ length: 10_001 }, () => notice),
        5,
        'console.sessionRun',
      ),
    ).rejects.toThrow(/more than 10000/);
  });
});

describe('the events of one answer', () => {
  it('may be several results, each with rows as wide as its columns', async () => {
    const wide = { type: 'rowsBegin', columns: [column, column] };
    expect(await read([begin, rows(2), rows(1), done, done, wide, rows(3, 2), done], 3)).toBe(8);
    expect(await read([{ type: 'begin', columns: [column] }, rows(2), rows(3)], Infinity, 'export.rows')).toBe(3);
  });

  it.each([
    ['rows before their columns', [rows(1)], /rows came before their columns/],
    ['rows after their result', [begin, done, rows(1)], /rows came before their columns/],
    ['columns twice', [begin, begin], /columns came twice/],
    ['text inside rows', [begin, { type: 'text', mediaType: 'text/plain', text: '' }], /text came inside a result with rows/],
    [
      'texts without end',
      Array.from({ length: 2 }, () => ({ type: 'text', mediaType: 'text/plain', text: '' })),
      /text came twice for one result/,
    ],
    ['a wide row', [begin, rows(1, 2)], /more or fewer cells/],
    ['an empty row', [begin, rows(1, 0)], /more or fewer cells/],
    ['more rows than were asked for', [begin, rows(3), rows(3)], /more than the 5 rows came/],
    [
      'many rows in one event',
      [{ type: 'rowsBegin', columns: [] }, rows(100_001, 0)],
      /an event has more than 100000 rows|more than the 5/,
    ],
    ['results without end', Array.from({ length: 10_001 }, () => done), /more than 10000 results/],
  ])('are refused out of order or number: %s', async (_name, events, message) => {
    await expect(read(events, 5)).rejects.toThrow(message);
  });

  it('are refused where one event has more rows than the schema allows, though no limit was asked for', async () => {
    const first = { type: 'begin', columns: [] };
    await expect(read([first, rows(100_001, 0)], Infinity, 'export.rows')).rejects.toThrow(/an event has more than 100000 rows/);
    await expect(read([first, first], Infinity, 'export.rows')).rejects.toThrow(/columns came twice/);
  });
});

describe('the outcomes of changes', () => {
  const saved = (index: number) => ({ index, outcome: 'saved' });

  it('may come in any order, and some may be missing', async () => {
    expect(await read([saved(2), saved(0)], Infinity, 'edits.apply', 3)).toBe(2);
  });

  it.each([
    ['of a change that was not given', [saved(0), saved(1)], 1, /reported change 1, and was given 1/],
    ['twice', [saved(0), { index: 0, outcome: 'unknown', message: '' }], 3, /reported change 0 twice/],
    ['without end', Array.from({ length: 10_001 }, (_, index) => saved(index % 10_000)), 10_000, /reported change 0 twice/],
    ['where there was none', [saved(0)], 0, /reported change 0, and was given 0/],
  ])('are refused %s', async (_name, events, changes, message) => {
    await expect(read(events, Infinity, 'edits.apply', changes)).rejects.toThrow(message);
  });
});
