import { DriverError } from '@tabularium/sdk';
import { Numeral, parseExactJson } from './exactJson.ts';
import type { ExactValue } from './exactJson.ts';

/** Rows with the columns they have: of one measurement, and of one group where the statement groups. */
export interface Series {
  readonly name: string;
  readonly tags: readonly (readonly [name: string, value: string])[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ExactValue[])[];
}

/** A piece of an answer. The server sends pieces of some hundred rows, so that neither side holds a whole answer. */
export interface AnswerPart {
  readonly series: readonly Series[];
  /** Warnings of the server. */
  readonly messages: readonly string[];
  /** The error that ended the statement, perhaps after some rows. */
  readonly error: string | undefined;
  /** Whether another piece must follow: an answer whose last piece says so was cut. */
  readonly isPartial: boolean;
}

const MAX_LINE_CHARACTERS = 64 * 1_048_576;

type Members = Readonly<Record<string, ExactValue>>;

function membersOf(value: ExactValue | undefined): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Numeral))
    return value as Members;
  throw new SyntaxError('An object is missing.');
}

function listOf(value: ExactValue | undefined): readonly ExactValue[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value as readonly ExactValue[];
  throw new SyntaxError('A list is missing.');
}

function textOf(value: ExactValue | undefined): string {
  if (typeof value === 'string') return value;
  throw new SyntaxError('A text is missing.');
}

function seriesOf(value: ExactValue): Series {
  const { name, tags, columns, values } = membersOf(value);
  const names = listOf(columns).map(textOf);
  return {
    name: name === undefined ? '' : textOf(name),
    tags: tags === undefined ? [] : Object.entries(membersOf(tags)).map(([tag, one]) => [tag, textOf(one)] as const),
    columns: names,
    rows: listOf(values).map((row) => {
      const cells = listOf(row);
      if (cells.length !== names.length) throw new SyntaxError('A row has another number of values than there are columns.');
      return cells;
    }),
  };
}

/**
 * Reads one line of an answer.
 *
 * @throws SyntaxError when it isn't one
 */
export function readAnswerLine(line: string): AnswerPart {
  const { results, error } = membersOf(parseExactJson(line));
  if (error !== undefined) return { series: [], messages: [], error: textOf(error), isPartial: false };
  if (results === undefined) throw new SyntaxError('There are no results.');
  const parts = listOf(results).map(membersOf);
  const failed = parts.find((part) => part['error'] !== undefined);
  return {
    series: parts.flatMap((part) => listOf(part['series']).map(seriesOf)),
    messages: parts.flatMap((part) => listOf(part['messages']).map((message) => textOf(membersOf(message)['text']))),
    error: failed === undefined ? undefined : textOf(failed['error']),
    isPartial: parts.some((part) => part['partial'] === true),
  };
}

/** The lines of a body as they arrive. The last one may lack its line feed. */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  for await (const bytes of body) {
    const pieces = decoder.decode(bytes, { stream: true }).split('\n');
    pieces[0] = rest + (pieces[0] ?? '');
    rest = pieces.pop() ?? '';
    if (rest.length > MAX_LINE_CHARACTERS) throw new DriverError('TOO_LARGE');
    yield* pieces.filter((piece) => piece !== '');
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
