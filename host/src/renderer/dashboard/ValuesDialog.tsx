import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './dashboard.module.css';
import type { Series } from './series.ts';

/** The table has the newest values; the line shows the rest. */
const MOST_ROWS = 200;

interface Props {
  readonly label: string;
  readonly series: Series;
  readonly formatValue: (value: number) => string;
  readonly onClose: () => void;
}

/** The line of a metric as a table: for people who don't see the line, and to read a value exactly. */
export function ValuesDialog({ label, series, formatValue, onClose }: Props): ReactNode {
  const words = strings.dashboard;
  const { seconds, values } = series;
  const rows = seconds
    .map((second, place) => ({ second, value: values[place] ?? null }))
    .slice(-MOST_ROWS)
    .toReversed();
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.values(label)}
      size={360}
      yOffset={64}
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <div className={styles.values} tabIndex={0} role="group" aria-label={words.values(label)}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.valuesTime}</th>
              <th scope="col">{words.valuesValue}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ second, value }) => (
              <tr key={second}>
                <th scope="row">{words.chartTime(second)}</th>
                <td>{value === null ? words.valuesMissing : formatValue(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length < seconds.length ? <p className={styles.help}>{words.valuesCut(rows.length, seconds.length)}</p> : null}
    </Modal>
  );
}
