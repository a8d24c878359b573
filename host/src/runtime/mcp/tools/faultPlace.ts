import { DriverError, isDriverError } from '@tabularium/sdk';
import type { Statement } from '@tabularium/sdk';
import { placeIn, placeInSource } from '../../../common/textPlace.ts';

/** A statement, and the text of the client that it is from. */
export interface GivenStatement extends Statement {
  readonly given: string;
}

/** An error of a statement, whose message says where in the client's text the fault is, if the driver is certain of it. */
export function withFaultPlace(error: unknown, { text, given, start, end }: GivenStatement): unknown {
  if (!isDriverError(error)) return error;
  const { offset } = error.details;
  if (!Number.isSafeInteger(offset) || offset === undefined || offset < 0 || offset > text.length) return error;
  const place = placeInSource(text, given.slice(start, end), offset);
  if (place === undefined) return error;
  const { line, column } = placeIn(given, start + place);
  return new DriverError(error.code, `${error.message} At line ${line}, column ${column}.`, {
    cause: error,
    details: error.details,
  });
}
