import { SDK_CONTRACT } from '@tabularium/sdk';
import semver from 'semver';
import type { HostSentence } from '../../../common/hostSentences.ts';
import { hostSentence } from '../../../common/hostSentences.ts';

/**
 * Why a driver that needs `range` cannot run here; undefined when it can.
 *
 * @param driver - names the driver or its version; the same in every language
 */
export function contractFault(driver: string, range: string, own: string = SDK_CONTRACT): HostSentence | undefined {
  if (semver.validRange(range) === null) return hostSentence('contractInvalid', { driver, contract: range });
  if (semver.satisfies(own, range)) return undefined;
  return hostSentence(semver.gtr(own, range) ? 'contractOlder' : 'contractNewer', { driver, contract: range, own });
}
