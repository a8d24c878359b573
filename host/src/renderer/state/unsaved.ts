import { visibleText } from '@tabularium/sdk';
import { LONGEST_CLOSE_TEXT } from '../../common/desktop.ts';
import type { CloseQuestion } from '../../common/desktop.ts';
import { strings } from '../i18n/index.ts';
import { desktop } from './desktop.ts';

/** Something that is lost, or could be taken for saved, when the window is closed or loaded again. */
export type Unsaved =
  /** It stays staged at the host, where the person could believe that it was saved. */
  | { readonly is: 'staged' }
  /** A text in an editor, with the name of its tab; absent: outside of tabs. */
  | { readonly is: 'typed'; readonly tab?: string }
  /** A transaction in a tab of the console. */
  | {
      readonly is: 'transaction';
      readonly tab: string;
      readonly connection: string;
      /** A request runs in it, or it is being ended: it isn't certain that closing rolls it back. */
      readonly isInProgress?: boolean;
    }
  /** A file that the window writes. */
  | { readonly is: 'writing'; readonly file: string };

/** More of one kind are counted. */
const MOST_NAMED = 5;

const unsaved = new Set<Unsaved>();
const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

/**
 * While something is unsaved, the browser or the desktop shell asks before the window is closed or loaded again. A browser has a sentence of its own for
 * that; the shell says what is lost.
 *
 * @returns takes it out again
 */
export function noteUnsaved(one: Unsaved): () => void {
  unsaved.add(one);
  renew();
  return () => {
    unsaved.delete(one);
    renew();
  };
}

function renew(): void {
  if (unsaved.size > 0) window.addEventListener('beforeunload', ask);
  else window.removeEventListener('beforeunload', ask);
  desktop()?.setCloseQuestion?.(unsaved.size === 0 ? undefined : closeQuestion([...unsaved]));
}

/** The question of the desktop shell: what is lost comes first, what stays last. */
export function closeQuestion(all: readonly Unsaved[]): CloseQuestion {
  const words = strings.closing;
  const transactions = all.filter((one) => one.is === 'transaction');
  const typed = [...new Set(all.flatMap((one) => (one.is === 'typed' ? [one.tab ?? ''] : [])))];
  const files = all.filter((one) => one.is === 'writing');
  const isStaged = all.some((one) => one.is === 'staged');
  const tabs = typed.filter((tab) => tab !== '').map((tab) => visibleText(tab));
  const lines = [
    ...transactions
      .slice(0, MOST_NAMED)
      .map(({ tab, connection, isInProgress }) =>
        (isInProgress === true ? words.transactionInProgress : words.transaction)(visibleText(tab), visibleText(connection)),
      ),
    ...(transactions.length > MOST_NAMED ? [words.moreTransactions(transactions.length - MOST_NAMED)] : []),
    ...(typed.length === 0 ? [] : [tabs.length === 0 || tabs.length > MOST_NAMED ? words.typed : words.typedIn(tabs)]),
    ...files.slice(0, MOST_NAMED).map(({ file }) => words.writing(visibleText(file))),
    ...(isStaged ? [words.staged] : []),
  ];
  // A title that promises a rollback would be too certain where something is in progress.
  const loses = transactions.length > 0 && transactions.every(({ isInProgress }) => isInProgress !== true);
  return {
    message: loses ? words.titleOfTransactions(transactions.length) : words.title,
    detail: lines.join('\n').slice(0, LONGEST_CLOSE_TEXT),
    keepOpen: words.keepOpen,
    close: loses ? words.closeAndRollBack : words.close,
  };
}
