import 'uplot/dist/uPlot.min.css';
import { useMantineColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import uPlot from 'uplot';
import { chartRange } from './chartRange.ts';
import styles from './plot.module.css';

const FACE = '11px system-ui, -apple-system, sans-serif';

/** The parts of a chart's look that all charts share; `color` gives a colour of the theme as the canvas needs it. */
export interface PlotLook {
  readonly color: (name: string) => string;
  /** Across, below the lines. */
  readonly placeAxis: uPlot.Axis;
  /** Upwards, with lines behind the chart. */
  readonly valueAxis: uPlot.Axis;
}

interface Props {
  /** Read to people who do not see it. */
  readonly label: string;
  /** Another function means another chart. */
  readonly build: (look: PlotLook) => Pick<uPlot.Options, 'axes' | 'hooks' | 'scales' | 'series'>;
  readonly data: uPlot.AlignedData;
}

const color = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--tb-${name}`).trim();

/** A chart of lines. It is drawn again with another theme, because the colours are drawn into the canvas, and with another width. */
export function Plot({ label, build, data }: Props): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const latest = useRef(data);
  const { colorScheme } = useMantineColorScheme();

  useEffect(() => {
    latest.current = data;
    plot.current?.setData(data);
  }, [data]);

  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const size = () => ({ width: element.clientWidth, height: element.clientHeight });
    const draw = (): void => {
      plot.current?.destroy();
      const axis: uPlot.Axis = { stroke: color('muted'), font: FACE, ticks: { show: false } };
      const { scales, ...built } = build({
        color,
        placeAxis: { ...axis, grid: { show: false }, size: 22 },
        valueAxis: { ...axis, grid: { stroke: color('border-soft'), width: 1 }, size: 62, space: 28 },
      });
      plot.current = new uPlot(
        {
          ...size(),
          padding: [8, 26, 0, 0],
          legend: { show: false },
          cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
          scales: { ...scales, y: { range: (_chart, low, high) => chartRange(low, high) } },
          ...built,
        },
        latest.current,
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
    const sizes = new ResizeObserver(() => plot.current?.setSize(size()));
    sizes.observe(element);
    return () => {
      scheme.removeEventListener('change', redraw);
      themes.disconnect();
      sizes.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [colorScheme, build]);
  return <div ref={place} className={styles.canvas} role="img" aria-label={label} />;
}
