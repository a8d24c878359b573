import { DriverError, driverText, isDriverError } from '@tabularium/sdk';
import type { DriverErrorCode, DriverErrorDetails, DriverTexts, TableRef } from '@tabularium/sdk';
import { cutText } from './cutText.ts';
import { shown } from './names.ts';

/** The members of a server's error that are used, as the library names them. */
interface ServerError extends Error {
  readonly code: string;
  readonly severity: string;
  readonly detail?: string;
  readonly hint?: string;
  readonly column?: string;
  readonly table?: string;
  readonly constraint?: string;
  readonly position?: string;
}

function isServerError(error: unknown): error is ServerError {
  return (
    error instanceof Error &&
    'severity' in error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^[0-9A-Z]{5}$/.test(error.code)
  );
}

/** Whether the server ended the connection with this error, that of a server behind it aside. */
export function isFatal(error: unknown): boolean {
  const origin = isDriverError(error) ? error.cause : error;
  return isServerError(origin) && origin.severity === 'FATAL';
}

const MOST_WORDS = 2_000;

type Known = readonly [DriverErrorCode, string, string?];

/** SQLSTATEs that mean something to a person, the precise ones; https://www.postgresql.org/docs/current/errcodes-appendix.html */
export const STATES: Readonly<Record<string, Known>> = {
  '0A000': ['UNSUPPORTED', "The server doesn't support this."],
  '22001': ['INVALID_INPUT', 'The text is too long for its column.'],
  '22003': ['INVALID_INPUT', 'The number is out of the range of its type.'],
  '22007': ['INVALID_INPUT', "The value isn't a valid date or time."],
  '22008': ['INVALID_INPUT', 'The date or time is out of range.'],
  '22012': ['INVALID_INPUT', 'The statement divides by zero.'],
  '22021': ['INVALID_INPUT', "The text holds characters that the database's encoding doesn't have."],
  '22P02': ['INVALID_INPUT', "The text isn't a valid value of its type."],
  '22P05': ['INVALID_INPUT', "The text holds characters that the database's encoding doesn't have."],
  '23502': ['INVALID_INPUT', 'This column must have a value.'],
  '23503': ['CONFLICT', 'A foreign key constraint was violated.'],
  '23505': ['CONFLICT', 'A row with this value already exists.'],
  '23514': ['INVALID_INPUT', 'The value violates a CHECK constraint of the table.'],
  '23P01': ['CONFLICT', 'An exclusion constraint was violated.'],
  '25006': [
    'ACCESS_REFUSED',
    'Nothing can be written here: the server or the transaction is read-only.',
    'A standby takes no changes: connect to the primary.',
  ],
  '28000': ['ACCESS_REFUSED', 'The server rejected the sign-in.', 'Check the user name and pg_hba.conf of the server.'],
  '28P01': ['ACCESS_REFUSED', 'The server rejected the password.', 'Correct the user name or the password in the connection.'],
  '3D000': ['NOT_FOUND', "The database doesn't exist on this server.", 'Correct the database name in the connection.'],
  '3F000': ['NOT_FOUND', "The schema doesn't exist."],
  '40001': ['CONFLICT', 'Another transaction changed the same rows at the same time.', 'Try again.'],
  '40P01': ['CONFLICT', 'Two transactions waited for each other, and the server ended this one.', 'Try again.'],
  '42501': ['ACCESS_REFUSED', "This user doesn't have the permission."],
  '42601': ['INVALID_INPUT', 'The statement has a syntax error.'],
  '42703': ['STRUCTURE_CHANGED', "The column doesn't exist."],
  '42710': ['CONFLICT', 'An object with this name already exists.'],
  '42883': ['INVALID_INPUT', "The function or operator doesn't exist for these types."],
  '42P01': ['NOT_FOUND', "The table doesn't exist."],
  '42P07': ['CONFLICT', 'A table with this name already exists.'],
  '53100': ['SERVER_ERROR', "The server's disk is full."],
  '53200': ['SERVER_ERROR', 'The server is out of memory.'],
  '53300': [
    'SERVER_NOT_READY',
    'The server has no free connection.',
    'Close another connection, or raise the limit: max_connections, or the CONNECTION LIMIT of the database or role that PostgreSQL names.',
  ],
  // The server answers, so it isn't one that can't be reached.
  '55P03': ['CONFLICT', 'Another transaction has locked this.', 'Try again when it has ended.'],
  '57P01': ['CONNECTION_LOST', 'The server ended the connection.', 'Try again: a new connection is opened.'],
  '57P02': ['CONNECTION_LOST', 'The server crashed and restarts.', 'Try again in a few seconds.'],
  '57P03': ['SERVER_NOT_READY', 'The server is starting or shutting down.', 'Try again in a few seconds.'],
};

/** States of connections, sign-ins and servers that start or stop. */
const OF_CONNECTION = /^(?:08|28|53300|57P0)/;
/** Severities with which the server ends the connection; a function raises none of them. */
const ENDING: ReadonlySet<string> = new Set(['FATAL', 'PANIC']);
const NO_DATABASE = '3D000';

