const KEY = 'tabularium-console';

const keyOf = (connectionId: string): string => `${KEY}:${connectionId}`;

/** The text of a connection's console as it was left. */
export function loadDraft(connectionId: string): string {
  return localStorage.getItem(keyOf(connectionId)) ?? '';
}

/** A text that the browser has no room for is kept while the tab is open, and no longer. */
export function keepDraft(connectionId: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(keyOf(connectionId));
    else localStorage.setItem(keyOf(connectionId), text);
  } catch {
    localStorage.removeItem(keyOf(connectionId));
  }
}
