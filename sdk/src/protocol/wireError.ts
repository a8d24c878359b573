import { DRIVER_ERRORS, DriverError, isDriverError } from '../errors.ts';
import type { DriverErrorDetails, RowsDifference } from '../errors.ts';
import { driverTextsSchema } from './commonSchemas.ts';
import type { WireError } from './schemas.ts';

const LONGEST_MESSAGE = 2_000;
const LONGEST_DETAIL = { request: 2_000, status: 200, serverMessage: 2_000, advice: 2_000, field: 1_000 } as const;

/** An error as it travels. Any other error than a DriverError becomes a fault: its message, never its stack, which names paths of this machine. */
export function toWireError(error: unknown): WireError {
  const known = toDriverError(error);
  const details: Partial<Record<keyof typeof LONGEST_DETAIL, string>> = {};
  for (const [key, longest] of Object.entries(LONGEST_DETAIL) as [keyof typeof LONGEST_DETAIL, number][]) {
    const value: unknown = known.details[key];
    if (typeof value === 'string') details[key] = value.slice(0, longest);
  }
  const rows = rowsOf(known.details);
  const { offset } = known.details;
  // Wrong ones are left out: the English message beside them is what counts.
  const texts = driverTextsSchema.parse(known.details.texts);
  return {
    code: known.code,
    message: String(known.message).slice(0, LONGEST_MESSAGE),
    details: {
      ...details,
      ...(isCount(offset) ? { offset } : {}),
      ...(rows === undefined ? {} : { rows }),
      ...(known.details.cannotResume === true ? { cannotResume: true } : {}),
      ...(texts === undefined ? {} : { texts }),
    },
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Only whole numbers cross: one that is none would make the host reject the whole error. */
function rowsOf({ rows }: DriverErrorDetails): RowsDifference | undefined {
  return isCount(rows?.got) && isCount(rows?.counted) ? rows : undefined;
}

/** Every error as one of the contract's. */
export function toDriverError(error: unknown): DriverError {
  if (error instanceof DriverError) return error;
  if (isDriverError(error) && Object.hasOwn(DRIVER_ERRORS, error.code)) {
    const details: unknown = error.details;
    return new DriverError(error.code, error.message, {
      details: typeof details === 'object' && details !== null ? details : {},
      cause: error,
    });
  }
  if (error instanceof Error && error.name === 'AbortError') return new DriverError('CANCELLED', undefined, { cause: error });
  const what = error instanceof Error ? `${error.name}: ${error.message}` : `it threw ${typeof error}`;
  return new DriverError('DRIVER_FAULT', what, { cause: error });
}
