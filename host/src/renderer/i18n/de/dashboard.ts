import { dashboardWords } from '../en/dashboard.ts';
import { formatCount } from '../format.ts';
import type { Strings } from '../en/index.ts';
import { locale } from '../language.ts';

const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
const times = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });

/** The dashboard. The metrics’ names come from the driver. */
export const dashboard: Strings['dashboard'] = {
  title: 'Dashboard',
  metrics: 'Kennzahlen',
  // Units are the same in both languages, and their numbers follow the region.
  units: dashboardWords.units,
  ofTotal: (total) => `von ${total}`,
  used: (share) => `${percents.format(share)} belegt`,
  range: 'Zeitraum',
  wholeRange: 'Alle Messungen',
  lastMinutes: (minutes) => (minutes === 1 ? 'Letzte Minute' : `Letzte ${minutes} Minuten`),
  nearlyFull: 'Fast voll',
  refresh: 'Aktualisieren',
  off: 'Aus',
  everySeconds: (seconds) => `${seconds} s`,
  refreshNow: 'Jetzt aktualisieren',
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  paused: 'Angehalten',
  lastRefresh: (iso) => `Aktualisiert um ${times.format(Date.parse(iso))}`,
  neverRefreshed: 'Noch nicht gelesen',
  readFailed: 'Die Kennzahlen konnten nicht gelesen werden',
  staleText: (iso) => `Angezeigt wird der Stand von ${times.format(Date.parse(iso))}.`,
  sourceFailed: (source) => `${source} konnte nicht gelesen werden`,
  noMetricsTitle: 'Keine Kennzahlen',
  noMetricsText: 'Der Server hat diesmal keine Kennzahlen genannt. Aktualisieren fragt erneut.',
  nodes: 'Knoten',
  node: 'Knoten',
  nodeState: 'Zustand',
  nodeStates: { ready: 'Bereit', limited: 'Eingeschränkt', unreachable: 'Nicht erreichbar' },
  nodeSince: (iso, orEarlier) => `Seit ${times.format(Date.parse(iso))}${orEarlier ? ' oder länger' : ''}`,
  cardsOf: (node) => `Kennzahlen von ${node}`,
  chart: (label, value) => `${label} im Zeitverlauf, jetzt ${value}`,
  values: (label) => `Werte von ${label}`,
  valuesTime: 'Zeit',
  valuesValue: 'Wert',
  valuesMissing: 'nicht genannt',
  valuesCut: (shown, all) => `Die letzten ${formatCount(shown)} von ${formatCount(all)} Messungen.`,
  commands: { refresh: 'Dashboard aktualisieren', pause: 'Dashboard anhalten oder fortsetzen' },
  chartWaiting: 'Die Linie beginnt mit der nächsten Messung.',
  chartTime: dashboardWords.chartTime,
};
