import { HostError } from '../../../common/errors.ts';
import type { HostSentence } from '../../../common/hostSentences.ts';

/** The error for a driver that cannot run here: an update of Tabularium helps with a contract, and not with a platform. */
export function notCompatible(fault: HostSentence): HostError {
  return new HostError(fault.id === 'platformMissing' ? 'DRIVER_NOT_FOR_PLATFORM' : 'DRIVER_NOT_COMPATIBLE', fault);
}