/** States of the class of rejected statements that come of rights, or of what is there, and not of the text. */
const NOT_OF_THE_TEXT: ReadonlySet<string> = new Set(['42501', '42703', '42710', '42P01', '42P07']);

/** The others by their class. */
const CLASSES: Readonly<Record<string, DriverErrorCode>> = {
  '08': 'CONNECTION_LOST',
  '22': 'INVALID_INPUT',
  '23': 'CONFLICT',
  '28': 'ACCESS_REFUSED',
  '40': 'CONFLICT',
  '42': 'INVALID_INPUT',
  '54': 'TOO_LARGE',
};

/**
 * Whatever the library threw, as an error of the contract.
 *
 * @param signal - of the call; an error after it was aborted is its end
 * @param request - the statement, where a person wrote it or may see it
 */
export function postgresError(error: unknown, signal?: AbortSignal, request?: string): DriverError {
  return translated(error, false, signal, request);
}

/** As {@link postgresError}, of an error before the sign-in is over. */
export function signInError(error: unknown, signal?: AbortSignal): DriverError {
  return translated(error, true, signal);
}

function translated(error: unknown, isInSignIn: boolean, signal?: AbortSignal, request?: string): DriverError {
  if (signal?.aborted === true) return new DriverError('CANCELLED', undefined, { cause: error });
  // By its name: what the host throws is of another copy of the class.
  if (isDriverError(error)) return error;
  if (!isServerError(error)) return libraryError(error);
  const { code: state } = error;
  const details: DriverErrorDetails = {
    status: state,
    serverMessage: wordsOf(error),
    ...(request === undefined ? {} : { request: cutText(request, MOST_WORDS) }),
    ...fieldOf(error),
  };
  const said = saidBy(error);
  if (state === '57014') {
    return new DriverError('TIMEOUT', `The server stopped the statement: ${said}.`, {
      cause: error,
      details: {
        ...details,
        advice: 'Ask for less, or raise statement_timeout.',
        texts: faultTexts('state.57014', { said }, 'state.57014.advice'),
      },
    });
  }
  // A function can raise any state, and a statement can name a database that isn't there.
  const isOfConnection = isInSignIn || ENDING.has(error.severity);
  const isBelieved = isOfConnection || !OF_CONNECTION.test(state);
  const known = isBelieved && Object.hasOwn(STATES, state) ? STATES[state] : undefined;
  const general = state === NO_DATABASE && !isOfConnection ? undefined : known?.[2];
  const advised = ownAdvice(error) ?? (general === undefined ? undefined : { text: general, id: `state.${state}.advice` });
  const [code, message, id] =
    known === undefined
      ? ([
          (isBelieved ? CLASSES[state.slice(0, 2)] : undefined) ?? 'SERVER_ERROR',
          `PostgreSQL says: ${said}.`,
          'state.other',
        ] as const)
      : ([known[0], `${known[1]} PostgreSQL says: ${said}.`, `state.${state}`] as const);
  return new DriverError(code, message, {
    cause: error,
    details: {
      ...details,
      ...(advised === undefined ? adviceOf(error) : { advice: advised.text }),
      texts: faultTexts(id, { said }, advised?.id),
    },
  });
}

/** The advice for a statement that the server doesn't take, where the server has no hint of its own. */
function ownAdvice({ code, message, hint }: ServerError): { readonly text: string; readonly id: string } | undefined {
  if (!code.startsWith('42') || hint !== undefined || NOT_OF_THE_TEXT.has(code)) return undefined;
  // As other programs write them: “:name”, “{name}”, “$name”. The server quotes the character, in the quotation marks of its language.
  return code === '42601' && /["“”„»«'][:{$]["“”»«']/.test(message)
    ? { text: 'Write parameters as $1, $2 and so on.', id: 'sql.parameters.advice' }
    : { text: 'Correct the SQL at the place that the message names.', id: 'sql.correct.advice' };
}

/**
 * The column at fault, so that its cell can be marked. The server names it itself only where a value is missing. A key that exists already, or that
 * refers to no row, is in the detail in every language of the server: `Key (mail)=(…)`, whose first column it is. A CHECK constraint that PostgreSQL named
 * has the column in its name: `customers_credit_check`.
 */
function fieldOf({ code, column, detail, table, constraint }: ServerError): { field?: string } {
  if (column !== undefined) return { field: column };
  if (code === '23505' || code === '23503') {
    const [, key] = /\(("(?:[^"]|"")+"|[^"(),=]+)(?:, [^()]*)?\)=\(/.exec((detail ?? '').slice(0, MOST_WORDS)) ?? [];
    const name = key?.startsWith('"') === true ? key.slice(1, -1).replaceAll('""', '"') : key;
    return name === undefined || name === '' ? {} : { field: name };
  }
  const named = code === '23514' && table !== undefined && constraint?.startsWith(`${table}_`) === true;
  const [, checked] = named ? (/^(.+)_check\d*$/.exec(constraint.slice(table.length + 1)) ?? []) : [];
  return checked === undefined ? {} : { field: checked };
}

