import type { NodeReading } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { NodeOutages } from './nodeOutages.ts';

const node = (name: string, state: NodeReading['state']): NodeReading => ({ name, state, facts: [], metrics: [] });
const MINUTE = 60_000;
const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

describe('NodeOutages', () => {
  it('begins an outage when a node is first seen so, keeps its time, and ends it when the node is ready', () => {
    const outages = new NodeOutages();
    expect(outages.after([node('a', 'ready'), node('b', 'ready')], MINUTE)).toEqual([]);
    const begun = [{ node: 'b', since: iso(MINUTE + 5_000), orEarlier: false }];
    expect(outages.after([node('a', 'ready'), node('b', 'unreachable')], MINUTE + 5_000)).toEqual(begun);
    // It is starting now: still the same outage.
    expect(outages.after([node('a', 'ready'), node('b', 'limited')], MINUTE + 90_000)).toEqual(begun);
    expect(outages.after([node('a', 'ready'), node('b', 'ready')], MINUTE + 95_000)).toEqual([]);
    expect(outages.after([node('a', 'ready'), node('b', 'unreachable')], MINUTE + 99_000)).toMatchObject([
      { since: iso(MINUTE + 99_000), orEarlier: false },
    ]);
  });

  it('may have begun earlier where the node was not looked at shortly before', () => {
    const outages = new NodeOutages();
    expect(outages.after([node('a', 'unreachable'), node('b', 'ready')], MINUTE)).toMatchObject([{ orEarlier: true }]);
    expect(outages.after([node('a', 'ready'), node('b', 'unreachable')], 9 * MINUTE)).toEqual([
      { node: 'b', since: iso(9 * MINUTE), orEarlier: true },
    ]);
  });
});
