import { useEffect } from 'react';
import { createStore, useStore } from 'zustand';

/** How many bars each part of the window shows above the status bar. */
interface WaitingBars {
  readonly counts: Readonly<Record<string, number>>;
  readonly note: (part: string, count: number) => void;
}

const waiting = createStore<WaitingBars>((set) => ({
  counts: {},
  note: (part, count) => set(({ counts }) => ({ counts: { ...counts, [part]: count } })),
}));

/** Says how many bars a part shows, for as long as it is drawn. */
export function useWaitingBars(part: string, count: number): void {
  const { note } = waiting.getState();
  useEffect(() => {
    note(part, count);
    return () => note(part, 0);
  }, [note, part, count]);
}

/** The bars of all parts. */
export function useWaitingCount(): number {
  return useStore(waiting, ({ counts }) => Object.values(counts).reduce((sum, count) => sum + count, 0));
}
