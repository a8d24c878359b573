import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Column, ColumnKind } from '@tabularium/sdk';
import { HostError } from '../../common/errors.ts';
import { foreignLine } from '../../common/utf8Text.ts';
import type { ImportField, ImportFieldType, ImportFormat, ImportFormatChoice } from '../../common/imports.ts';
import { brokenQuotes } from './brokenQuotes.ts';
import { detectFormat, isGzip, markLength } from './detectFormat.ts';
import { exactMembers } from './exactJson.ts';
import { refuseOtherFile } from './otherFile.ts';
import { readRejectedRow } from './rejectedRow.ts';
import { sourceRows } from './sourceRows.ts';
import type { ResolvedField } from './resolvedField.ts';
import type { ReadingPlace } from './sourceRows.ts';
import { RowMapping } from './rowMapping.ts';
import { LARGEST_ROW } from './rowSplitter.ts';
import type { SourceRow } from './rowSplitter.ts';
import type { SourceFile } from './sourceFile.ts';

/** Bytes of a text that are looked at. */
const SAMPLE = 1024 * 1024;
/** Where no row ends in those: so many that the names of the columns and the longest row do. */
const LARGE_SAMPLE = 2 * LARGEST_ROW + SAMPLE;
const SAMPLED_ROWS = 1_000;
const MOST_COLUMNS = 10_000;
const LINE_FEED = 0x0a;
const decoder = new TextDecoder();

/** A file whose beginning can be looked at. */
export type PreparableFile = Pick<SourceFile, 'head' | 'text'>;

/** The facts about a file before it is read. */
export interface PreparedSource {
  readonly format: ImportFormat;
  /** csv: of the columns. */
  readonly names: readonly string[];
  /** csv: those whose name was in the first line before. */
  readonly renamed?: readonly string[];
  /** The members of the sampled rows, with the types that were detected for csv. */
  readonly fields: readonly ImportField[];
  /** csv: those that have numbers by the sampled rows, with their types. */
  readonly guessed: ReadonlyMap<string, ImportFieldType>;
  /** The names of columns that the table had before the import. */
  readonly standing: ReadonlySet<string>;
  /** The first row's place. */
  readonly start: ReadingPlace;
  /** The first rows, each with memory of its own. */
  readonly sample: readonly SourceRow[];
  /** By column of the table: what it stores besides numbers. */
  readonly specialValues: ReadonlyMap<string, readonly string[]>;
}

/**
 * Looks at the beginning of a file.
 *
 * @param chosen - the format that a person chose
 * @param columns - of the table, where it is there
 * @param isNew - the table was made for these rows, by types that were guessed from the same sample
 * @throws HostError `INVALID_REQUEST` for an empty file or another encoding
 */
export async function prepareSource(
  file: PreparableFile,
  chosen: ImportFormatChoice | undefined,
  columns: readonly Column[],
  signal: AbortSignal,
  isNew = false,
): Promise<PreparedSource> {
  const gzip = chosen?.gzip ?? isGzip(await file.head(2));
  const { mark, text, format, rows } = await sampledFile(file, gzip, chosen, signal);
  // The last line of the sample may be cut inside a character.
  const foreign = foreignLine(text.subarray(0, text.lastIndexOf(LINE_FEED) + 1));
  if (foreign !== undefined && format.format === 'csv' && foreign <= 1) throw foreignText(foreign);
  const [first] = rows;
  if (first === undefined) throw new HostError('INVALID_REQUEST', 'The file has no rows.');
  const standing = new Set(isNew ? [] : columns.map(({ name }) => name));
  if (format.format === 'csv') return { ...delimitedSource(format, rows, columns, mark), standing };
  return {
    ...{ format, names: [], fields: memberFields(format, rows, columns), start: { offset: mark, line: 1 }, sample: rows },
    ...{ guessed: new Map(), standing },
    specialValues: specialValuesOf(columns),
  };
}

function specialValuesOf(columns: readonly Column[]): PreparedSource['specialValues'] {
  return new Map(columns.flatMap(({ name, specialValues = [] }) => (specialValues.length === 0 ? [] : [[name, specialValues]])));
}

function given(chosen: ImportFormatChoice = {}): Partial<ImportFormat> {
  return Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined));
}

