import { expect, it } from 'vitest';
import type { Curve } from './curve.ts';
import { curvePicture } from './curvePicture.ts';

const curve = (values: readonly number[], name = 'first page'): Curve => ({
  id: 'rows',
  title: 'A page over "rows" & <tables>',
  size: 'rows',
  unit: 'ms',
  series: [{ name, points: values.map((value, place) => ({ size: 10 ** (place + 1), value })) }],
  explanation: '',
});

const places = (picture: string): readonly (readonly number[])[] =>
  [...picture.matchAll(/<circle cx="([^"]+)" cy="([^"]+)"/g)].map(([, x, y]) => [Number(x), Number(y)]);

it('linear costs lie on the dashed line', () => {
  const picture = curvePicture(curve([2, 20, 200]));
  const [, x1, y1, x2, y2] = /<line clip-path[^>]* x1="([^"]+)" y1="([^"]+)" x2="([^"]+)" y2="([^"]+)"/.exec(picture) ?? [];
  const points = places(picture);
  expect([points[0], points[2]]).toEqual([
    [Number(x1), Number(y1)],
    [Number(x2), Number(y2)],
  ]);
});

it('a larger value is higher, and every point is within the picture', () => {
  const points = places(curvePicture(curve([3, 0.4, 70_000])));
  const heights = points.map(([, y = 0]) => y);
  expect(heights.toSorted((a, b) => a - b)).toEqual([heights[2], heights[0], heights[1]]);
  expect(points.flat().every((place) => place >= 0 && place <= 640)).toBe(true);
});

it('a curve with one value has an axis all the same', () => {
  expect(curvePicture(curve([10]))).not.toMatch(/NaN|Infinity/);
});

it('names are text, never markup', () => {
  const picture = curvePicture(curve([1, 2], '<script>"&'));
  expect(picture).toContain('&lt;script>&quot;&amp;');
  expect(picture).toContain('aria-label="A page over &quot;rows&quot; &amp; &lt;tables>"');
});
