import type { Strings } from '../en/index.ts';
import { formatCount, formatDecimal, formatMilliseconds } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';

/** Plans in the console. */
export const explain: Strings['explain'] = {
  explain: 'Erklären',
  explainTitle: 'Zeigt den Plan der Anfrage am Cursor; nichts wird ausgeführt (F9)',
  measure: 'Ausführen und messen',
  measureTitle: 'Führt die Anfrage in einer Transaktion aus, die nur liest, und zeigt, was jeder Schritt wirklich brauchte',
  notMeasurable: (does) => `Nur eine Anfrage, die sicher nur liest, wird für ihren Plan ausgeführt. Diese: ${does}`,
  running: (text) => `Erklärt ${text}`,
  waiting: 'Wartet auf den Plan.',
  failed: 'Es gibt keinen Plan',
  stopped: 'Sie haben das gestoppt. Nichts wurde geändert.',
  region: 'Plan',
  table: (text) => `Plan von ${text}`,
  columns: {
    step: 'Schritt',
    estimated: 'Zeilen, geschätzt',
    actual: 'Zeilen, gemessen',
    loops: 'Durchläufe',
    time: 'Zeit',
    cost: 'Kosten',
  },
  level: (depth) => `Ebene ${formatCount(depth + 1)}:`,
  rows: (value) => (Number.isInteger(value) ? formatCount(value) : formatDecimal(value, 1)),
  cost: (value) => formatDecimal(value, 2),
  time: (value) => (value < 10 ? `${formatDecimal(value, 2)} ms` : formatMilliseconds(value)),
  never: 'Lief nie',
  more: (factor) => `${formatCount(factor)}-mal mehr als geschätzt`,
  fewer: (factor) => `${formatCount(factor)}-mal weniger als geschätzt`,
  moreFacts: (count) => formatMessage('{count, plural, one {# weitere Angabe} other {# weitere Angaben}}', { count }),
  estimatedOnly: 'Schätzungen. Nichts wurde ausgeführt.',
  measured: 'Gemessen. Zeilen und Zeit sind die eines Durchlaufs.',
  planning: (value) => `Planung: ${formatDecimal(value, 2)} ms`,
  execution: (value) => `Ausführung: ${formatDecimal(value, 2)} ms`,
  leftOut: (count) =>
    formatMessage('{count, plural, one {# weiterer Schritt fehlt} other {# weitere Schritte fehlen}} hier; der Text hat alle.', {
      count,
    }),
  view: 'Darstellung des Plans',
  views: { tree: 'Schritte', text: 'Text' },
  noText: 'Der Text dieses Plans ist zu lang, um ihn zu zeigen.',
  copy: 'Plan kopieren',
  close: 'Plan schließen',
};
