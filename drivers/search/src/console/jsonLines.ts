import { DriverError } from '@tabularium/sdk';
import type { BatchColumn, Cell, ResultEvent } from '@tabularium/sdk';
import type { ExactJson } from '../exactJson.ts';
import { parseExact } from '../exactJson.ts';
import type { JsonObject } from '../guards.ts';
import { isObject } from '../guards.ts';
import { forEachLeaf, learnColumns } from '../learnedColumns.ts';
import { rowReader } from '../rowReader.ts';
import { ROWS_PER_EVENT, jsonOf } from './grid.ts';
import type { Shown } from './grid.ts';
import { prettyJson } from './prettyJson.ts';
import { linesOf } from './lines.ts';

/** Documents looked at before the first row is shown, to know the columns. */
const SAMPLE_DOCUMENTS = 1_000;
const SAMPLE_CHARACTERS = 4 * 1_048_576;

/** What a later document has beyond the columns learned from the first ones. */
const OTHER_FIELDS: BatchColumn = { name: '(other fields)', kind: 'json' };

interface DocumentLine {
  readonly document: JsonObject;
  readonly marked: boolean;
}

function documentOf(line: string): DocumentLine | undefined {
  try {
    const { value, marked }: ExactJson = parseExact(line);
    return isObject(value) ? { document: value, marked } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * JSON Lines as a grid, row by row as they arrive. Memory holds the sample, never the answer.
 *
 * @param always - whether a single line, too, is a grid (an export), and not an object to be looked at
 */
export async function* showLines(
  body: AsyncIterable<Uint8Array>,
  { maxRows, always }: { readonly maxRows: number; readonly always: boolean },
): AsyncGenerator<ResultEvent, Shown> {
  const lines = linesOf(body);
  try {
    const sample: DocumentLine[] = [];
    let sampled = 0;
    let ended = false;
    while (sample.length < SAMPLE_DOCUMENTS && sampled < SAMPLE_CHARACTERS && !ended) {
      const next = await lines.next();
      ended = next.done === true;
      if (next.done === true) break;
      const found = documentOf(next.value);
      if (found === undefined) {
        if (sample.length > 0) throw brokenOff(sample.length + 1);
        yield* showText(next.value, lines);
        return { truncated: false };
      }
      sample.push(found);
      sampled += next.value.length;
      if (sample.length === 1 && !always) {
        const second = await lines.next();
        if (second.done === true) {
          yield { type: 'text', mediaType: 'application/json', text: prettyJson(next.value) };
          return { truncated: false };
        }
        const follower = documentOf(second.value);
        if (follower === undefined) throw brokenOff(2);
        sample.push(follower);
      }
    }
    return yield* showRows(sample, ended, lines, maxRows);
  } finally {
    await lines.return();
  }
}

async function* showRows(
  sample: DocumentLine[],
  ended: boolean,
  lines: AsyncGenerator<string, void>,
  maxRows: number,
): AsyncGenerator<ResultEvent, Shown> {
  const learned = learnColumns(sample.map(({ document }) => document));
  const columns = ended ? learned : [...learned, OTHER_FIELDS];
  const known = new Set(learned.map(({ name }) => name));
  const read = rowReader(learned);
  const row = ({ document, marked }: DocumentLine): Cell[] => {
    const cells = read(document, marked);
    if (ended) return cells;
    const others = new Map<string, unknown>();
    forEachLeaf(document, (name, value) => {
      if (!known.has(name)) others.set(name, value);
    });
    return [...cells, jsonOf(others, marked) ?? ['absent']];
  };
  yield { type: 'rowsBegin', columns };
  let count = 0;
  let rows: Cell[][] = [];
  for (const line of sample) {
    if (count === maxRows) return { truncated: true };
    rows.push(row(line));
    count += 1;
    if (rows.length === ROWS_PER_EVENT || count === maxRows) {
      yield { type: 'rows', rows };
      rows = [];
    }
  }
  for await (const text of lines) {
    if (count === maxRows) return { truncated: true };
    const line = documentOf(text);
    if (line === undefined) throw brokenOff(count + 1);
    rows.push(row(line));
    count += 1;
    if (rows.length === ROWS_PER_EVENT || count === maxRows) {
      yield { type: 'rows', rows };
      rows = [];
    }
  }
  if (rows.length > 0) yield { type: 'rows', rows };
  return { truncated: false };
}

/** An answer that is no JSON Lines at all. */
async function* showText(first: string, lines: AsyncGenerator<string, void>): AsyncGenerator<ResultEvent, void> {
  let text = first;
  for await (const line of lines) text += `\n${line}`;
  yield { type: 'text', mediaType: 'text/plain', text };
}

function brokenOff(line: number): DriverError {
  return new DriverError('CONNECTION_LOST', `The answer broke off: its line ${line} is no document.`, {
    details: { advice: 'Run the request again; if it breaks off at the same place, look into the server’s log.' },
  });
}