/** The mapping of a run: of csv every column has its type, chosen or detected. */
export function resolvedFields(
  prepared: Omit<PreparedSource, 'names' | 'renamed' | 'start' | 'sample'>,
  mapping: readonly ImportField[] | undefined,
): readonly ResolvedField[] | undefined {
  return chosenFields(prepared, mapping)?.map((field) => {
    const specialValues = prepared.specialValues.get(field.target ?? '');
    return {
      ...field,
      ...(specialValues === undefined ? {} : { specialValues: [...specialValues] }),
      ...(isGuessed(prepared, field) ? { isGuessed: true } : {}),
    };
  });
}

/** Whether nothing but the sample says that a field has numbers. */
function isGuessed(
  { guessed, standing }: Pick<PreparedSource, 'guessed' | 'standing'>,
  { source, target, type }: ImportField,
): boolean {
  return type !== undefined && guessed.get(source) === type && (target === null || !standing.has(target));
}

function chosenFields(
  { format, fields }: Pick<PreparedSource, 'format' | 'fields'>,
  mapping: readonly ImportField[] | undefined,
): readonly ImportField[] | undefined {
  if (format.format === 'rejected' && mapping === undefined)
    return fields.some(({ type }) => type !== undefined) ? fields : undefined;
  if (format.format !== 'csv') return mapping;
  const unknown = mapping?.find(({ source }) => !fields.some((field) => field.source === source));
  if (unknown !== undefined) {
    const names = fields.slice(0, 30).map(({ source }) => source);
    throw new HostError(
      'INVALID_REQUEST',
      `The file has no column “${unknown.source}”. It has ${names.join(', ')}${names.length < fields.length ? ', …' : ''}.`,
    );
  }
  const chosen = new Map(mapping?.map((field) => [field.source, field]));
  return fields.map((field) => ({ ...field, ...chosen.get(field.source) }));
}

function foreignText(line: number): HostError {
  return new HostError('INVALID_REQUEST', `Line ${line} of the file isn't UTF-8.`, {
    details: { advice: 'Save the file as UTF-8.' },
  });
}

interface SampledFile {
  /** Bytes of the byte order mark. */
  readonly mark: number;
  /** Behind the mark. */
  readonly text: Uint8Array;
  readonly format: ImportFormat;
  readonly rows: readonly SourceRow[];
}

async function sampledFile(
  file: PreparableFile,
  gzip: boolean,
  chosen: ImportFormatChoice | undefined,
  signal: AbortSignal,
): Promise<SampledFile> {
  for (const most of [SAMPLE, LARGE_SAMPLE]) {
    const { bytes, isWhole } = await sampleOf(file, gzip, most, signal);
    refuseOtherFile(bytes);
    const mark = markLength(bytes);
    const text = bytes.subarray(mark);
    // The form shows in the first bytes: more would hold the host up.
    const head = text.subarray(0, SAMPLE);
    const format = { ...detectFormat(head, isWhole && head.length === text.length), gzip, ...given(chosen) };
    const rows = await sampledRows(text, format, mark, isWhole);
    const names = format.format === 'csv' && format.header ? 1 : 0;
    if (isWhole || rows.length > names || most === LARGE_SAMPLE) return { mark, text, format, rows };
  }
  throw new TypeError('There is no sample.');
}

async function sampleOf(
  file: PreparableFile,
  gzip: boolean,
  most: number,
  signal: AbortSignal,
): Promise<{ readonly bytes: Uint8Array; readonly isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of file.text(gzip, 0, signal)) {
    chunks.push(chunk.slice());
    length += chunk.length;
    if (length >= most) return { bytes: Buffer.concat(chunks), isWhole: false };
  }
  return { bytes: Buffer.concat(chunks), isWhole: true };
}

async function sampledRows(
  text: Uint8Array,
  format: ImportFormat,
  mark: number,
  isWhole: boolean,
): Promise<readonly SourceRow[]> {
  const place = { offset: mark, line: 1 };
  async function* whole(): AsyncGenerator<Uint8Array> {
    for (let from = 0; from < text.length; from += SAMPLE) {
      if (from > 0) await nextTurn();
      yield text.subarray(from, from + SAMPLE);
    }
  }
  const found: SourceRow[] = [];
  for await (const { rows } of sourceRows(whole(), format, place)) {
    for (const row of rows.slice(0, SAMPLED_ROWS + 1 - found.length))
      found.push(row.bytes === undefined ? row : { ...row, bytes: row.bytes.slice() });
    if (found.length > SAMPLED_ROWS) return found;
  }
  // The last row of a sample may be cut; one that is too long is that already.
  return isWhole || found.at(-1)?.bytes === undefined ? found : found.slice(0, -1);
}

