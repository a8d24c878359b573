import { describe, expect, it } from 'vitest';
import {
  closed,
  firstRequest,
  missingIn,
  opened,
  readTabs,
  tabRenamed,
  textIdOf,
  textName,
  withOwnTabs,
  withStoredNames,
  withoutTab,
} from './consoleTabs.ts';

const one = { tabs: [{ id: 'a' }], active: 'a' };
const three = opened(opened(one, 'b', 'Mine'), 'c');

describe('the tabs of a console', () => {
  it('are never none', () => {
    for (const stored of [undefined, null, '', { tabs: [], active: '' }, { tabs: 1 }]) {
      const { tabs, active } = readTabs(stored);
      expect(tabs.map(({ id }) => id)).toEqual([active]);
    }
    expect(readTabs(structuredClone(three))).toEqual(three);
    expect(readTabs({ tabs: [{ id: 'a' }], active: 'gone' }).active).toBe('a');
    expect(closed(one, 'a').tabs).toHaveLength(1);
    expect(closed(one, 'a').active).not.toBe('a');
  });

  it('show the new one, and the neighbour of one that is closed', () => {
    expect(three.active).toBe('c');
    expect(closed(three, 'c').active).toBe('b');
    expect(closed({ ...three, active: 'a' }, 'a').active).toBe('b');
    expect(closed({ ...three, active: 'a' }, 'b')).toEqual({ tabs: [{ id: 'a' }, { id: 'c' }], active: 'a' });
    expect(closed(three, 'gone')).toBe(three);
  });

  it('have a name, or are called by their first request', () => {
    expect(tabRenamed(three, 'a', ' Keys ').tabs[0]).toEqual({ id: 'a', name: 'Keys' });
    expect(tabRenamed(three, 'b', ' ').tabs[1]).toEqual({ id: 'b' });
    expect(firstRequest('# about\n\n  GET /collections \n{}')).toBe('GET /collections');
    expect(firstRequest(' \n# only a notice')).toBeUndefined();
    expect(firstRequest(`GET /${'x'.repeat(100)}`)).toHaveLength(40);
  });

  it('are bounded', () => {
    let tabs = one;
    for (let number = 0; number < 80; number += 1) tabs = opened(tabs, `t${number}`);
    expect(tabs.tabs).toHaveLength(50);
  });

  it('are all read, however many the windows have opened together', () => {
    const tabs = Array.from({ length: 120 }, (_, number) => ({ id: `t${number}` }));
    expect(readTabs({ tabs, active: 't7' })).toEqual({ tabs, active: 't7' });
  });

  it('have the tab at their end whose text is stored and which the list has lost', () => {
    expect(readTabs(three, ['b', 'lost'])).toEqual({ tabs: [...three.tabs, { id: 'lost' }], active: 'c' });
    expect(readTabs(undefined, ['lost'])).toEqual({ tabs: [{ id: 'lost' }], active: 'lost' });
    expect([textIdOf(textName('lost')), textIdOf('console-tabs')]).toEqual(['lost', undefined]);
  });

  it('begin with the tab that their own window showed, where it is there', () => {
    expect(readTabs(three, [], 'a').active).toBe('a');
    expect(readTabs(three, [], 'gone').active).toBe('c');
  });
});

describe('the tabs of several windows', () => {
  const other = { tabs: [{ id: 'a' }, { id: 'b', name: 'Mine' }], active: 'b' };

  it('stay in the list that one of them writes', () => {
    const written = withOwnTabs(three, other);
    expect(written).toEqual({ tabs: three.tabs, active: 'b' });
    expect(withOwnTabs(written, opened(other, 'd')).tabs.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect(withOwnTabs(undefined, one)).toEqual(one);
  });

  it('leave the list only where one of them is closed', () => {
    const written = withoutTab(three, 'b');
    expect(written.tabs.map(({ id }) => id)).toEqual(['a', 'c']);
    expect(missingIn(written, other)).toEqual([{ id: 'b', name: 'Mine' }]);
    expect(missingIn(three, other)).toEqual([]);
  });

  it('have the name that was given last', () => {
    const renamed = tabRenamed(three, 'a', 'Keys');
    expect(withStoredNames(other, renamed)).toEqual({
      tabs: [
        { id: 'a', name: 'Keys' },
        { id: 'b', name: 'Mine' },
      ],
      active: 'b',
    });
    expect(withStoredNames(other, three)).toBe(other);
  });
});
