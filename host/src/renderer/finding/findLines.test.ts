import { describe, expect, it } from 'vitest';
import { NOTHING_FOLDED, findLines, findSums } from './findLines.ts';
import { narrowingNamespaces, scopeOf, scopeValue } from './findScopes.ts';
import type { TableFound } from './useFindRun.ts';

const tables = ['a', 'b', 'c', 'd'].map((name) => ({ namespace: [], name }));
const found = (rows: number, hasMore = false): TableFound => ({
  outcome: {
    outcome: 'found',
    rows: Array.from({ length: rows }, () => ({ key: [], cells: [], moreCells: 0 })),
    hasMore,
    filter: { match: 'any', conditions: [] },
  },
});
const shown = (
  answers: readonly (readonly [number, TableFound])[],
  state: 'running' | 'stopped' | 'done' = 'done',
  folded = NOTHING_FOLDED,
) =>
  findLines({ tables, found: new Map(answers), state }, folded).map((line) =>
    line.is === 'group'
      ? `${line.group} ${line.count}${line.isFolded ? '' : ' unfolded'}`
      : line.is === 'entry'
        ? `${line.group}: ${line.place}`
        : `${line.is} ${line.place}`,
  );

describe('the lines of a search', () => {
  it('are in the order of the tables, whichever answers first', () => {
    expect(
      shown(
        [
          [2, found(1)],
          [0, found(2)],
          [1, { outcome: { outcome: 'nothing' } }],
        ],
        'running',
      ),
    ).toEqual(['table 0', 'row 0', 'row 0', 'table 2', 'row 2', 'nothing 1']);
  });

  it('fold tables and unfold groups', () => {
    const folded = { tables: new Set([0]), groups: new Set(['nothing'] as const) };
    expect(
      shown(
        [
          [0, found(2)],
          [1, { outcome: { outcome: 'nothing' } }],
        ],
        'stopped',
        folded,
      ),
    ).toEqual(['table 0', 'nothing 1 unfolded', 'nothing: 1', 'notAsked 2']);
  });

  it('say why where nothing was found', () => {
    expect(
      shown(
        [
          [0, { outcome: { outcome: 'tooSlow', seconds: 20 } }],
          [1, { outcome: { outcome: 'nothing' } }],
        ],
        'stopped',
      ),
    ).toEqual(['leftOut 1 unfolded', 'leftOut: 0', 'nothing 1', 'notAsked 2']);
  });

  it('are counted', () => {
    expect(
      findSums({
        found: new Map([
          [0, found(2)],
          [3, found(10, true)],
        ]),
      }),
    ).toEqual({ tables: 2, rows: 12, hasMore: true });
  });
});

describe('the scopes', () => {
  const refs = [
    ['main', 'shop'],
    ['main', 'logs'],
    ['other', 'shop'],
  ].map((namespace) => ({ ref: { namespace, name: 't' } }));

  it('are the namespaces that narrow the tables, also those that hold others', () => {
    const namespaces = narrowingNamespaces(refs);
    expect(namespaces).toEqual([['main'], ['main', 'shop'], ['main', 'logs'], ['other'], ['other', 'shop']]);
    expect(narrowingNamespaces(refs.slice(0, 1))).toEqual([]);
    for (const namespace of namespaces)
      expect(scopeOf(scopeValue({ in: 'namespace', namespace }), namespaces)).toEqual({ in: 'namespace', namespace });
    expect([scopeOf('all', namespaces), scopeOf('tables', namespaces), scopeOf('gone', namespaces)]).toEqual([
      { in: 'all' },
      { in: 'tables', tables: [] },
      { in: 'all' },
    ]);
  });
});
