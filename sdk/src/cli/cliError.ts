/** Every error of the command, and its exit code. The reference of the command lists them. */
export const CLI_ERRORS = {
  USAGE: 2,
  PROJECT_INVALID: 1,
  BUILD_FAILED: 1,
  CHECK_FAILED: 1,
  FILE_EXISTS: 1,
  KEY_NOT_FOUND: 1,
  KEY_EXISTS: 1,
  KEY_UNREADABLE: 1,
  PASSPHRASE_MISSING: 1,
  STORE_UNAVAILABLE: 1,
  ARCHIVE_INVALID: 1,
  VERSION_EXISTS: 1,
  VERSION_NOT_NEWER: 1,
  PUBLISH_FAILED: 1,
  HOST_REFUSED: 1,
  INTERNAL: 1,
  CANCELLED: 130,
} as const;

/** A code of the table: it decides how the command ends. */
export type CliErrorCode = keyof typeof CLI_ERRORS;

/** The check that a failure belongs to, as `check` lists it. */
export interface FailedCheck {
  readonly id: string;
  readonly title: string;
}

/** A failure that its reader can act on: what happened and why, and what to do. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: CliErrorCode;
  readonly advice: string;
  /** Further facts for `--json`. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Undefined for a failure that belongs to no check of its own. */
  readonly check: FailedCheck | undefined;

  constructor(
    code: CliErrorCode,
    message: string,
    advice: string,
    options: {
      readonly cause?: unknown;
      readonly facts?: Readonly<Record<string, unknown>>;
      readonly check?: FailedCheck | undefined;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.advice = advice;
    this.facts = options.facts ?? {};
    this.check = options.check;
  }
}

/** The code of a failed system call, such as `ENOENT`. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
