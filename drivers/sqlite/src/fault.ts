import { DriverError, driverText } from '@tabularium/sdk';
import type { DriverErrorCode, DriverErrorDetails, DriverTexts } from '@tabularium/sdk';

/** The error of node:sqlite, as far as it is known. */
interface SqliteFault {
  readonly errcode: number;
  readonly message: string;
}

function isSqliteFault(error: unknown): error is Error & SqliteFault {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
}

const MOST_WORDS = 2_000;

/** The primary result codes (the lower eight bits) that mean something to a person. */
export const RESULT_CODES: Readonly<Record<number, readonly [DriverErrorCode, string, string?]>> = {
  3: [
    'ACCESS_REFUSED',
    'The operating system denied access to the file.',
    'Check the permissions of the file and of its folder.',
  ],
  5: [
    'SERVER_NOT_READY',
    'The database is locked by another program.',
    'Try again when the other program is done, or wait longer for locks in the options of the connection.',
  ],
  6: ['SERVER_NOT_READY', 'The table is locked by another statement of this connection.', 'Try again when that is done.'],
  8: [
    'ACCESS_REFUSED',
    'The database is opened read-only.',
    'Check the permissions of the file and the option “Open Read-Only”.',
  ],
  10: ['SERVER_ERROR', "The file couldn't be read or written.", 'Check the disk.'],
  11: ['SERVER_ERROR', 'The database file is damaged.', 'Restore a copy, or recover the data with the tools of SQLite.'],
  13: ['SERVER_ERROR', 'The disk is full, or the database has reached its size limit.', 'Free some space and try again.'],
  14: [
    'NOT_FOUND',
    'The database file cannot be opened.',
    'Check that the file exists, and the permissions of the file and of its folder.',
  ],
  18: ['TOO_LARGE', 'A value or a statement is larger than SQLite takes.'],
  19: ['CONFLICT', 'A constraint of the table was violated.'],
  20: ['INVALID_INPUT', 'A value has the wrong type for its column.'],
  23: ['UNSUPPORTED', "This isn't allowed."],
  26: ['BAD_ANSWER', "The file isn't a SQLite database, or it is encrypted.", 'Choose another file.'],
};

/** Extended codes of broken rules, with what they say. */
export const BROKEN_RULES: Readonly<Record<number, readonly [DriverErrorCode, string]>> = {
  275: ['INVALID_INPUT', 'The value violates a CHECK constraint of the table.'],
  787: ['CONFLICT', "A foreign key constraint was violated: the referenced row doesn't exist."],
  1299: ['INVALID_INPUT', 'This column must have a value.'],
  1555: ['CONFLICT', 'A row with this key already exists.'],
  1811: ['CONFLICT', 'A trigger of the table rejected this.'],
  2067: ['CONFLICT', 'A row with this value already exists, and the column is unique.'],
  2579: ['CONFLICT', 'A row with this rowid already exists.'],
  3091: ['INVALID_INPUT', 'A value has the wrong type for its column; the table is strict.'],
};

/**
 * Whatever a call of node:sqlite threw, as an error of the contract.
 *
 * @param request - the statement, where a person wrote it or may see it
 */
export function sqliteError(error: unknown, request?: string): DriverError {
  if (error instanceof DriverError) return error;
  if (!isSqliteFault(error)) {
    // A fault of this driver, with the words of the language itself.
    if (error instanceof Error) return new DriverError('DRIVER_FAULT', error.message, { cause: error });
    return new DriverError('DRIVER_FAULT', undefined, { cause: error });
  }
  const { errcode, message } = error;
  const details: DriverErrorDetails = {
    status: String(errcode),
    serverMessage: message.slice(0, MOST_WORDS),
    ...(request === undefined ? {} : { request: request.slice(0, MOST_WORDS) }),
  };
  const rule = BROKEN_RULES[errcode];
  if (rule !== undefined) {
    const field = /constraint failed: [^.]+\.(.+)$/.exec(message)?.[1];
    return new DriverError(rule[0], `${rule[1]} SQLite says: ${message}.`, {
      cause: error,
      details: {
        ...details,
        ...(field === undefined || field.includes(', ') ? {} : { field }),
        texts: faultTexts(`rule.${errcode}`, { said: message }),
      },
    });
  }
  const known = RESULT_CODES[errcode & 0xff];
  if (known !== undefined) {
    const [code, sentence, advice] = known;
    return new DriverError(code, `${sentence} SQLite says: ${message}.`, {
      cause: error,
      details: {
        ...details,
        ...(advice === undefined ? {} : { advice }),
        texts: faultTexts(
          `code.${errcode & 0xff}`,
          { said: message },
          advice === undefined ? undefined : `code.${errcode & 0xff}.advice`,
        ),
      },
    });
  }
  const code = /^no such table/.test(message)
    ? 'NOT_FOUND'
    : /syntax error|incomplete input|unrecognized token/.test(message)
      ? 'INVALID_INPUT'
      : 'SERVER_ERROR';
  return new DriverError(code, `SQLite says: ${message}.`, {
    cause: error,
    details: {
      ...details,
      advice: 'Correct the statement, or look at the structure of the table.',
      texts: faultTexts('code.other', { said: message }, 'code.other.advice'),
    },
  });
}

export function stopIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new DriverError('CANCELLED');
}

type Values = NonNullable<Parameters<typeof driverText>[1]>;

/** A translation in the manifest, and its values. */
export interface Translation {
  readonly id: string;
  readonly values?: Values;
}

/** @param translation - always has the field */
export function invalid(message: string, field: string | undefined, translation: Translation): DriverError {
  const details: DriverErrorDetails = {
    ...(field === undefined ? {} : { field }),
    texts: { message: driverText(translation.id, { field: field ?? '', ...translation.values }) },
  };
  return new DriverError('INVALID_INPUT', message, { details });
}

/**
 * The translations of an error.
 *
 * @param id - of its message
 * @param advice - the id of its advice
 */
export function faultTexts(id: string, values: Values = {}, advice?: string): DriverTexts {
  return { message: driverText(id, values), ...(advice === undefined ? {} : { advice: driverText(advice) }) };
}

/** The translation of an error's message, for what passes it on. */
export function messageTexts({ details: { texts } }: DriverError): { readonly texts?: DriverTexts } {
  const message = texts?.['message'];
  return message === undefined ? {} : { texts: { message } };
}

/** A column that isn't there, or no longer. */
export function noColumn(name: string): DriverError {
  return new DriverError('STRUCTURE_CHANGED', `There is no column “${name}”.`, {
    details: { field: name, texts: faultTexts('edit.noColumn', { field: name }) },
  });
}

/** Lets the wire be read and written: SQLite itself never waits. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
