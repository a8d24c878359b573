import { DriverError, isDriverError } from '@tabularium/sdk';
import { tokens } from './sql/tokens.ts';

const SYNTAX_ERROR = '42601';

/** A text that was sent, and where it is from. */
export interface SentText {
  readonly text: string;
  /** The length of what the driver has put in front of it, in UTF-16 code units. */
  readonly lead?: number;
  /** Where the rest begins in the text that the driver was given. */
  readonly start: number;
  /** The encoding of the database. */
  readonly encoding: string;
}

/**
 * An error of the server with the place of its fault in the text that the driver was given. Without one where the server names none, or one of another
 * text: of a function, of a definition, or of what the driver put in front.
 */
export function withOffset(error: unknown, { text, lead = 0, start, encoding }: SentText): unknown {
  if (!isDriverError(error) || error.details.offset !== undefined || isOfOtherText(text, error.details.status)) return error;
  const at = offsetOf(text, positionOf(error.cause), encoding);
  return at === undefined || at < lead ? error : withDetail(error, at - lead + start);
}

/** The error of a part of a text, with its place in all of it. @param by - where the part begins; negative for a text that something was put in front of */
export function withOffsetMoved(error: unknown, by: number): unknown {
  if (by === 0 || !isDriverError(error) || error.details.offset === undefined) return error;
  return withDetail(error, error.details.offset + by);
}

/** Does something with a part of a text; an error has its place in all of it. @param start - where the part begins */
export async function fromStart<T>(start: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw withOffsetMoved(error, start);
  }
}

function withDetail(error: DriverError, offset: number): DriverError {
  const { offset: _offset, ...details } = error.details;
  return new DriverError(error.code, error.message, {
    cause: error.cause,
    details: offset < 0 ? details : { ...details, offset },
  });
}

/**
 * The offset of a character in UTF-16 code units. The server counts characters from 1; the last one is the end of the text.
 *
 * @returns undefined where the text has no such character, and where it isn't certain how the server counts
 */
export function offsetOf(text: string, position: number | undefined, encoding: string): number | undefined {
  if (position === undefined) return undefined;
  let at = 0;
  for (let left = position - 1; left > 0; left -= 1) {
    const code = text.codePointAt(at);
    if (code === undefined) return undefined;
    // SQL_ASCII counts bytes, and some encodings have one character for two of Unicode.
    if (code > 0x7f && encoding !== 'UTF8') return undefined;
    at += code > 0xffff ? 2 : 1;
  }
  return at;
}

/** The server's `position`. Its `internalPosition` is one in a text that the server made, or has of a function. */
function positionOf(cause: unknown): number | undefined {
  if (typeof cause !== 'object' || cause === null || !('position' in cause)) return undefined;
  const position = Number(cause.position);
  return Number.isSafeInteger(position) && position > 0 ? position : undefined;
}

/**
 * Whether the server may have counted in another text as if that were the statement: in the script of an extension, or in the definition of an index that it
 * makes again for a column of another type. No such definition has a syntax error.
 */
function isOfOtherText(text: string, status: string | undefined): boolean {
  const [first, second, ...more] = tokens(text).flatMap(({ kind, text: word }) => (kind === 'word' ? [word] : []));
  if (second === 'EXTENSION') return first === 'CREATE' || first === 'ALTER';
  return first === 'ALTER' && more.includes('TYPE') && status !== SYNTAX_ERROR;
}
