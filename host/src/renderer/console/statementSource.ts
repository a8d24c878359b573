import type { Statement } from '@tabularium/sdk';
import { placeInSource, wordEnd } from '../../common/textPlace.ts';

/** The part of the editor's text that a statement was made from. */
export interface StatementSource {
  readonly text: string;
  /** Where it was when the statement was started. */
  readonly from: number;
}

/** A statement to run; with a source where it is from the editor. */
export interface RunnableStatement {
  readonly text: string;
  readonly source?: StatementSource | undefined;
}

/** A statement with the place of its fault. */
export interface StatementFault {
  readonly statement: RunnableStatement;
  readonly offset: number;
}

/** A part of the editor's text. */
export interface EditorRange {
  readonly from: number;
  readonly to: number;
}

/** A statement of a text, with its source in it. */
export function fromText(text: string, { text: statement, start, end }: Statement): RunnableStatement {
  return { text: statement, source: { text: text.slice(start, end), from: start } };
}

/**
 * Where a fault is in a text, up to the end of its word. The text may have changed since the statement was started: undefined where the statement isn't
 * in it any more, or is in it several times and none is at its place.
 */
export function faultIn(
  text: string,
  { statement: { text: statement, source }, offset }: StatementFault,
): EditorRange | undefined {
  if (source === undefined) return undefined;
  const place = placeInSource(statement, source.text, offset);
  const start = text.startsWith(source.text, source.from) ? source.from : onlyPlaceOf(source.text, text);
  if (place === undefined || start === undefined) return undefined;
  return { from: start + place, to: start + wordEnd(source.text, place) };
}

function onlyPlaceOf(part: string, text: string): number | undefined {
  const first = text.indexOf(part);
  return first >= 0 && text.indexOf(part, first + 1) < 0 ? first : undefined;
}
