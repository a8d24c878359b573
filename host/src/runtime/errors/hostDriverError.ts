import { DriverError } from '@tabularium/sdk';
import type { DriverErrorCode, DriverErrorDetails } from '@tabularium/sdk';
import { englishOf } from '../../common/hostSentences.ts';
import type { HostSentence } from '../../common/hostSentences.ts';

const sentences = new WeakMap<DriverError, HostSentence>();

/** An error of the contract that the host makes itself, so that a window of another language has its sentence. */
export function hostDriverError(
  code: DriverErrorCode,
  sentence: HostSentence,
  options: { readonly details?: DriverErrorDetails; readonly cause?: unknown } = {},
): DriverError {
  const error = new DriverError(code, englishOf(sentence), options);
  sentences.set(error, sentence);
  return error;
}

/** The sentence of an error that {@link hostDriverError} made; undefined for a driver's own. */
export function sentenceOfDriverError(error: DriverError): HostSentence | undefined {
  return sentences.get(error);
}
