import type { ReactNode } from 'react';
import { RELEVANCE_METRICS } from '../../common/relevance.ts';
import type { QueryMetrics, RelevanceRun } from '../../common/relevance.ts';
import { formatCount } from '../i18n/format.ts';
import { strings } from '../i18n/index.ts';
import { formatMetric } from './formatMetric.ts';
import styles from './relevance.module.css';

interface Props {
  readonly run: RelevanceRun;
}

/** Differences below this are noise of the arithmetic. */
const SAME = 1e-9;

/** The change of nDCG from the first configuration to the last one; undefined where one of them has none. */
function changeOf(metrics: readonly QueryMetrics[]): number | undefined {
  const [first, last] = [metrics[0]?.ndcg ?? null, metrics.at(-1)?.ndcg ?? null];
  return first === null || last === null ? undefined : last - first;
}

/** The metrics of a run: of each configuration in all, and of each query, those that changed most for the worse first. */
export function RunMetrics({ run: { configurations, perQuery, queries } }: Props): ReactNode {
  const words = strings.relevance;
  const compares = configurations.length > 1;
  const rows = perQuery.map((one) => ({ ...one, change: changeOf(one.metrics) }));
  if (compares) rows.sort((a, b) => (a.change ?? 0) - (b.change ?? 0));
  const changes = rows.flatMap(({ change }) => change ?? []);
  const count = (test: (change: number) => boolean): number => changes.filter(test).length;
  return (
    <>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label={words.totals}>
        <table className={styles.table} aria-label={words.totals}>
          <thead>
            <tr>
              <th scope="col">{words.configuration}</th>
              {RELEVANCE_METRICS.map((metric) => (
                <th key={metric} scope="col" className={styles.number}>
                  {words.metrics[metric]}
                </th>
              ))}
              {[
                words.measured,
                words.zeroResults,
                words.failedSearches,
                words.unjudged,
                ...(compares ? [words.overlap] : []),
              ].map((title) => (
                <th key={title} scope="col" className={styles.number}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {configurations.map(({ name, totals }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {RELEVANCE_METRICS.map((metric) => (
                  <td key={metric} className={styles.number}>
                    {formatMetric(totals[metric])}
                  </td>
                ))}
                <td className={styles.number}>{words.ofAll(totals.measured, queries)}</td>
                <td className={styles.number}>{formatCount(totals.zeroResults)}</td>
                <td className={styles.number} data-bad={totals.failed > 0 || undefined}>
                  {formatCount(totals.failed)}
                </td>
                <td className={styles.number}>{words.ofAll(totals.unjudged, totals.hits)}</td>
                {compares ? <td className={styles.number}>{formatMetric(totals.overlap)}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {compares ? (
        <p className={styles.muted}>
          {words.better(
            count((change) => change > SAME),
            count((change) => change < -SAME),
            count((change) => Math.abs(change) <= SAME),
          )}
        </p>
      ) : null}
      <div className={styles.scroll} tabIndex={0} role="region" aria-label={words.perQuery}>
        <table className={styles.table} aria-label={words.perQuery}>
          <thead>
            <tr>
              <th scope="col">{words.query}</th>
              {configurations.map(({ name }) => (
                <th key={name} scope="col" className={`${styles.number} ${styles.title}`}>
                  {`${words.metrics.ndcg}, ${name}`}
                </th>
              ))}
              {compares ? (
                <th scope="col" className={styles.number}>
                  {words.change}
                </th>
              ) : null}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ text, metrics, change }) => (
              <tr key={text}>
                <th scope="row">{text}</th>
                {metrics.map((one, place) => (
                  <td
                    key={configurations[place]?.name}
                    className={styles.number}
                    data-bad={one.error !== undefined || undefined}
                    title={one.error ?? (one.ndcg === null ? words.notMeasured : undefined)}
                  >
                    {one.error === undefined ? formatMetric(one.ndcg) : words.failedSearches}
                  </td>
                ))}
                {compares ? (
                  <td
                    className={styles.number}
                    data-change={change === undefined || Math.abs(change) <= SAME ? undefined : change > 0 ? 'up' : 'down'}
                  >
                    {change === undefined
                      ? '–'
                      : `${change > SAME ? '+' : ''}${formatMetric(Math.abs(change) <= SAME ? 0 : change)}`}
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
