import type { DriverTexts } from './model/driverText.ts';

/** The table's entry for one error code. */
export interface DriverErrorKind {
  /** A sentence for a person, for errors without a message of their own. */
  readonly sentence: string;
  /** Advice for a person. */
  readonly advice: string;
  /** Whether the same read may succeed when asked again later. A write is never repeated by the host, whatever this says. */
  readonly retryable: boolean;
}

/** Every error that a driver, or the host on a driver's behalf, can answer with. Closed: a driver uses these codes and no others. */
export const DRIVER_ERRORS = {
  INVALID_INPUT: {
    sentence: "The request isn't valid.",
    advice: 'Fix the value named in the message.',
    retryable: false,
  },
  UNSUPPORTED: {
    sentence: "This database doesn't support that.",
    advice: 'Do it another way, if the message names one.',
    retryable: false,
  },
  NOT_FOUND: {
    sentence: "The item doesn't exist.",
    advice: 'Refresh the list, because the item may have been deleted or renamed.',
    retryable: false,
  },
  CONFLICT: {
    sentence: 'The item already exists, or someone else changed it.',
    advice: 'Reload, check the current value, then try again.',
    retryable: false,
  },
  STRUCTURE_CHANGED: {
    sentence: 'The structure of the table has changed.',
    advice: 'Reload the structure of the table and try again.',
    retryable: false,
  },
  ACCESS_REFUSED: {
    sentence: 'The server rejected the credentials for this request.',
    advice: 'Correct the credentials in the connection, or use credentials with more permissions.',
    retryable: false,
  },
  CREDENTIALS_MISSING: {
    sentence: 'The connection has no credentials.',
    advice: 'Enter the credentials in the connection.',
    retryable: false,
  },
  HOST_NOT_FOUND: {
    sentence: "The host name couldn't be resolved.",
    advice: 'Check the host name and the network connection.',
    retryable: true,
  },
  CONNECTION_REFUSED: {
    sentence: 'Nothing is listening at this address.',
    advice: 'Check the host and port, and that the server is running.',
    retryable: true,
  },
  CONNECTION_LOST: {
    sentence: 'The connection was lost before the response was complete.',
    advice: 'Check whether a change in progress was made, then try again.',
    retryable: true,
  },
  TLS_FAILED: {
    sentence: "The server's identity couldn't be verified.",
    advice: "Check the SSL mode, the host name and the certificate authority in the connection's SSL settings.",
    retryable: false,
  },
  TIMEOUT: {
    sentence: "The server didn't respond in time.",
    advice: 'Check that the server is running and not overloaded, and that no firewall drops the connection; then try again.',
    retryable: true,
  },
  CANCELLED: { sentence: 'Cancelled.', advice: "You don't need to do anything.", retryable: false },
  SERVER_NOT_READY: {
    sentence: 'The server is starting or catching up.',
    advice: 'Wait a few seconds and try again.',
    retryable: true,
  },
  RATE_LIMITED: {
    sentence: "The server's rate limit was reached.",
    advice: 'Wait a moment and try again.',
    retryable: true,
  },
  SERVER_ERROR: {
    sentence: 'The server reported an error.',
    advice: "Read the server's message in the details.",
    retryable: false,
  },
  BAD_ANSWER: {
    sentence: "The driver couldn't read the server's response.",
    advice: 'Check that the host and port belong to the right kind of server.',
    retryable: false,
  },
  TOO_LARGE: {
    sentence: 'The response is larger than the limit.',
    advice: 'Request fewer rows or columns.',
    retryable: false,
  },
  ROWS_DIFFER: {
    sentence: "The number of exported rows differs from the database's own count.",
    advice: 'Export again. If the numbers differ again, check the table in the database, or keep the file and check its rows.',
    retryable: false,
  },
  PERMISSION_DENIED: {
    sentence: "The driver used a capability that its manifest doesn't declare.",
    advice: 'Report this to the author of the driver.',
    retryable: false,
  },
  DRIVER_CRASHED: {
    sentence: 'The driver process crashed.',
    advice: 'Try again, and roll the driver back to the previous version if this keeps happening.',
    retryable: true,
  },
  DRIVER_FAULT: {
    sentence: 'The driver violated its contract.',
    advice: 'Update the driver, or report this to its author.',
    retryable: false,
  },
} as const satisfies Record<string, DriverErrorKind>;

/** A code of {@link DRIVER_ERRORS}. */
export type DriverErrorCode = keyof typeof DRIVER_ERRORS;

/** The two numbers of an export that differ. */
export interface RowsDifference {
  /** Rows that the database sent, all of them delivered. */
  readonly got: number;
  /** Rows that the database counts, after the export. */
  readonly counted: number;
}

/** Facts behind an error for people who want to know more; shown on demand. Never holds a credential. */
export interface DriverErrorDetails {
  /** The request line or statement that failed, such as `POST /multi_search`. */
  readonly request?: string;
  /** The server's status, such as an HTTP status or a SQLSTATE. */
  readonly status?: string;
  /** The server's own words, at most 2,000 characters. */
  readonly serverMessage?: string;
  /** Advice that is more precise than the table's. */
  readonly advice?: string;
  /** The column or form field at fault, so that it can be marked. */
  readonly field?: string;
  /**
   * Where the fault begins in the statement that the call was given, in UTF-16 code units from 0 to its length. From `classify`, `run`, `parameters` and
   * `explain` of a console only, and only where the driver is certain of the place in exactly that text.
   */
  readonly offset?: number;
  /** With `ROWS_DIFFER`, which a person may then accept. Without it, the export fails. */
  readonly rows?: RowsDifference;
  /** Of a run of an operation that was given a checkpoint: it can never continue, so that the host no longer offers to resume it. */
  readonly cannotResume?: true;
  /** The error's message, and `advice`, in other languages. */
  readonly texts?: DriverTexts;
}

/** The error of this contract. Whatever else a driver throws reaches the host as `DRIVER_FAULT`. */
export class DriverError extends Error {
  override readonly name = 'DriverError';
  /** From the table. */
  readonly code: DriverErrorCode;
  /** Empty when nothing more is known. */
  readonly details: DriverErrorDetails;

  /**
   * @param code - from the table
   * @param message - one or two sentences for a person: what happened and why. Defaults to the table's sentence. No secrets.
   */
  constructor(
    code: DriverErrorCode,
    message?: string,
    options: { readonly details?: DriverErrorDetails; readonly cause?: unknown } = {},
  ) {
    super(message ?? DRIVER_ERRORS[code].sentence, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
  }

  /** Whether the same read may succeed when asked again later. */
  get retryable(): boolean {
    return DRIVER_ERRORS[this.code].retryable;
  }

  /** Advice for a person. */
  get advice(): string {
    return this.details.advice ?? DRIVER_ERRORS[this.code].advice;
  }
}

/** True for every error made by {@link DriverError}, also by another copy of this module. */
export function isDriverError(error: unknown): error is DriverError {
  return (
    error instanceof Error &&
    error.name === 'DriverError' &&
    'code' in error &&
    typeof error.code === 'string' &&
    Object.hasOwn(DRIVER_ERRORS, error.code)
  );
}
