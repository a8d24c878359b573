import { formatCount } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';
import { lower } from './term.ts';
import type { Term } from './term.ts';

/** The words of the search for rows in all tables. */
export const findingWords = {
  title: (term: Term): string => `Find in ${lower(term.other)}`,
  aliases: 'search database everywhere value text rows',
  text: 'Text to find',
  placeholder: 'E-mail address, number, id…',
  find: 'Find',
  stop: 'Stop',
  noText: 'Enter a text to find.',
  noTables: (term: Term): string => `Choose at least one ${lower(term.one)}.`,
  scope: 'Look in',
  allTables: (term: Term): string => `All ${lower(term.other)}`,
  chosenTables: (term: Term): string => `Chosen ${lower(term.other)}`,
  match: 'Match',
  contains: 'Contains',
  exact: 'Whole value',
  matchCase: 'Match case',
  rowsPerTable: (term: Term): string => `Rows per ${lower(term.one)}`,
  timeLimit: (term: Term): string => `Time per ${lower(term.one)}`,
  comparesSo: (help: string): string => `“Contains” here: ${help}`,
  emptyTitle: 'Find rows by any value',
  emptyText: (term: Term): string =>
    `Enter a text, and every row that holds it is listed, ${lower(term.one)} by ${lower(term.one)}. Numbers and dates are compared as values.`,
  running: (text: string): string => `Finding “${text}”`,
  progress: (answered: number, all: number, term: Term): string =>
    `${term.one} ${formatCount(Math.min(answered + 1, all))} of ${formatCount(all)}`,
  summary: (rows: number, hasMore: boolean, tables: number, term: Term): string =>
    `${formatCount(rows)}${hasMore ? '+' : ''} ${formatMessage('{rows, plural, one {row} other {rows}} in {tables, plural, one {# {one}} other {# {other}}}', { rows: hasMore ? 2 : rows, tables, one: lower(term.one), other: lower(term.other) })}`,
  nothingTitle: (text: string): string => `No row holds “${text}”`,
  nothingText: (asked: number, term: Term): string =>
    formatMessage('{asked, plural, one {# {one} was} other {# {other} were}} searched.', {
      asked,
      one: lower(term.one),
      other: lower(term.other),
    }),
  spaces: 'The text begins or ends with a space, which counts.',
  stopped: (answered: number, all: number, term: Term): string =>
    `Stopped after ${formatCount(answered)} of ${formatCount(all)} ${lower(term.other)}.`,
  refused: (namespace: string, reason: string): string => `“${namespace}” was left out, because it can't be read: ${reason}`,
  failedTitle: 'The search ended early',
  goOn: 'Continue',
  results: 'Found rows',
  openFound: (table: string): string => `Open ${table} with the filter that finds these rows`,
  fold: (table: string): string => `Fold ${table}`,
  unfold: (table: string): string => `Unfold ${table}`,
  groups: {
    leftOut: (count: number, term: Term): string =>
      `Left out: ${formatCount(count)} ${lower(count === 1 ? term.one : term.other)}`,
    uncompared: (count: number, term: Term): string =>
      `Some columns not compared: ${formatCount(count)} ${lower(count === 1 ? term.one : term.other)}`,
    nothing: (count: number, term: Term): string =>
      `Nothing found: ${formatCount(count)} ${lower(count === 1 ? term.one : term.other)}`,
    notAsked: (count: number, term: Term): string =>
      `Not searched: ${formatCount(count)} ${lower(count === 1 ? term.one : term.other)}`,
  },
  noColumns: 'None of its columns can be compared with the text.',
  tooSlow: (seconds: number): string => `It took longer than ${formatCount(seconds)} s.`,
  alias: (of: string): string => `An alias of ${of}, which is searched under its own name.`,
  part: (of: string): string => `A part of ${of}, which is searched as a whole.`,
  columns: (names: readonly string[], more: number): string =>
    names.join(', ') + (more === 0 ? '' : ` and ${formatCount(more)} more`),
  fromFilter: (text: string): string => `Find rows with “${text}”`,
  inTable: 'Find a text in it…',
  inNamespace: (name: string): string => `Find a text in ${name}…`,
};