function delimitedSource(
  format: ImportFormat,
  rows: readonly SourceRow[],
  columns: readonly Column[],
  mark: number,
): Omit<PreparedSource, 'standing'> {
  const [first, ...others] = rows;
  if (first?.bytes === undefined) throw new HostError('INVALID_REQUEST', first?.problem ?? 'The file has no rows.');
  if (!isUtf8(first.bytes)) throw foreignText(first.line);
  const reader = new RowMapping(format, [], undefined);
  const line = decoder.decode(first.bytes);
  const fields = reader.fieldsOf(line);
  const broken = format.header ? brokenQuotes(line, fields, (index) => `column ${index + 1}`) : undefined;
  if (broken !== undefined) throw new HostError('INVALID_REQUEST', `Line ${first.line} of the file: ${broken}`);
  const head = fields.map(({ text }) => text);
  if (head.length > MOST_COLUMNS) throw new HostError('INVALID_REQUEST', `The file has more than ${MOST_COLUMNS} columns.`);
  const names = unique(head.map((text, index) => (format.header && text.trim() !== '' ? text.trim() : `column ${index + 1}`)));
  const given = new Set(head.map((text) => text.trim()));
  const renamed = format.header ? names.filter((name, index) => !given.has(name) && head[index]?.trim() !== '') : [];
  const sample = format.header ? others : rows;
  const kinds = new Map(columns.map((column) => [column.name, column]));
  const values = sample.flatMap(({ bytes }) => (bytes === undefined ? [] : [reader.fieldsOf(decoder.decode(bytes))]));
  const sampled = new Map(
    names.map((name, index) => {
      const texts = values.flatMap((row) => (row[index] === undefined || row[index].text === '' ? [] : [row[index].text]));
      return [name, detectedType(texts)];
    }),
  );
  const detected = names.map((name): ImportField => {
    const column = kinds.get(name);
    return { source: name, target: name.slice(0, 1_000), type: column === undefined ? sampled.get(name) : typeOf(column) };
  });
  return {
    ...(renamed.length === 0 ? {} : { renamed }),
    ...{ format, names, fields: detected, start: format.header ? first.next : { offset: mark, line: 1 }, sample },
    guessed: new Map([...sampled].filter(([, type]) => type === 'integer' || type === 'decimal')),
    specialValues: specialValuesOf(columns),
  };
}

function memberFields(format: ImportFormat, rows: readonly SourceRow[], columns: readonly Column[]): readonly ImportField[] {
  const names = new Set<string>();
  /** Those with another value than a text. */
  const others = new Set<string>();
  for (const { bytes } of rows) {
    if (bytes === undefined) continue;
    const text = decoder.decode(bytes);
    const row = format.format === 'rejected' ? (readRejectedRow(text)?.row ?? '') : text;
    for (const [name, value] of exactMembers(row) ?? []) {
      if (name !== '' && name.length <= 1_000 && names.size < MOST_COLUMNS) names.add(name);
      if (typeof value !== 'string') others.add(name);
    }
  }
  const kinds = new Map(columns.map((column) => [column.name, column]));
  return Array.from(names, (name): ImportField => {
    const column = kinds.get(name);
    // Rejected rows of csv have texts in every column: they get the types of the columns, as in the import that rejected them.
    const isTyped = format.format === 'rejected' && column !== undefined && column.kind !== 'text' && !others.has(name);
    return { source: name, target: name, ...(isTyped ? { type: typeOf(column) } : {}) };
  });
}

/** Each name once; a second one has its number. */
function unique(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let count = 2; taken.has(own); count += 1) own = `${name} (${count})`;
    taken.add(own);
    return own;
  });
}

const KINDS: Partial<Record<ColumnKind, ImportFieldType>> = {
  integer: 'integer',
  decimal: 'decimal',
  boolean: 'boolean',
  json: 'json',
  geo: 'json',
};

function typeOf({ kind, type }: Column): ImportFieldType {
  if (kind === 'json' && type === 'string[]') return 'list';
  return KINDS[kind] ?? 'text';
}

/** A code such as 007 is a text. Of a number of many digits the driver says whether its database has such numbers. */
const WHOLE = /^-?(?:0|[1-9]\d*)$/;
const NUMBER = /^-?(?:0|[1-9]\d{0,17})(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/;

function detectedType(texts: readonly string[]): ImportFieldType {
  if (texts.length === 0) return 'text';
  if (texts.every((text) => text === 'true' || text === 'false')) return 'boolean';
  if (texts.every((text) => WHOLE.test(text))) return 'integer';
  if (texts.every((text) => NUMBER.test(text))) return 'decimal';
  return 'text';
}
