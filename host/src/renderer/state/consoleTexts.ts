import { createStore } from 'zustand/vanilla';

interface WaitingText {
  readonly connectionId: string;
  readonly text: string;
}

/** Texts that other parts of the window want to open in a connection's console, until it takes them. */
export const consoleTexts = createStore<{ readonly waiting: readonly WaitingText[] }>(() => ({ waiting: [] }));

/** Has a text opened in a tab of its own, in the console of a connection: now, or as soon as that is shown. */
export function openInConsole(connectionId: string, text: string): void {
  consoleTexts.setState(({ waiting }) => ({ waiting: [...waiting, { connectionId, text }] }));
}

/** Takes what waits for a connection's console. */
export function takeConsoleTexts(connectionId: string): readonly string[] {
  const { waiting } = consoleTexts.getState();
  const mine = waiting.filter((one) => one.connectionId === connectionId);
  if (mine.length > 0) consoleTexts.setState({ waiting: waiting.filter((one) => one.connectionId !== connectionId) });
  return mine.map(({ text }) => text);
}
