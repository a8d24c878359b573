import type { ConsoleSessionState } from '../../common/console.ts';
import { strings } from '../i18n/index.ts';

export type EndedSession = Omit<Extract<ConsoleSessionState, { is: 'ended' }>, 'is'>;

/** A sentence about the transaction or the settings of a session that has ended. */
export function lossOf({ hadTransaction, isUncertain }: EndedSession): string {
  const words = strings.consoleSession;
  if (isUncertain) return words.lostUnknown;
  return hadTransaction ? words.lostTransaction : words.lostSettings;
}
