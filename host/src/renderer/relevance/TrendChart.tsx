import { useCallback, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type uPlot from 'uplot';
import type { RelevanceRunInfo } from '../../common/relevance.ts';
import { formatMoment } from '../i18n/format.ts';
import { strings } from '../i18n/index.ts';
import { Plot } from '../ui/Plot.tsx';
import type { PlotLook } from '../ui/Plot.tsx';
import { formatMetric } from './formatMetric.ts';
import styles from './relevance.module.css';
import { trendOf } from './trendOf.ts';
import type { Trend } from './trendOf.ts';

interface Props {
  /** The newest first. */
  readonly runs: readonly RelevanceRunInfo[];
  /** The configurations to show. */
  readonly names: readonly string[];
}

/** Lines differ in colour and in dash, each with its own: some people see the colours alike. As many as a run has configurations. */
const LOOKS = [
  { color: 'accent', dash: [] },
  { color: 'amber', dash: [8, 4] },
  { color: 'violet', dash: [2, 3] },
  { color: 'green', dash: [10, 3, 2, 3] },
  { color: 'red', dash: [5, 5] },
  { color: 'muted', dash: [12, 6] },
] as const;

/** A line as words: hundreds of values in a row say nothing to a listener, and each run has its own in the tables. */
function changeText({ name, values }: Trend['lines'][number]): string {
  const measured = values.filter((value) => value !== null);
  return strings.relevance.trendLine(name, formatMetric(measured[0] ?? null), formatMetric(measured.at(-1) ?? null));
}

/** The course of nDCG over the runs of a query set: a line for each configuration, over the runs that had any of them. */
export function TrendChart({ runs, names }: Props): ReactNode {
  const words = strings.relevance;
  const trend = useMemo(() => trendOf(runs, names), [runs, names]);
  const [pointed, setPointed] = useState<number>();
  const count = trend.lines.length;
  const build = useCallback(
    ({ color, placeAxis, valueAxis }: PlotLook) => ({
      scales: { x: { time: false } },
      axes: [
        { ...placeAxis, space: 40, incrs: [1, 2, 5, 10, 20, 50, 100] },
        { ...valueAxis, values: (_chart: uPlot, splits: number[]) => splits.map(formatMetric) },
      ],
      series: [
        {},
        ...LOOKS.slice(0, count).map(({ color: name, dash }) => ({
          stroke: color(name),
          width: 1.5,
          dash: [...dash],
          // Runs without the configuration are between.
          spanGaps: true,
          points: { show: true, size: 5, fill: color(name) },
        })),
      ],
      hooks: { setCursor: [(chart: uPlot) => setPointed(chart.cursor.idx ?? undefined)] },
    }),
    [count],
  );
  const data = useMemo(
    (): uPlot.AlignedData => [trend.runs.map((_run, place) => place + 1), ...trend.lines.map(({ values }) => [...values])],
    [trend],
  );
  const at = pointed ?? trend.runs.length - 1;
  const run = trend.runs[at];
  return (
    <figure className={styles.trend} aria-label={words.trend}>
      <figcaption className={styles.trendHead}>
        <span>{words.trend}</span>
        <span className={styles.muted}>
          {run === undefined ? null : words.trendRun(at + 1, words.runAt(formatMoment(run.startedAt), run.depth))}
        </span>
      </figcaption>
      <Plot label={words.trendSummary(trend.lines.map(changeText))} build={build} data={data} />
      <ul className={styles.legend}>
        {trend.lines.map(({ name, values }, line) => (
          <li key={name}>
            <svg width="28" height="8" aria-hidden>
              <line
                x1="0"
                x2="28"
                y1="4"
                y2="4"
                strokeWidth="2"
                stroke={`var(--tb-${LOOKS[line]?.color ?? 'muted'})`}
                strokeDasharray={LOOKS[line]?.dash.join(' ')}
              />
            </svg>
            <span title={name}>{name}</span>
            <span className={styles.muted}>{formatMetric(values[at] ?? null)}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
