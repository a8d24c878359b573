import { formatCount } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';
import type { Strings } from '../en/index.ts';

/** Die Wörter der Suche nach Zeilen in allen Tabellen. */
export const finding: Strings['finding'] = {
  title: (term) => `In ${term.other} suchen`,
  aliases: 'suchen finden Datenbank überall Wert Text Zeilen',
  text: 'Gesuchter Text',
  placeholder: 'E-Mail-Adresse, Nummer, ID…',
  find: 'Suchen',
  stop: 'Anhalten',
  noText: 'Geben Sie einen Text ein.',
  noTables: (term) => `Wählen Sie aus, in welchen ${term.other} gesucht wird.`,
  scope: 'Suchen in',
  allTables: (term) => `${term.other}: alle`,
  chosenTables: (term) => `${term.other}: ausgewählte`,
  match: 'Vergleich',
  contains: 'Enthält',
  exact: 'Ganzer Wert',
  matchCase: 'Groß-/Kleinschreibung',
  rowsPerTable: (term) => `Zeilen je ${term.one}`,
  timeLimit: (term) => `Zeit je ${term.one}`,
  comparesSo: (help) => `„Enthält“ heißt hier: ${help}`,
  emptyTitle: 'Zeilen nach einem beliebigen Wert suchen',
  emptyText: (term) =>
    `Geben Sie einen Text ein: Alle Zeilen, die ihn enthalten, werden nach ${term.other} aufgelistet. Zahlen und Datumsangaben werden als Werte verglichen.`,
  running: (text) => `Sucht „${text}“`,
  progress: (answered, all, term) => `${term.one} ${formatCount(Math.min(answered + 1, all))} von ${formatCount(all)}`,
  summary: (rows, hasMore, tables, term) =>
    `${formatCount(rows)}${hasMore ? '+' : ''} ${formatMessage('{rows, plural, one {Zeile} other {Zeilen}} in {tables, plural, one {# {one}} other {# {other}}}', { rows: hasMore ? 2 : rows, tables, one: term.one, other: term.other })}`,
  nothingTitle: (text) => `Keine Zeile enthält „${text}“`,
  nothingText: (asked, term) =>
    formatMessage('Durchsucht: {asked, plural, one {# {one}} other {# {other}}}.', { asked, one: term.one, other: term.other }),
  spaces: 'Der Text beginnt oder endet mit einem Leerzeichen, das mitzählt.',
  stopped: (answered, all, term) => `Angehalten nach ${formatCount(answered)} von ${formatCount(all)} ${term.other}.`,
  refused: (namespace, reason) => `„${namespace}“ wurde ausgelassen, weil es nicht gelesen werden kann: ${reason}`,
  failedTitle: 'Die Suche endete vorzeitig',
  goOn: 'Fortsetzen',
  results: 'Gefundene Zeilen',
  openFound: (table) => `${table} mit dem Filter öffnen, der diese Zeilen findet`,
  fold: (table) => `${table} zuklappen`,
  unfold: (table) => `${table} aufklappen`,
  groups: {
    leftOut: (count, term) => `Ausgelassen: ${formatCount(count)} ${count === 1 ? term.one : term.other}`,
    uncompared: (count, term) => `Einige Spalten nicht verglichen: ${formatCount(count)} ${count === 1 ? term.one : term.other}`,
    nothing: (count, term) => `Nichts gefunden: ${formatCount(count)} ${count === 1 ? term.one : term.other}`,
    notAsked: (count, term) => `Nicht durchsucht: ${formatCount(count)} ${count === 1 ? term.one : term.other}`,
  },
  noColumns: 'Keine der Spalten kann mit dem Text verglichen werden.',
  tooSlow: (seconds) => `Es dauerte länger als ${formatCount(seconds)} s.`,
  alias: (of) => `Ein Alias von ${of}, das unter seinem eigenen Namen durchsucht wird.`,
  part: (of) => `Ein Teil von ${of}, das als Ganzes durchsucht wird.`,
  columns: (names, more) => names.join(', ') + (more === 0 ? '' : ` und ${formatCount(more)} weitere`),
  fromFilter: (text) => `Zeilen mit „${text}“ suchen`,
  inTable: 'Text darin suchen…',
  inNamespace: (name) => `Text in ${name} suchen…`,
};