/** The server's message, and the detail that names the key or the row; without a dot at the end. */
function saidBy({ message, detail }: ServerError): string {
  const words = [message, detail].filter((part) => part !== undefined).join('. ');
  return cutText(words, MOST_WORDS).replace(/\.$/, '');
}

function wordsOf({ message, detail, hint, position }: ServerError): string {
  const lines = [message, detail, hint, position === undefined ? undefined : `At character ${position}.`];
  return cutText(lines.filter((part) => part !== undefined).join('\n'), MOST_WORDS);
}

/** The server's own hint says more than a general advice. */
function adviceOf({ hint }: ServerError): { advice?: string } {
  return hint === undefined ? {} : { advice: cutText(hint, MOST_WORDS) };
}

function libraryError(error: unknown): DriverError {
  if (!(error instanceof Error)) return new DriverError('DRIVER_FAULT', undefined, { cause: error });
  const { message } = error;
  if (/^SASL:.*password/.test(message) || message === 'Password must be a string')
    return new DriverError('CREDENTIALS_MISSING', 'The server asks for a password, and the connection has none.', {
      cause: error,
      details: { field: 'password', texts: faultTexts('signIn.noPassword') },
    });
  // A false signature, or random text or rounds that no honest server sends.
  if (/^SASL: SCRAM|^SASL: Last message/.test(message)) return serverUnproven(error);
  if (/^SASL/.test(message))
    return new DriverError('ACCESS_REFUSED', "The sign-in failed: the server's side of it isn't valid.", {
      cause: error,
      details: { advice: CHECK_SERVER, texts: faultTexts('signIn.notValid', {}, 'signIn.check') },
    });
  if (
    /^Connection terminated|^Client (?:was closed|has encountered)|^write after end|^This socket|EPIPE|ECONNRESET|Cannot call write|premature/i.test(
      message,
    )
  )
    return serverEnded(error);
  // The parser reads past the end of a message, or makes room for more fields than one can have.
  if (error instanceof RangeError || /^received invalid response|^Unknown authenticationOk|^Received unexpected/i.test(message))
    return notProtocol(error);
  return new DriverError('DRIVER_FAULT', error.message, { cause: error });
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

/**
 * @param translation - always has the field
 * @param offset - where the fault begins in the text that is judged
 */
export function invalid(message: string, field: string | undefined, translation: Translation, offset?: number): DriverError {
  const details: DriverErrorDetails = {
    ...(field === undefined ? {} : { field }),
    ...(offset === undefined ? {} : { offset }),
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

/** A text of several statements where one is to run, and where the second begins. */
export function severalStatements(offset: number): DriverError {
  return invalid('These are several statements; run them one by one.', undefined, { id: 'sql.several' }, offset);
}

/** A column that isn't there, or no longer. */
export function noColumn(name: string, ref: TableRef): DriverError {
  const table = shown(ref);
  return new DriverError('STRUCTURE_CHANGED', `There is no column “${name}” in “${table}”.`, {
    details: { field: name, texts: faultTexts('table.noColumn', { field: name, table }) },
  });
}

/** An answer of another kind of server, or a broken one. */
export function notProtocol(cause?: unknown): DriverError {
  return new DriverError('BAD_ANSWER', "The server's answer isn't PostgreSQL's protocol.", {
    cause,
    details: { texts: faultTexts('link.notProtocol') },
  });
}

/** The advice where the server may be another one than is meant; its translation is `signIn.check`. */
export const CHECK_SERVER = 'Check the host and the port, and ask the administrator of the server.';

/** A sign-in by SCRAM in which the server has to prove that it has the password, and didn't. The credentials have no part in it. */
export function serverUnproven(cause?: unknown): DriverError {
  return new DriverError('ACCESS_REFUSED', "The server didn't prove that it has the password, so it may be another one.", {
    cause,
    details: { advice: CHECK_SERVER, texts: faultTexts('signIn.noProof', {}, 'signIn.check') },
  });
}

/** The server closed the connection. */
export function serverEnded(cause?: unknown): DriverError {
  return new DriverError('CONNECTION_LOST', 'The server closed the connection.', {
    cause,
    details: { texts: faultTexts('link.ended') },
  });
}

/** A connection that broke, by whichever side it was noticed. */
export function connectionBroke(server: string, cause: unknown): DriverError {
  return new DriverError('CONNECTION_LOST', `The connection to ${server} was lost.`, {
    cause,
    details: { texts: faultTexts('link.lost', { server }) },
  });
}

/** The driver closed the connection itself. */
export function connectionClosed(): DriverError {
  return new DriverError('CONNECTION_LOST', 'The connection is closed.', { details: { texts: faultTexts('link.closed') } });
}

/** The server ended the transaction in another way than it was asked to. */
export function rolledBack(): DriverError {
  return new DriverError('CONFLICT', 'The server rolled the transaction back.', {
    details: { texts: faultTexts('edit.rolledBack') },
  });
}
