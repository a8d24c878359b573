import { describe, expect, it } from 'vitest';
import type { SavedConnection } from '../../common/connection.ts';
import { arrange, freeName, groupNames, recentConnections } from './listModel.ts';
import type { ConnectionSort } from './listModel.ts';

const connection = (name: string, group?: string, createdAt = '2026-01-01T00:00:00Z', driver = 'b'): SavedConnection => ({
  id: name,
  name,
  driver,
  settings: {},
  secrets: {},
  access: { externalClients: 'blocked', aiPolicy: 'never' },
  color: 'gray',
  ...(group === undefined ? {} : { group }),
  createdAt,
  updatedAt: createdAt,
});
const shown = (connections: readonly SavedConnection[], search = '', sort: ConnectionSort = 'name', opened = {}) =>
  arrange(connections, { search, sort, opened, wordsOf: ({ driver }) => driver }).map(({ name, connections: members }) => [
    name,
    ...members.map((member) => member.name),
  ]);

describe('the list of connections', () => {
  const all = [connection('shop 10', 'Work'), connection('Shop 2', 'Work'), connection('local'), connection('Blog', 'home')];

  it('sorts connections into named groups, ungrouped ones last, with numbers in names in numeric order', () => {
    expect(shown(all)).toEqual([
      ['home', 'Blog'],
      ['Work', 'Shop 2', 'shop 10'],
      [undefined, 'local'],
    ]);
    expect(groupNames(all)).toEqual(['home', 'Work']);
  });

  it('is searched by name, group, type and address, every word of what was typed', () => {
    expect(shown(all, 'WORK 2')).toEqual([['Work', 'Shop 2']]);
    expect(shown(all, 'nothing')).toEqual([]);
  });

  it('is ordered as wanted, by name where that says nothing', () => {
    const three = [
      connection('c', undefined, '2026-03-01T00:00:00Z', 'a'),
      connection('a', undefined, '2026-01-01T00:00:00Z'),
      connection('b', undefined, '2026-02-01T00:00:00Z'),
    ];
    expect(shown(three, '', 'created')).toEqual([[undefined, 'c', 'b', 'a']]);
    expect(shown(three, '', 'type')).toEqual([[undefined, 'c', 'a', 'b']]);
    expect(shown(three, '', 'recent', { b: '2026-05-01T00:00:00Z' })).toEqual([[undefined, 'b', 'a', 'c']]);
  });
});

describe('the connections that were opened last', () => {
  const eight = Array.from({ length: 8 }, (_, index) => connection(`c${index}`));
  const opened = {
    c1: '2026-05-01T00:00:00Z',
    c5: '2026-05-03T00:00:00Z',
    c2: '2026-05-02T00:00:00Z',
    c7: '2026-04-01T00:00:00Z',
  };

  it('are three at most, the last one first, and none that was removed or never opened', () => {
    expect(recentConnections(eight, { ...opened, gone: '2026-06-01T00:00:00Z' }).map(({ id }) => id)).toEqual(['c5', 'c2', 'c1']);
    expect(recentConnections(eight, {})).toEqual([]);
  });

  it('are left out of a short list', () => {
    expect(recentConnections(eight.slice(1), opened)).toEqual([]);
  });
});

describe('freeName', () => {
  it('counts the uses of a tag case-insensitively, until the last use is removed', () => {
    const taken = [connection('Shop copy'), connection('shop COPY 2')];
    expect(freeName('Shop copy', taken)).toBe('Shop copy 3');
    expect(freeName('Other', taken)).toBe('Other');
  });
});
