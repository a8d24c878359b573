import type { BatchColumn, Cell, ExportEvent, ExportRequest } from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import { columnsOf } from '../columns.ts';
import { jsonOf } from '../console/grid.ts';
import { linesOf } from '../console/lines.ts';
import { parseExact } from '../exactJson.ts';
import type { JsonObject } from '../guards.ts';
import { isObject, textOfField } from '../guards.ts';
import { forEachLeaf, learnColumns } from '../learnedColumns.ts';
import { documentsByPage } from '../search.ts';
import { RowEventBatch } from '../rowEvents.ts';
import { rowReader } from '../rowReader.ts';
import { requestLine } from '../serverErrors.ts';
import { compareCount, lineFault, notWhole } from './judge.ts';
import { countNow, planExport } from './request.ts';
import type { ExportPlan, ExportSource } from './request.ts';
import { faultTexts } from '../faultTexts.ts';

/** Documents looked at before the first row, to know the fields that the schema does not name. */
const SAMPLE_DOCUMENTS = 1_000;
const SAMPLE_CHARACTERS = 4 * 1_048_576;

/** Members of documents beyond the columns that are known when the first row is emitted. */
const OTHER_FIELDS: BatchColumn = { name: '(other fields)', kind: 'json' };
/** Additions of 26.0 to the documents of a filtered export: a list of flattened names, and each of them as a member. */
const LEAK = '.flat';

interface Line {
  readonly document: JsonObject;
  readonly marked: boolean;
  readonly characters: number;
}

/** The rows of an export, as they arrive; memory holds a sample and one batch. */
export async function* exportRows(
  request: ExportRequest,
  source: ExportSource,
  signal: AbortSignal,
): AsyncGenerator<ExportEvent, void> {
  const { client, schemas } = source;
  const plan = await planExport(request, source, signal);
  const lines = documentLines(plan, client, signal);
  try {
    const sample: Line[] = [];
    let ended = false;
    for (let characters = 0; sample.length < SAMPLE_DOCUMENTS && characters < SAMPLE_CHARACTERS;) {
      const next = await lines.next();
      ended = next.done === true;
      if (next.done === true) break;
      sample.push(next.value);
      characters += next.value.characters;
    }
    const known = request.columns === undefined ? allColumns(plan, sample) : chosenColumns(request.columns, plan, sample);
    const isOpen = request.columns === undefined && !ended;
    const columns = isOpen ? [...known, OTHER_FIELDS] : known;
    yield { type: 'begin', columns, ...(plan.expected === undefined ? {} : { expected: plan.expected }) };
    const row = isOpen ? openRow(known) : rowOf(known);
    const batch = new RowEventBatch();
    let count = 0;
    for await (const line of joined(sample, lines)) {
      const rows = batch.add(row(line));
      count += 1;
      if (rows !== undefined) yield { type: 'rows', rows };
    }
    const rest = batch.take();
    if (rest !== undefined) yield { type: 'rows', rows: rest };
    const recount = (): ReturnType<typeof countNow> => countNow(plan.collection, plan.filter, client, schemas, signal);
    const asked = plan.path === undefined ? 'POST /multi_search' : requestLine('GET', plan.path);
    await compareCount(count, plan.expected, recount, asked);
  } finally {
    await lines.return();
  }
}

async function* joined(sample: Line[], rest: AsyncIterable<Line>): AsyncGenerator<Line, void> {
  // Taken off one by one, so that the sample is not kept as long as the export lasts.
  for (let line = sample.shift(); line !== undefined; line = sample.shift()) yield line;
  yield* rest;
}

async function* documentLines(plan: ExportPlan, client: SearchClient, signal: AbortSignal): AsyncGenerator<Line, void> {
  const { path, collection, filter } = plan;
  if (path === undefined) {
    // The filter is too long for an address, or the key may only search: in pages, which is slower.
    for await (const { document, marked } of documentsByPage(collection, filter, client, signal))
      yield { document, marked, characters: 0 };
    return;
  }
  const response = await client.send({ method: 'GET', path, repeatable: true, signal });
  const line = requestLine('GET', path);
  for await (const text of linesOf(response.body)) yield documentLine(text, line);
}

function documentLine(text: string, request: string): Line {
  try {
    const { value, marked } = parseExact(text);
    if (isObject(value) && textOfField(value, 'id') !== undefined) {
      return { document: withoutLeak(value), marked, characters: text.length };
    }
  } catch {
    // The code below finds its real type.
  }
  throw (
    lineFault(text, true, request) ??
    notWhole("A line of the export isn't a document.", request, faultTexts('fault.exportLine', {}, 'fault.exportAgain'))
  );
}

function withoutLeak(document: JsonObject): JsonObject {
  const names = document[LEAK];
  if (!Array.isArray(names)) return document;
  const leaked = new Set<unknown>([LEAK, ...(names as unknown[])]);
  return Object.fromEntries(Object.entries(document).filter(([name]) => !leaked.has(name)));
}

function allColumns({ schema }: ExportPlan, sample: readonly Line[]): BatchColumn[] {
  const learned = learnColumns(sample.map(({ document }) => document));
  if (schema === undefined) return learned;
  const declared = columnsOf(schema).map(({ name, kind }) => ({ name, kind }));
  const names = new Set(declared.map(({ name }) => name));
  const covered = coverage(names);
  return [...declared, ...learned.filter(({ name }) => !covered(name))];
}

function chosenColumns(columns: readonly string[], { schema }: ExportPlan, sample: readonly Line[]): BatchColumn[] {
  const kinds = new Map(learnColumns(sample.map(({ document }) => document)).map(({ name, kind }) => [name, kind]));
  for (const { name, kind } of schema === undefined ? [] : columnsOf(schema)) kinds.set(name, kind);
  return columns.map((name) => ({ name, kind: kinds.get(name) ?? 'text' }));
}

/** Whether a column shows a leaf: its own, that of an object above it, or those of the fields inside a list of objects. */
function coverage(columns: ReadonlySet<string>): (leaf: string) => boolean {
  const inside = new Set<string>();
  for (const name of columns) {
    for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) inside.add(name.slice(0, dot));
  }
  return (leaf) => {
    if (columns.has(leaf) || inside.has(leaf)) return true;
    for (let dot = leaf.indexOf('.'); dot !== -1; dot = leaf.indexOf('.', dot + 1)) {
      if (columns.has(leaf.slice(0, dot))) return true;
    }
    return false;
  };
}

function rowOf(columns: readonly BatchColumn[]): (line: Line) => Cell[] {
  const read = rowReader(columns);
  return ({ document, marked }) => read(document, marked);
}

function openRow(columns: readonly BatchColumn[]): (line: Line) => Cell[] {
  const covered = coverage(new Set(columns.map(({ name }) => name)));
  const read = rowReader(columns);
  return ({ document, marked }) => {
    const others = new Map<string, unknown>();
    forEachLeaf(document, (name, value) => {
      if (!covered(name)) others.set(name, value);
    });
    return [...read(document, marked), jsonOf(others, marked) ?? ['absent']];
  };
}
