import { createStore, useStore } from 'zustand';
import type { TabPlace } from './TabPlaceContext.ts';

/** Texts that were typed and are nowhere else: one entry for each editor. */
const texts = new Set<{ readonly place: TabPlace }>();

/** A step of a person that would lose texts. */
export interface LosingStep {
  /** The names of the tabs with such a text, each once. */
  readonly tabs: readonly string[];
  readonly goOn: () => void;
}

const store = createStore<{ readonly asked?: LosingStep | undefined }>(() => ({}));

/** @returns takes the text out again */
export function noteTypedText(place: TabPlace): () => void {
  const text = { place };
  texts.add(text);
  return () => texts.delete(text);
}

/**
 * Takes a step that closes tabs of a connection, at once where nothing is typed in them, else when the person has agreed to lose it.
 *
 * @param isClosed - whether it closes the tab with this key
 */
export function closeTyped(connectionId: string, goOn: () => void, isClosed: (key: string) => boolean = () => true): void {
  const lost = [...texts].filter(({ place }) => place.connectionId === connectionId && isClosed(place.key));
  const tabs = [...new Set(lost.map(({ place }) => place.name))];
  if (tabs.length === 0) goOn();
  else store.setState({ asked: { tabs, goOn } });
}

export function useLosingStep(): LosingStep | undefined {
  return useStore(store, ({ asked }) => asked);
}

export function forgetLosingStep(): void {
  store.setState({ asked: undefined });
}
