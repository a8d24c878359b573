import { IconAlertTriangle, IconCircleCheck, IconPlugConnectedX } from '@tabler/icons-react';
import type { Metric, NodeReading, NodeState } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { inDriverWords } from '../api/driverTexts.ts';
import type { TimedReading } from '../../common/metrics.ts';
import { strings } from '../i18n/index.ts';
import styles from './nodes.module.css';

const ICONS = { ready: IconCircleCheck, limited: IconAlertTriangle, unreachable: IconPlugConnectedX } as const satisfies Record<
  NodeState,
  unknown
>;

interface Props {
  readonly connectionId: string;
  readonly nodes: readonly NodeReading[];
  readonly notReady: TimedReading['notReady'];
  readonly notes: readonly string[];
}

/** The nodes of a connection side by side: how each is, and its metrics. */
export function NodesTable({ connectionId, nodes: read, notReady = [], notes }: Props): ReactNode {
  const words = strings.dashboard;
  const nodes = read.map((node) => ({
    ...inDriverWords(connectionId, node),
    facts: node.facts.map((fact) => inDriverWords(connectionId, fact)),
  }));
  const facts = rowsOf(nodes.flatMap((node) => node.facts));
  const metrics = rowsOf(nodes.flatMap((node) => node.metrics)).map((metric) => inDriverWords(connectionId, metric));
  return (
    <section className={styles.nodes} aria-label={words.nodes}>
      {notes.map((note) => (
        <p key={note} className={styles.note} role="alert">
          <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
          <span>{note}</span>
        </p>
      ))}
      <div className={styles.scroll} tabIndex={0} role="group" aria-label={words.nodes}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.node}</th>
              {nodes.map(({ name }) => (
                <th key={name} scope="col" className={styles.name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{words.nodeState}</th>
              {nodes.map((node) => (
                <StateCell key={node.name} node={node} outage={notReady.find(({ node: name }) => name === node.name)} />
              ))}
            </tr>
            {facts.map(({ id, label }) => (
              <tr key={id}>
                <th scope="row">{label}</th>
                {nodes.map((node) => (
                  <td key={node.name}>{node.facts.find((fact) => fact.id === id)?.value ?? <Missing />}</td>
                ))}
              </tr>
            ))}
            {metrics.map(({ id, label, help }) => (
              <tr key={id}>
                <th scope="row" title={help}>
                  {label}
                </th>
                {nodes.map((node) => (
                  <MetricCell key={node.name} metric={node.metrics.find((metric) => metric.id === id)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Each id once, where it comes first. */
function rowsOf<Row extends { readonly id: string }>(all: readonly Row[]): readonly Row[] {
  return [...new Map(all.toReversed().map((row) => [row.id, row])).values()].toReversed();
}

interface StateProps {
  readonly node: NodeReading;
  readonly outage: NonNullable<TimedReading['notReady']>[number] | undefined;
}

function StateCell({ node: { state, message }, outage }: StateProps): ReactNode {
  const words = strings.dashboard;
  const Icon = ICONS[state];
  return (
    <td className={styles.state} data-state={state}>
      <span className={styles.mark}>
        <Icon size={15} stroke={1.75} aria-hidden />
        <strong>{words.nodeStates[state]}</strong>
      </span>
      {outage === undefined ? null : <span className={styles.since}>{words.nodeSince(outage.since, outage.orEarlier)}</span>}
      {message === undefined ? null : <span className={styles.why}>{message}</span>}
    </td>
  );
}

function MetricCell({ metric }: { readonly metric: Metric | undefined }): ReactNode {
  const words = strings.dashboard;
  if (metric === undefined)
    return (
      <td>
        <Missing />
      </td>
    );
  const { unit, value, total } = metric;
  const format = words.units[unit];
  return (
    <td>
      {format(value)}
      {total === undefined || total <= 0 ? null : (
        <span className={styles.share}>
          {words.ofTotal(format(total))} · {words.used(Math.min(1, value / total))}
        </span>
      )}
    </td>
  );
}

function Missing(): ReactNode {
  return <span className={styles.missing}>{strings.dashboard.valuesMissing}</span>;
}
