import 'uplot/dist/uPlot.min.css';
import { useMantineColorScheme } from '@mantine/core';
import { visibleText } from '@tabularium/sdk';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import uPlot from 'uplot';
import { strings } from '../i18n/index.ts';
import styles from './dashboard.module.css';
import { silencesOf } from './series.ts';
import type { Series } from './series.ts';

interface Props {
  readonly label: string;
  readonly series: Series;
  readonly formatValue: (value: number) => string;
  /** The line continues over times without readings: its points are far apart. */
  readonly joinsSilences?: true;
}

const HEIGHT = 108;
const FACE = '11px system-ui, -apple-system, sans-serif';

/** A colour of the theme as the canvas needs it. */
function themeColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--tb-${name}`).trim();
}

const toData = ({ seconds, values }: Series): uPlot.AlignedData => [[...seconds], [...values]];

/** The chart's own gaps, and those where nothing was read. */
const withSilences: uPlot.Series.GapsRefiner = (chart, _series, _from, _to, gaps) => {
  const position = (second: number): number => Math.round(chart.valToPos(second, 'x', true));
  const silences = silencesOf([...chart.data[0]]).map(([from, to]): [number, number] => [position(from), position(to)]);
  return [...gaps, ...silences].sort(([one], [other]) => one - other);
};

/** One metric over time. The value at the pointer is in the caption above. */
export function LineChart({ label, series, formatValue, joinsSilences }: Props): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const readout = useRef<HTMLSpanElement>(null);
  const plot = useRef<uPlot>(undefined);
  const latest = useRef({ series, formatValue });
  // The theme's colours are drawn into the canvas, so another theme needs another drawing.
  const { colorScheme } = useMantineColorScheme();

  useEffect(() => {
    latest.current = { series, formatValue };
    plot.current?.setData(toData(series));
  }, [series, formatValue]);

  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const draw = (): void => {
      plot.current?.destroy();
      const axis = { stroke: themeColor('muted'), font: FACE, ticks: { show: false } } as const;
      const grid = { stroke: themeColor('border-soft'), width: 1 };
      plot.current = new uPlot(
        {
          width: element.clientWidth,
          height: HEIGHT,
          padding: [8, 26, 0, 0],
          legend: { show: false },
          cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
          scales: { y: { range: (_chart, low, high) => rangeOf(low, high) } },
          axes: [
            {
              ...axis,
              grid: { show: false },
              size: 22,
              space: 70,
              values: (_chart, splits) => splits.map(strings.dashboard.chartTime),
            },
            {
              ...axis,
              grid,
              size: 62,
              space: 28,
              values: (_chart, splits) => splits.map((split) => visibleText(latest.current.formatValue(split))),
            },
          ],
          series: [
            {},
            {
              ...{ stroke: themeColor('accent'), width: 1.5, points: { size: 4, fill: themeColor('accent') } },
              ...(joinsSilences === true ? {} : { gaps: withSilences }),
            },
          ],
          hooks: {
            setCursor: [
              (chart) => {
                if (readout.current === null) return;
                const at = chart.cursor.idx;
                const second = at === null || at === undefined ? undefined : latest.current.series.seconds[at];
                const value = at === null || at === undefined ? undefined : latest.current.series.values[at];
                readout.current.textContent = visibleText(
                  second === undefined || value === null || value === undefined
                    ? ''
                    : `${strings.dashboard.chartTime(second)}  ${latest.current.formatValue(value)}`,
                );
              },
            ],
          },
        },
        toData(latest.current.series),
        element,
      );
    };
    draw();
    // Another theme of the operating system changes the colours without React knowing.
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    const redraw = (): void => void requestAnimationFrame(draw);
    scheme.addEventListener('change', redraw);
    const themes = new MutationObserver(redraw);
    themes.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] });
    const sizes = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: HEIGHT }));
    sizes.observe(element);
    return () => {
      scheme.removeEventListener('change', redraw);
      themes.disconnect();
      sizes.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [colorScheme, joinsSilences]);

  return (
    <div className={styles.chart}>
      <span ref={readout} className={styles.readout} aria-hidden />
      <div ref={place} className={styles.canvas} role="img" aria-label={label} />
    </div>
  );
}

/** From zero where all is above it, with room above; a line at one value is in the middle. */
function rangeOf(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const bottom = Math.min(0, low);
  if (high === bottom) return [bottom, bottom + 1];
  // A large value that moves little would be a flat line at the top: then the axis begins near it.
  if (low > 0 && high - low < low * 0.2) {
    const room = Math.max(high - low, low * 0.01);
    return [Math.max(0, low - room), high + room];
  }
  return [bottom, high + (high - bottom) * 0.1];
}
