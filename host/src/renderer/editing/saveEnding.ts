import { strings } from '../i18n/index.ts';
import { uncertainIn } from './saveState.ts';
import type { SaveState } from './saveState.ts';

const words = strings.editing;

interface SaveEnding {
  readonly tone: 'plain' | 'warning';
  readonly text: string;
}

/** The outcome of a save that ended, in the same words in the status bar and in the review; undefined where it had nothing to save. */
export function saveEnding(run: SaveState, table: string): SaveEnding | undefined {
  const { rows, outcomes, end } = run;
  const saved = [...outcomes.values()].filter(({ outcome }) => outcome === 'saved').length;
  const left = end === undefined ? rows - saved : end.failed + end.unknown + end.notTried;
  const uncertain = uncertainIn(run);
  // The host says it: another window may have cancelled the save, and a cancellation that came too late changed nothing.
  if (end?.error?.code === 'CANCELLED' && end.notTried > 0 && end.notTried === left) {
    const text = saved === 0 ? words.savingCancelled(left) : words.savedBeforeCancel(saved, left, table);
    return { tone: 'warning', text };
  }
  if (uncertain > 0) return { tone: 'warning', text: words.savedUncertain(saved, uncertain, left - uncertain) };
  if (left > 0) return { tone: 'warning', text: words.savedSome(saved, left) };
  return saved > 0 ? { tone: 'plain', text: words.saved(saved, table) } : undefined;
}
