import { formatBytes } from '../format.ts';
import { locale } from '../language.ts';

const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const one = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const two = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
/** Short, for the axis of a small chart. */
const ticks = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const times = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });

/** `1.2 GB`; below that as everywhere in the window. */
function bytes(value: number): string {
  if (value >= 1e12) return `${two.format(value / 1e12)} TB`;
  return value >= 1e9 ? `${two.format(value / 1e9)} GB` : formatBytes(Math.round(value));
}

const fine = (value: number): string => (Math.abs(value) < 10 ? two : Math.abs(value) < 1_000 ? one : whole).format(value);

/** The words of the dashboard. The names of the metrics come from the driver. */
export const dashboardWords = {
  title: 'Dashboard',
  metrics: 'Metrics',
  units: {
    bytes,
    count: (value: number): string => fine(value),
    perSecond: (value: number): string => `${fine(value)}/s`,
    milliseconds: (value: number): string => `${fine(value)} ms`,
    ratio: (value: number): string => two.format(value),
    percent: (value: number): string => percents.format(value / 100),
  },
  ofTotal: (total: string): string => `of ${total}`,
  used: (share: number): string => `${percents.format(share)} used`,
  range: 'Time range',
  wholeRange: 'All readings',
  lastMinutes: (minutes: number): string => (minutes === 1 ? 'Last minute' : `Last ${minutes} minutes`),
  nearlyFull: 'Nearly full',
  refresh: 'Refresh',
  off: 'Off',
  everySeconds: (seconds: number): string => `${seconds} s`,
  refreshNow: 'Refresh now',
  pause: 'Pause',
  resume: 'Resume',
  paused: 'Paused',
  lastRefresh: (iso: string): string => `Last refresh ${times.format(Date.parse(iso))}`,
  neverRefreshed: 'Not read yet',
  readFailed: "The metrics couldn't be read",
  staleText: (iso: string): string => `These values are from ${times.format(Date.parse(iso))}.`,
  sourceFailed: (source: string): string => `${source} couldn't be read`,
  noMetricsTitle: 'No metrics',
  noMetricsText: 'The server reported no metrics. Refresh to try again.',
  nodes: 'Nodes',
  node: 'Node',
  nodeState: 'State',
  nodeStates: { ready: 'Ready', limited: 'Limited', unreachable: 'Unreachable' },
  nodeSince: (iso: string, orEarlier: boolean): string =>
    `Since ${times.format(Date.parse(iso))}${orEarlier ? ' or earlier' : ''}`,
  cardsOf: (node: string): string => `Metrics of ${node}`,
  chart: (label: string, value: string): string => `${label} over time, now ${value}`,
  values: (label: string): string => `Values of ${label}`,
  valuesTime: 'Time',
  valuesValue: 'Value',
  valuesMissing: 'not reported',
  valuesCut: (shown: number, all: number): string => `The last ${whole.format(shown)} of ${whole.format(all)} readings.`,
  commands: { refresh: 'Refresh the dashboard', pause: 'Pause or resume the dashboard' },
  chartWaiting: 'The chart begins with the next reading.',
  chartTime: (seconds: number): string => ticks.format(seconds * 1_000),
};
