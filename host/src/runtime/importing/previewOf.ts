import { wholeStart } from '@tabularium/sdk';
import type { ImportProblem } from '@tabularium/sdk';
import { PREVIEWED_ROWS } from '../../common/imports.ts';
import type { ImportField, RowImportPreview, PreviewRow } from '../../common/imports.ts';
import { digitsOfNumber, exactMembers } from './exactJson.ts';
import { resolvedFields } from './prepareSource.ts';
import type { PreparedSource } from './prepareSource.ts';
import { readRejectedRow } from './rejectedRow.ts';
import { NO_OBJECT, RowMapping } from './rowMapping.ts';
import type { MappedRow } from './rowMapping.ts';
import type { SourceRow } from './rowSplitter.ts';

/** Characters of a value, and of a document. */
const LONGEST_CELL = 300;
const LONGEST_DOCUMENT = 4_000;
/** Characters of rows that a driver is asked about at once. */
const LONGEST_SAMPLE = 4 * 1024 * 1024;
const MOST_SAMPLED = 1_000;
const decoder = new TextDecoder();

/**
 * The first rows as they would be sent, and which would be rejected.
 *
 * @param check - asks the driver; undefined for a table that isn't there yet
 */
export async function previewOf(
  prepared: PreparedSource,
  fields: readonly ImportField[] | undefined,
  check: ((rows: readonly string[]) => Promise<readonly ImportProblem[]>) | undefined,
): Promise<Pick<RowImportPreview, 'fields' | 'rows' | 'isSpliced'>> {
  const mapping = mappingOf(prepared, fields);
  const sample = prepared.sample.slice(0, PREVIEWED_ROWS);
  const mapped = sample.map((row) => mapping.map(row));
  const sent = documentsOf(mapped);
  const problems = new Map<number, ImportProblem>();
  for (const problem of (await check?.(sent.map(({ text }) => text))) ?? []) {
    const at = sent[problem.index];
    if (at !== undefined) problems.set(at.row, problem);
  }
  const names = prepared.fields.map(({ source }) => source);
  const rows = sample.map((row, index): PreviewRow => {
    const one = asObject(mapped[index]);
    const problem = problems.get(index);
    const column = problem?.column === undefined ? {} : { column: problem.column };
    return {
      line: row.line,
      cells: cellsOf(row, prepared, mapping, names),
      ...(one !== undefined && 'bytes' in one ? { sent: shortened(decoder.decode(one.bytes), LONGEST_DOCUMENT) } : {}),
      ...(one !== undefined && 'problem' in one
        ? { problem: { message: one.problem, ...(one.column === undefined ? {} : { column: one.column }) } }
        : problem === undefined
          ? {}
          : { problem: { message: problem.message, ...textsOf(problem), ...column } }),
    };
  });
  const chosen = new Map(fields?.map((field) => [field.source, field]));
  const shown = prepared.fields.map((field) => chosen.get(field.source) ?? field);
  return { fields: shown, rows, isSpliced: mapping.isIdentity };
}

/** A row that is sent as it is was not looked at, and of a table that isn't there yet no driver says that it isn't JSON. */
function asObject(row: MappedRow | undefined): MappedRow | undefined {
  return row !== undefined && 'bytes' in row && exactMembers(decoder.decode(row.bytes)) === undefined ? NO_OBJECT : row;
}

/** Documents of the first rows, for a definition that takes them; of csv with every column. */
export function sampleDocuments(prepared: PreparedSource, fields: readonly ImportField[] | undefined): readonly string[] {
  const mapping = mappingOf(prepared, fields);
  const targets = new Set(
    (resolvedFields(prepared, fields) ?? []).flatMap(({ target, source }) => (target === undefined ? source : (target ?? []))),
  );
  return documentsOf(prepared.sample.slice(0, MOST_SAMPLED).map((row) => mapping.map(row)))
    .map(({ text }) => (prepared.format.format === 'csv' ? withEveryColumn(text, targets) : text))
    .filter((text) => exactMembers(text) !== undefined);
}

/** A row of csv says nothing of a column without a value, and a table is to have it all the same, in its place. */
function withEveryColumn(text: string, targets: ReadonlySet<string>): string {
  const members = exactMembers(text);
  const written = Array.from(targets, (target) => `${JSON.stringify(target)}:${JSON.stringify(members?.get(target) ?? null)}`);
  return `{${written.join(',')}}`;
}

function textsOf({ texts }: ImportProblem): Pick<ImportProblem, 'texts'> {
  return texts === undefined ? {} : { texts };
}

function mappingOf(prepared: PreparedSource, fields: readonly ImportField[] | undefined): RowMapping {
  return new RowMapping(prepared.format, prepared.names, resolvedFields(prepared, fields));
}

function documentsOf(mapped: readonly MappedRow[]): readonly { readonly row: number; readonly text: string }[] {
  const found: { row: number; text: string }[] = [];
  let characters = 0;
  for (const [row, one] of mapped.entries()) {
    if ('problem' in one) continue;
    const text = 'text' in one ? one.text : decoder.decode(one.bytes);
    characters += text.length;
    // A single row fits one call in any case.
    if (characters > LONGEST_SAMPLE && found.length > 0) break;
    found.push({ row, text });
  }
  return found;
}

function cellsOf(
  { bytes }: SourceRow,
  { format }: PreparedSource,
  mapping: RowMapping,
  names: readonly string[],
): (string | null)[] {
  if (bytes === undefined) return names.map(() => null);
  const text = decoder.decode(bytes);
  if (format.format === 'csv') {
    const fields = mapping.fieldsOf(text);
    return names.map((_name, index) => {
      const field = fields[index];
      return field === undefined || (!field.quoted && field.text === '') ? null : shortened(field.text, LONGEST_CELL);
    });
  }
  const members = exactMembers(format.format === 'rejected' ? (readRejectedRow(text)?.row ?? '') : text);
  return names.map((name) => {
    const value = members?.get(name);
    if (value === undefined) return null;
    return shortened(typeof value === 'string' ? value : (digitsOfNumber(value) ?? JSON.stringify(value)), LONGEST_CELL);
  });
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${wholeStart(text, most - 1)}…`;
}
