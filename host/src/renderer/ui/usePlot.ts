import 'uplot/dist/uPlot.min.css';
import { useMantineColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import uPlot from 'uplot';

const HEIGHT = 108;
const FACE = '11px system-ui, -apple-system, sans-serif';

/** The parts of a chart's look that all charts share; `color` gives a colour of the theme as the canvas needs it. */
export interface PlotLook {
  readonly color: (name: string) => string;
  /** Of both axes. */
  readonly axis: uPlot.Axis;
  readonly grid: uPlot.Axis.Grid;
}

type Build = (look: PlotLook) => Omit<uPlot.Options, 'height' | 'legend' | 'padding' | 'width'>;

const color = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--tb-${name}`).trim();

/**
 * Draws a chart into the element of the reference: again with another theme, because the colours are drawn into the canvas, and with another width.
 *
 * @param build - another function means another chart
 */
export function usePlot(build: Build, data: uPlot.AlignedData): RefObject<HTMLDivElement | null> {
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
    const draw = (): void => {
      plot.current?.destroy();
      const look: PlotLook = {
        color,
        axis: { stroke: color('muted'), font: FACE, ticks: { show: false } },
        grid: { stroke: color('border-soft'), width: 1 },
      };
      plot.current = new uPlot(
        { ...build(look), width: element.clientWidth, height: HEIGHT, padding: [8, 26, 0, 0], legend: { show: false } },
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
    const sizes = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: HEIGHT }));
    sizes.observe(element);
    return () => {
      scheme.removeEventListener('change', redraw);
      themes.disconnect();
      sizes.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [colorScheme, build]);
  return place;
}
