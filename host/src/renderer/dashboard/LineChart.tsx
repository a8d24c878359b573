import { visibleText } from '@tabularium/sdk';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { ReactNode } from 'react';
import type uPlot from 'uplot';
import { strings } from '../i18n/index.ts';
import { Plot } from '../ui/Plot.tsx';
import type { PlotLook } from '../ui/Plot.tsx';
import styles from './dashboard.module.css';
import { silencesOf } from './series.ts';
import type { Series } from './series.ts';

interface Props {
  readonly label: string;
  readonly series: Series;
  readonly formatValue: (value: number) => string;
}

/** The chart's own gaps, and those where nothing was read. */
const withSilences: uPlot.Series.GapsRefiner = (chart, _series, _from, _to, gaps) => {
  const position = (second: number): number => Math.round(chart.valToPos(second, 'x', true));
  const silences = silencesOf([...chart.data[0]]).map(([from, to]): [number, number] => [position(from), position(to)]);
  return [...gaps, ...silences].sort(([one], [other]) => one - other);
};

/** One metric over time. The value at the pointer is in the caption above. */
export function LineChart({ label, series, formatValue }: Props): ReactNode {
  const readout = useRef<HTMLSpanElement>(null);
  const latest = useRef({ series, formatValue });
  useEffect(() => {
    latest.current = { series, formatValue };
  }, [series, formatValue]);
  const build = useCallback(
    ({ color, placeAxis, valueAxis }: PlotLook) => ({
      axes: [
        {
          ...placeAxis,
          space: 70,
          values: (_chart: uPlot, splits: number[]) => splits.map(strings.dashboard.chartTime),
        },
        {
          ...valueAxis,
          values: (_chart: uPlot, splits: number[]) => splits.map((split) => visibleText(latest.current.formatValue(split))),
        },
      ],
      series: [{}, { stroke: color('accent'), width: 1.5, points: { size: 4, fill: color('accent') }, gaps: withSilences }],
      hooks: {
        setCursor: [
          (chart: uPlot) => {
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
    }),
    [],
  );
  const data = useMemo((): uPlot.AlignedData => [[...series.seconds], [...series.values]], [series]);
  return (
    <div className={styles.chart}>
      <span ref={readout} className={styles.readout} aria-hidden />
      <Plot label={label} build={build} data={data} />
    </div>
  );
}
