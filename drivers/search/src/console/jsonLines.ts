import { DriverError } from '@tabularium/sdk';
import type { BatchColumn, Cell, ResultEvent } from '@tabularium/sdk';
import type { ExactJson } from '../exactJson.ts';
import { parseExact } from '../exactJson.ts';
import type { JsonObject } from '../guards.ts';
import { isObject } from '../guards.ts';
import { forEachLeaf, learnColumns } from '../learnedColumns.ts';
import { RowEventBatch, textMustFit } from '../rowEvents.ts';
import { rowReader } from '../rowReader.ts';
import { jsonOf } from './grid.ts';
import type { Shown } from './grid.ts';
import { prettyJson } from './prettyJson.ts';
import { MAX_LINE_CHARACTERS, linesOf } from './lines.ts';
import { faultTexts } from '../faultTexts.ts';

/** Documents looked at before the first row is shown, to know the columns. */
const SAMPLE_DOCUMENTS = 1_000;
const SAMPLE_CHARACTERS = 4 * 1_048_576;

/** The members of a later document beyond the columns learned from the first ones. */
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
  const batch = new RowEventBatch();
  let count = 0;
  let truncated = false;
  for await (const line of documentsOf(sample, lines)) {
    truncated = count === maxRows;
    if (truncated) break;
    const rows = batch.add(row(line));
    count += 1;
    if (rows !== undefined) yield { type: 'rows', rows };
    // The last rows that are wanted are shown before it is known whether more would come.
    const last = count === maxRows ? batch.take() : undefined;
    if (last !== undefined) yield { type: 'rows', rows: last };
  }
  const rest = batch.take();
  if (rest !== undefined) yield { type: 'rows', rows: rest };
  return { truncated };
}

async function* documentsOf(sample: DocumentLine[], lines: AsyncIterable<string>): AsyncGenerator<DocumentLine, void> {
  let count = sample.length;
  // Taken off one by one, so that the sample is not kept as long as the answer lasts.
  for (let line = sample.shift(); line !== undefined; line = sample.shift()) yield line;
  for await (const text of lines) {
    count += 1;
    const line = documentOf(text);
    if (line === undefined) throw brokenOff(count);
    yield line;
  }
}

/** An answer that isn't JSON Lines at all. */
async function* showText(first: string, lines: AsyncGenerator<string, void>): AsyncGenerator<ResultEvent, void> {
  let text = first;
  for await (const line of lines) {
    text += `\n${line}`;
    if (text.length > MAX_LINE_CHARACTERS) break;
  }
  textMustFit(text);
  yield { type: 'text', mediaType: 'text/plain', text };
}

function brokenOff(line: number): DriverError {
  return new DriverError('CONNECTION_LOST', `The response broke off: its line ${line} isn't a document.`, {
    details: {
      advice: 'Run the request again; if it breaks off at the same place, look into the server’s log.',
      texts: faultTexts('fault.brokenOff', { line }, 'fault.brokenOff.advice'),
    },
  });
}
