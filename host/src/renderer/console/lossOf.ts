import type { ConsoleSessionState } from '../../common/console.ts';
import { strings } from '../i18n/index.ts';

export type EndedSession = Omit<Extract<ConsoleSessionState, { is: 'ended' }>, 'is'>;

/** A sentence about the transaction or the settings of a session that has ended. */
function lossOf({ hadTransaction, isUncertain }: EndedSession): string {
  const words = strings.consoleSession;
  if (isUncertain) return words.lostUnknown;
  return hadTransaction ? words.lostTransaction : words.lostSettings;
}

/** Why a session has ended, and what is lost with it. */
export function endOf(ended: EndedSession & { readonly wasReloaded?: boolean }): string {
  const words = strings.consoleSession;
  if (ended.wasReloaded === true) return ended.isUncertain ? words.reloadedUnknown : words.reloaded;
  return `${words.ended[ended.why]} ${lossOf(ended)}`;
}
