import { endTransactions } from './openTransactions.ts';
import { closeTyped } from './typedTexts.ts';

/**
 * Takes a step that closes tabs of a connection, at once where nothing is lost with them, else when the person has agreed: to texts that are nowhere
 * else, then to transactions that are rolled back.
 *
 * @param isClosed - whether it closes the tab with this key
 */
export function closeAsking(connectionId: string, goOn: () => void, isClosed: (key: string) => boolean = () => true): void {
  closeTyped(connectionId, () => endTransactions(connectionId, goOn, ({ place }) => isClosed(place.key)), isClosed);
}
