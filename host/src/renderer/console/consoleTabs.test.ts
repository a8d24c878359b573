import { describe, expect, it } from 'vitest';
import { closed, firstRequest, opened, readTabs, tabRenamed } from './consoleTabs.ts';

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
});
