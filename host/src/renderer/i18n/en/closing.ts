import { formatList } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';

/** The question of the desktop shell before it closes a window in which something is unsaved. */
export const closingWords = {
  title: "Close the window with changes that aren't saved?",
  titleOfTransactions: (count: number): string =>
    formatMessage(
      '{count, plural, one {Close the window and roll back the open transaction?} other {Close the window and roll back # open transactions?}}',
      { count },
    ),
  transaction: (tab: string, connection: string): string =>
    `The transaction of the console tab “${tab}” in “${connection}” is rolled back. Its changes are lost.`,
  transactionInProgress: (tab: string, connection: string): string =>
    `A request or a commit of the console tab “${tab}” in “${connection}” is in progress: it won't be known whether its changes are saved.`,
  moreTransactions: (count: number): string =>
    formatMessage('{count, plural, one {# more transaction is rolled back.} other {# more transactions are rolled back.}}', {
      count,
    }),
  typed: "Text that you typed and that isn't staged is lost.",
  typedIn: (tabs: readonly string[]): string => `Text that you typed in ${formatList(tabs)} and that isn't staged is lost.`,
  writing: (file: string): string => `The file ${file} isn't complete yet.`,
  staged: 'Staged changes stay, and are here again when you open the window. Nothing is sent before you save.',
  keepOpen: 'Keep Open',
  close: 'Close',
  closeAndRollBack: 'Close and Roll Back',
};
