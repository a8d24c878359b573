import { ActionIcon } from '@mantine/core';
import { IconAlertTriangle, IconTable } from '@tabler/icons-react';
import type { Metric } from '@tabularium/sdk';
import { useCallback, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { TimedReading } from '../../common/metrics.ts';
import { strings } from '../i18n/index.ts';
import styles from './dashboard.module.css';
import { seriesOf } from './series.ts';
import { ValuesDialog } from './ValuesDialog.tsx';
import { onDemand } from '../ui/onDemand.tsx';

const LineChart = onDemand(async () => (await import('./LineChart.tsx')).LineChart, <p className={styles.waiting} aria-busy />);

/** From this share of a whole on, a card has a mark. */
const NEARLY_FULL = 0.9;

interface Props {
  readonly metric: Metric & { readonly isOld: boolean };
  readonly readings: readonly TimedReading[];
}

/** One figure: what it is now, how much of its whole, and how it came there. */
export function MetricCard({ metric, readings }: Props): ReactNode {
  const words = strings.dashboard;
  const { id, label, unit, value, total, help, isOld } = metric;
  const format = useCallback((number: number) => words.units[unit](number), [unit, words]);
  const series = useMemo(() => seriesOf(readings, id), [readings, id]);
  const [showsValues, setShowsValues] = useState(false);
  const share = total === undefined || total <= 0 ? undefined : Math.min(1, Math.max(0, value / total));
  return (
    <li className={styles.card} data-old={isOld || undefined} aria-label={label}>
      <div className={styles.cardHead}>
        <h2 className={styles.cardTitle}>{label}</h2>
        <ActionIcon
          size={22}
          aria-label={words.values(label)}
          title={words.values(label)}
          disabled={series.seconds.length === 0}
          onClick={() => setShowsValues(true)}
        >
          <IconTable size={14} stroke={1.75} />
        </ActionIcon>
      </div>
      <p className={styles.value}>
        <strong>{format(value)}</strong>
        {total === undefined ? null : <span>{words.ofTotal(format(total))}</span>}
        {share === undefined ? null : (
          <span className={styles.share} data-alert={share >= NEARLY_FULL || undefined}>
            {share < NEARLY_FULL ? null : <IconAlertTriangle size={14} stroke={1.75} role="img" aria-label={words.nearlyFull} />}
            {words.used(share)}
          </span>
        )}
      </p>
      {share === undefined ? null : (
        <meter className={styles.meter} value={share} min={0} max={1} aria-label={`${label}: ${words.used(share)}`} />
      )}
      {series.seconds.length < 2 ? (
        <p className={styles.waiting}>{words.chartWaiting}</p>
      ) : (
        <LineChart label={words.chart(label, format(value))} series={series} formatValue={format} />
      )}
      {help === undefined ? null : <p className={styles.help}>{help}</p>}
      {showsValues ? (
        <ValuesDialog label={label} series={series} formatValue={format} onClose={() => setShowsValues(false)} />
      ) : null}
    </li>
  );
}
