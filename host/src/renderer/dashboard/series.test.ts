import type { Metric } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import type { TimedReading } from '../../common/metrics.ts';
import { lastMinutes, seriesOf, shownMetrics, shownNode, silencesOf, withReading } from './series.ts';

const metric = (id: string, value: number): Metric => ({ id, label: id, unit: 'count', value });
const reading = (second: number, metrics: readonly Metric[], failed?: string): TimedReading => ({
  at: new Date(second * 1_000).toISOString(),
  metrics,
  problems: failed === undefined ? [] : [{ source: failed, message: 'No answer.' }],
});

describe('seriesOf', () => {
  it('joins readings, with a gap where a reading lacks the metric', () => {
    const readings = [reading(1, [metric('a', 1)]), reading(2, []), reading(3, [metric('a', 3), metric('b', 0)])];
    expect(seriesOf(readings, 'a')).toEqual({ seconds: [1, 2, 3], values: [1, null, 3] });
  });
});

it('a time range has the readings of the last minutes before the newest one', () => {
  const readings = [reading(0, []), reading(100, []), reading(130, [])];
  expect(lastMinutes(readings, 1)).toEqual(readings.slice(1));
  expect(lastMinutes(readings, 0)).toEqual(readings);
  expect(lastMinutes([], 5)).toEqual([]);
});

describe('readings of several nodes', () => {
  const of = (second: number, node: string, value: number): TimedReading => ({
    ...reading(second, [metric('a', value)]),
    node,
    nodes: [{ name: node, state: 'ready', facts: [], metrics: [] }],
    notReady: [],
  });

  it('draw the line of the node that is shown, and break it where the cards were of another one', () => {
    const readings = [of(1, 'n1', 1), of(2, 'n2', 50), of(3, 'n1', 3)];
    expect(shownNode(readings)).toBe('n1');
    expect(seriesOf(readings, 'a').values).toEqual([1, null, 3]);
  });

  it('keep the cards of the last node that answered when none does', () => {
    const readings = [of(1, 'n1', 1), of(2, 'n2', 50), reading(3, [], 'the first source')];
    expect(shownNode(readings)).toBe('n2');
    expect(shownMetrics(readings).map(({ value, isOld }) => [value, isOld])).toEqual([[50, true]]);
  });

  it('keep the nodes of the last reading alone', () => {
    const readings = [of(1, 'n1', 1), of(2, 'n1', 2)].reduce(withReading, [] as readonly TimedReading[]);
    expect(readings.map(({ nodes, node }) => [nodes?.length, node])).toEqual([
      [undefined, 'n1'],
      [1, 'n1'],
    ]);
  });
});

describe('silencesOf', () => {
  it('breaks a line where nothing was read for longer than between two readings', () => {
    expect(silencesOf([1, 2, 32, 300, 301])).toEqual([[32, 300]]);
    expect(silencesOf([])).toEqual([]);
  });
});

describe('shownMetrics', () => {
  it('keeps the last metrics of a source that failed, and marks them as old', () => {
    const shown = shownMetrics([reading(1, [metric('a', 1), metric('b', 5)]), reading(2, [metric('a', 2)], 'b’s source')]);
    expect(shown.map(({ id, value, isOld }) => [id, value, isOld])).toEqual([
      ['a', 2, false],
      ['b', 5, true],
    ]);
  });

  it('keeps the positions of metrics while a source is silent', () => {
    const whole = reading(1, [metric('a', 1), metric('b', 5), metric('c', 6)]);
    const shown = shownMetrics([whole, reading(2, [metric('c', 7), metric('d', 8)], 'the first source')]);
    expect(shown.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('drops a figure that the server stopped reporting', () => {
    expect(shownMetrics([reading(1, [metric('a', 1), metric('b', 5)]), reading(2, [metric('a', 2)])])).toHaveLength(1);
    expect(shownMetrics([])).toEqual([]);
  });
});

describe('withReading', () => {
  it('keeps each reading once and no more than the host does', () => {
    const one = reading(1, [metric('a', 1)]);
    expect(withReading([one], { ...one, metrics: [] })).toEqual([{ ...one, metrics: [] }]);
    const many = Array.from({ length: 800 }, (_none, place) => reading(place, []));
    const latest = many.reduce(withReading, [] as readonly TimedReading[]);
    expect(latest).toHaveLength(720);
    expect(latest.at(-1)).toEqual(many.at(-1));
  });
});
