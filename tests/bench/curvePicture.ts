import type { Curve, CurvePoint } from './curve.ts';

const WIDTH = 640;
const HEIGHT = 320;
const LEFT = 70;
const RIGHT = 44;
const TOP = 16;
const BOTTOM = 78;
const COLORS = ['#2459c8', '#c4600d'];

/** A curve as an SVG picture that reads on light and dark grounds. Both axes are logarithmic; a dashed line grows with the size, as linear costs do. */
export function curvePicture({ title, size, unit, series }: Curve): string {
  const points = series.flatMap((one) => one.points);
  const horizontal = axis(points.map((point) => point.size));
  const vertical = axis(points.map(({ value }) => value));
  const x = (value: number): string => (LEFT + horizontal.share(value) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const y = (value: number): string => (HEIGHT - BOTTOM - vertical.share(value) * (HEIGHT - TOP - BOTTOM)).toFixed(1);
  const ground = HEIGHT - BOTTOM;
  const marks = [
    ...horizontal.marks.map(
      (mark) =>
        `<line class="grid" x1="${x(mark)}" x2="${x(mark)}" y1="${TOP}" y2="${ground}"/><text x="${x(mark)}" y="${ground + 18}" text-anchor="middle">${amount(mark)}</text>`,
    ),
    ...vertical.marks.map(
      (mark) =>
        `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(mark)}" y2="${y(mark)}"/><text x="${LEFT - 8}" y="${Number(y(mark)) + 4}" text-anchor="end">${amount(mark)}</text>`,
    ),
  ];
  const lines = series.map(({ name, points: own }, place) => {
    const color = COLORS[place % COLORS.length] ?? '';
    const way = own.map((point) => `${x(point.size)},${y(point.value)}`).join(' ');
    const dots = own.map((point) => `<circle cx="${x(point.size)}" cy="${y(point.value)}" r="3.5" fill="${color}"/>`).join('');
    const legend = LEFT + place * 220;
    return `<polyline points="${way}" fill="none" stroke="${color}" stroke-width="2"/>${dots}<rect x="${legend}" y="${HEIGHT - 18}" width="12" height="4" fill="${color}"/><text x="${legend + 18}" y="${HEIGHT - 12}">${escaped(name)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}">`,
    '<style>text{font:12px system-ui,sans-serif;fill:#5c6068}.grid{stroke:#5c6068;stroke-opacity:.25}@media(prefers-color-scheme:dark){text{fill:#a3a6ad}}</style>',
    `<clipPath id="plot"><rect x="${LEFT}" y="${TOP}" width="${WIDTH - LEFT - RIGHT}" height="${ground - TOP}"/></clipPath>`,
    ...marks,
    linear(points, x, y),
    ...lines,
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${ground + 38}" text-anchor="middle">${escaped(size)}</text>`,
    `<text transform="translate(16 ${(TOP + ground) / 2}) rotate(-90)" text-anchor="middle">${escaped(unit)}</text>`,
    '</svg>',
    '',
  ].join('\n');
}

/** A line with the slope of linear costs, through the first point. */
function linear(points: readonly CurvePoint[], x: (value: number) => string, y: (value: number) => string): string {
  const [first] = points;
  const largest = Math.max(...points.map(({ size }) => size));
  if (first === undefined) return '';
  const end = first.value * (largest / first.size);
  return `<line clip-path="url(#plot)" x1="${x(first.size)}" y1="${y(first.value)}" x2="${x(largest)}" y2="${y(end)}" stroke="#5c6068" stroke-opacity=".6" stroke-dasharray="4 4"/>`;
}

interface Axis {
  /** The powers of ten. */
  readonly marks: readonly number[];
  /** The place of a value, from 0 to 1 within the axis. */
  share(value: number): number;
}

/** From the power of ten below all values to the one above. */
function axis(values: readonly number[]): Axis {
  const lowest = Math.floor(Math.log10(Math.min(...values)));
  const highest = Math.max(lowest + 1, Math.ceil(Math.log10(Math.max(...values))));
  return {
    marks: Array.from({ length: highest - lowest + 1 }, (_unused, step) => 10 ** (lowest + step)),
    share: (value) => (Math.log10(value) - lowest) / (highest - lowest),
  };
}

const amount = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 3 });

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
