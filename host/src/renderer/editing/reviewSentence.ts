import type { EditAbility } from '../../common/editing.ts';
import { strings } from '../i18n/index.ts';
import { saveEnding } from './saveEnding.ts';
import type { SaveState } from './saveState.ts';

const words = strings.editing;

/** The first sentence of a review: what will be sent or is being sent, why nothing can be, or what became of it. Empty where all was saved: the status bar says so, and the review closes. */
export function reviewSentence(
  ability: EditAbility | undefined,
  run: SaveState | undefined,
  count: number,
  table: string,
): string {
  if (run?.isCancelling === true) return words.cancelling(table);
  if (run?.isRunning === true)
    return isOneTransaction(ability) ? words.sendingAll : words.sendingEach(run.outcomes.size, run.rows === 0 ? count : run.rows);
  const ending = run === undefined ? undefined : saveEnding(run, table);
  if (ending !== undefined) return ending.tone === 'plain' ? '' : ending.text;
  if (ability?.allowed === false) return words.cantSave(ability.reason);
  if (ability === undefined) return words.reviewOrder;
  return isOneTransaction(ability) ? words.reviewAll : words.reviewEach;
}

export function isOneTransaction(ability: EditAbility | undefined): boolean {
  return ability?.allowed === true && ability.atomicity === 'all';
}

/** Whether a save that ended made no change because it could not make all of them. */
export function madeNone(ability: EditAbility | undefined, run: SaveState): boolean {
  const outcomes = [...run.outcomes.values()];
  return (
    isOneTransaction(ability) &&
    run.rows > 1 &&
    outcomes.some(({ outcome }) => outcome === 'failed') &&
    outcomes.every(({ outcome }) => outcome === 'failed')
  );
}
