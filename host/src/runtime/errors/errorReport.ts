import { sep } from 'node:path';
import { DRIVER_ERRORS, isDriverError } from '@tabularium/sdk';
import type { DriverErrorDetails } from '@tabularium/sdk';
import { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import type { ErrorReport } from '../../common/errorReport.ts';
import { HOST_ERRORS, HostError } from '../../common/errors.ts';
import { inputAdvice } from '../../common/inputAdvice.ts';
import { placeIn } from '../../common/textPlace.ts';
import { hostPackage } from '../program/hostPackage.ts';
import { sentenceOfDriverError } from './hostDriverError.ts';
import { invalidValues } from './invalidValues.ts';
import { isOutOfFiles, storageFailure } from './storageFailure.ts';

const PACKAGE = hostPackage().folder;

/** Characters of what is wrong with a request: it names every field that is not known. */
const LONGEST_MESSAGE = 4_000;

/** Errors of the router itself: the request names no call, or has the wrong form. */
const ROUTER_REFUSALS: ReadonlySet<string> = new Set([
  'BAD_REQUEST',
  'NOT_FOUND',
  'METHOD_NOT_SUPPORTED',
  'UNSUPPORTED_MEDIA_TYPE',
  'PARSE_ERROR',
]);

/**
 * Any thrown value as the report that people and programs get. What is not an error of the two tables is reported as INTERNAL, without its
 * message: an unexpected error may quote anything, also a secret. The log has it.
 *
 * @param statement - the one that failed, where it is one: a driver's place of the fault is reported only where it lies in it
 */
export function errorReport(error: unknown, statement?: string): ErrorReport {
  // The first handler may have taken it for another error, such as a file that lacks permissions.
  if (isOutOfFiles(error)) return outOfFiles(error);
  if (error instanceof HostError) {
    return {
      code: error.code,
      message: error.message,
      ...(error.sentence === undefined ? {} : { sentence: error.sentence }),
      advice: error.advice,
      retryable: error.code === 'REGISTRY_UNREACHABLE' || error.code === 'DRIVER_ROLLED_BACK' || error.code === 'DISK_FULL',
      details: error.details,
      ...error.questions,
    };
  }
  if (isDriverError(error)) {
    const kind = DRIVER_ERRORS[error.code];
    const { offset, ...details }: DriverErrorDetails = error.details ?? {};
    const sentence = sentenceOfDriverError(error);
    return {
      code: error.code,
      message: error.message,
      ...(sentence === undefined ? {} : { sentence }),
      advice:
        error.code === 'INVALID_INPUT' && error.message !== kind.sentence
          ? inputAdvice(error.message, details, kind.advice)
          : (details.advice ?? kind.advice),
      retryable: kind.retryable,
      ...placed(details, offset, statement),
    };
  }
  if (error instanceof ZodError) {
    return {
      code: 'INVALID_REQUEST',
      message: invalidValues(error).message.slice(0, LONGEST_MESSAGE),
      advice: HOST_ERRORS.INVALID_REQUEST.advice,
      retryable: false,
      details: {},
    };
  }
  if (error instanceof TRPCError && error.cause === undefined && ROUTER_REFUSALS.has(error.code)) {
    const { advice } = HOST_ERRORS.INVALID_REQUEST;
    return { code: 'INVALID_REQUEST', message: error.message, advice, retryable: false, details: {} };
  }
  if (error instanceof Error && error.name === 'AbortError') {
    return {
      code: 'CANCELLED',
      message: HOST_ERRORS.CANCELLED.sentence,
      advice: HOST_ERRORS.CANCELLED.advice,
      retryable: false,
      details: {},
    };
  }
  const storage = storageFailure(error);
  if (storage !== undefined) return errorReport(storage);
  if (isMissingPart(error)) return errorReport(new HostError('INSTALLATION_DAMAGED', undefined, { cause: error }));
  return {
    code: 'INTERNAL',
    message: HOST_ERRORS.INTERNAL.sentence,
    advice: HOST_ERRORS.INTERNAL.advice,
    retryable: false,
    details: {},
  };
}

function placed(
  details: DriverErrorDetails,
  offset: number | undefined,
  statement: string | undefined,
): Pick<ErrorReport, 'details' | 'place'> {
  const isInside = offset !== undefined && Number.isSafeInteger(offset) && offset >= 0;
  if (statement === undefined || !isInside || offset > statement.length) return { details };
  const { line, column } = placeIn(statement, offset);
  return { details: { ...details, offset }, place: { line, column } };
}

function outOfFiles(error: unknown): ErrorReport {
  const { sentence, advice } = HOST_ERRORS.TOO_MANY_FILES;
  const subject = error instanceof HostError && error.message !== sentence ? `${error.message} ` : '';
  return { code: 'TOO_MANY_FILES', message: `${subject}${sentence}`, advice, retryable: false, details: {} };
}

/** Whether a file of this installation is missing or cannot be read. */
function isMissingPart(error: unknown): boolean {
  return error instanceof Error && 'path' in error && typeof error.path === 'string' && error.path.startsWith(PACKAGE + sep);
}
