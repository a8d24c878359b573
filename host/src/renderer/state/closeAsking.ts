import { endTransactions } from './openTransactions.ts';
import { closeTyped } from './typedTexts.ts';

/**
 * Takes a step that closes tabs of a connection in this window, at once where nothing is lost with them, else when the person has agreed: to texts that are
 * nowhere else, then to transactions that are rolled back.
 *
 * @param isClosed - whether it closes the tab with this key
 */
export function closeTabsAsking(connectionId: string, goOn: () => void, isClosed: (key: string) => boolean): void {
  closeTyped(
    connectionId,
    () =>
      endTransactions({
        kind: 'close',
        goOn,
        isEnded: (session) =>
          session.otherWindow === undefined && session.connectionId === connectionId && isClosed(session.tabKey),
      }),
    isClosed,
  );
}

/** As {@link closeTabsAsking}, for the connection itself: its sessions in other windows end, too. */
export function closeConnectionAsking(connectionId: string, goOn: () => void): void {
  closeTyped(connectionId, () =>
    endTransactions({ kind: 'close', goOn, isEnded: (session) => session.connectionId === connectionId }),
  );
}
