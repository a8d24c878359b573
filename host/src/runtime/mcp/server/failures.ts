import { SdkError, SdkErrorCode } from '@modelcontextprotocol/server';
import { isDriverError } from '@tabularium/sdk';
import { HostError } from '../../../common/errors.ts';
import { wasNotSent } from '../../editing/wasNotSent.ts';
import type { McpLimits } from './limits.ts';
import { ToolFailure } from '../tools/tool.ts';

/** Sent twice, a change such as an insert is made twice. */
export const LOOK_BEFORE_REPEATING = 'It may have been carried out: look at what is there before you send it again.';

/** The text of a failure for a model. */
export type Failure = Pick<ToolFailure, 'code' | 'message' | 'advice' | 'refused'>;

/** Any thrown value as a message with advice. Unexpected errors go to the log, not to the client. */
export function describeFailure(
  error: unknown,
  scope: { readonly timeIsUp: boolean; readonly seconds: number | undefined; readonly mayHaveChanged: boolean },
  limits: McpLimits,
  onInternalError: (error: unknown) => void,
): Failure {
  if (scope.timeIsUp) {
    const seconds = scope.seconds ?? Math.round(limits.callMilliseconds / 1_000);
    return {
      code: 'TIMEOUT',
      message: `The call took longer than ${seconds} seconds and was stopped.`,
      advice: scope.mayHaveChanged ? LOOK_BEFORE_REPEATING : 'Ask for less at once.',
      refused: false,
    };
  }
  if (error instanceof ToolFailure) return error;
  if (error instanceof HostError || isDriverError(error)) {
    const advice = scope.mayHaveChanged && !wasNotSent(error) ? LOOK_BEFORE_REPEATING : error.advice;
    return { code: error.code, message: error.message, advice, refused: false };
  }
  // A client that goes away while its person is asked leaves nothing to look into.
  if (!(error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed)) onInternalError(error);
  const internal = new HostError('INTERNAL');
  const advice = scope.mayHaveChanged ? LOOK_BEFORE_REPEATING : internal.advice;
  return { code: internal.code, message: internal.message, advice, refused: false };
}
