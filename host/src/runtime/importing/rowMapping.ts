import { isUtf8 } from 'node:buffer';
import type { ImportFieldType, ImportFormat } from '../../common/imports.ts';
import { readDelimited, readDelimitedRow } from '../../common/delimitedText.ts';
import type { DelimitedField } from '../../common/delimitedText.ts';
import { brokenQuotes } from './brokenQuotes.ts';
import { UnfitValue, convertText, requirePlainNumber } from './convertText.ts';
import { DelimitedRow } from './delimitedRow.ts';
import { digitsOfNumber, exactMembers } from './exactJson.ts';
import { JsonRowCheck } from './jsonRowCheck.ts';
import { readRejectedRow } from './rejectedRow.ts';
import { nestingProblem } from './nestingProblem.ts';
import type { ResolvedField } from './resolvedField.ts';
import type { SourceRow } from './rowSplitter.ts';

/** A row as it is sent, or why it isn't. */
export type MappedRow =
  { readonly bytes: Uint8Array } | { readonly text: string } | { readonly problem: string; readonly column?: string };

/** A column of csv: where its values go. */
interface Route extends Pick<ResolvedField, 'specialValues' | 'isGuessed'> {
  /** null: nowhere. */
  readonly target: string | null;
  readonly type: ImportFieldType;
  /** The name of the target as the member of an object begins. */
  readonly member: string;
}

const NOWHERE: Route = { target: null, type: 'text', member: '' };
/** Types whose values are lists and objects. */
const NESTED: ReadonlySet<ImportFieldType> = new Set(['json', 'list']);

const OPEN_OBJECT = 0x7b;
/** Of a row that is something else, or no whole JSON. */
export const NO_OBJECT = { problem: 'The row isn’t a JSON object.' } as const satisfies MappedRow;
const NOT_STORED: MappedRow = {
  problem:
    'The row is not in the file of rejected rows: it was too long, or no whole row. Import it from the file that it came from.',
};
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Makes documents of the rows of a file. */
export class RowMapping {
  readonly #format: ImportFormat;
  readonly #names: readonly string[];
  readonly #fields: ReadonlyMap<string, ResolvedField> | undefined;
  /** Of the columns of csv. */
  readonly #routes: readonly Route[];
  readonly #row = new DelimitedRow();
  /** Whether columns share a target. */
  readonly #hasSharedTargets: boolean;
  readonly #mayNest: boolean;
  readonly #check = new JsonRowCheck();
  /** Names of the mapping that no row had so far. */
  readonly unmet: Set<string>;

  /**
   * @param names - csv: of the columns
   * @param fields - the mapping; undefined: as it is
   */
  constructor(format: ImportFormat, names: readonly string[], fields: readonly ResolvedField[] | undefined) {
    this.#format = format;
    this.#names = names;
    this.unmet = new Set(format.format === 'csv' ? [] : fields?.map(({ source }) => source));
    this.#fields = fields === undefined ? undefined : new Map(fields.map((field) => [field.source, field]));
    this.#routes = format.format === 'csv' ? names.map((name) => routeOf(name, this.#fields?.get(name))) : [];
    const targets = this.#routes.flatMap(({ target }) => target ?? []);
    this.#hasSharedTargets = new Set(targets).size < targets.length;
    this.#mayNest = this.#routes.some(({ type }) => NESTED.has(type));
  }

  /** Whether rows are sent byte for byte. */
  get isIdentity(): boolean {
    return this.#format.format !== 'csv' && this.#fields === undefined;
  }

  map(row: SourceRow): MappedRow {
    if (row.bytes === undefined) return { problem: row.problem ?? 'The row has no content.' };
    if (!isUtf8(row.bytes)) return { problem: 'The row has bytes that aren’t UTF-8. Save the file as UTF-8.' };
    if (this.#format.format === 'csv') return this.#delimited(decoder.decode(row.bytes));
    // Of a line about a rejected row it looks at the row as well.
    const unclear = this.#check.problem(row.bytes);
    if (unclear !== undefined) return unclear;
    if (this.#format.format === 'rejected') {
      const found = readRejectedRow(decoder.decode(row.bytes));
      if (found === undefined) return { problem: 'The line has no rejected row.' };
      if (found.row === 'null') return NOT_STORED;
      if (this.#fields !== undefined) return this.#members(found.row);
      return found.row.startsWith('{') ? { text: found.row } : NO_OBJECT;
    }
    if (this.#fields !== undefined) return this.#members(decoder.decode(row.bytes));
    return row.bytes[0] === OPEN_OBJECT ? { bytes: row.bytes } : NO_OBJECT;
  }

  /** The row as JSON, by the names of the file; a text where it isn't one. For the file of rejected rows. */
  source(bytes: Uint8Array | undefined): string {
    if (bytes === undefined) return 'null';
    const text = decoder.decode(bytes);
    // Decoding has lost letters. As an object the row could be imported again without them.
    if (!isUtf8(bytes)) return JSON.stringify(text);
    if (this.#format.format === 'csv') {
      const values = this.fieldsOf(text);
      // Its values may be in the wrong columns: the row stays a text until somebody has mended it.
      if (values.length !== this.#names.length || this.#brokenQuotes(text, values) !== undefined) return JSON.stringify(text);
      const members = values.flatMap((field, index) =>
        isGiven(field) ? [`${JSON.stringify(this.#nameOf(index))}:${JSON.stringify(field.text)}`] : [],
      );
      return `{${members.join(',')}}`;
    }
    const row = this.#format.format === 'rejected' ? (readRejectedRow(text)?.row ?? text) : text;
    return exactMembers(row) === undefined ? JSON.stringify(row) : row.replaceAll(/[\r\n]/g, ' ');
  }

  /** The values of a row of csv. */
  fieldsOf(text: string): readonly DelimitedField[] {
    return readDelimited(text, this.#format.separator)[0] ?? [];
  }

  #brokenQuotes(text: string, fields: readonly DelimitedField[]): string | undefined {
    return brokenQuotes(text, fields, (index) => this.#nameOf(index));
  }

  #nameOf(index: number): string {
    return this.#names[index] ?? `column ${index + 1}`;
  }

  #delimited(text: string): MappedRow {
    const values = this.#row;
    values.clear();
    readDelimitedRow(text, this.#format.separator, 0, values);
    const broken = values.hasBroken ? this.#brokenQuotes(text, this.fieldsOf(text)) : undefined;
    if (broken !== undefined) return { problem: broken };
    if (values.length > this.#names.length) {
      return { problem: `The row has ${values.length} fields, and there are ${this.#names.length} columns.` };
    }
    // A row that was cut short, or lost a separator: its values may be in the wrong columns.
    const missing = this.#names[values.length];
    if (missing !== undefined) {
      return {
        problem: `The row has ${values.length === 1 ? '1 field' : `${values.length} fields`}, and there are ${this.#names.length} columns: “${missing}” is missing.`,
        column: missing,
      };
    }
    let members = '';
    const targets = this.#hasSharedTargets ? new Set<string>() : undefined;
    for (let index = 0; index < this.#routes.length; index += 1) {
      const { target, type, specialValues, isGuessed, member } = this.#routes[index] ?? NOWHERE;
      const value = values.given(index);
      if (value === undefined || target === null) continue;
      if (targets?.has(target) === true) return sameTarget(target);
      targets?.add(target);
      const converted = attempt(() => {
        if (isGuessed === true) requirePlainNumber(value, type);
        return convertText(value, type, specialValues);
      });
      if (typeof converted !== 'string') return { problem: `“${target}”: ${converted.message}`, column: target };
      members += `${members === '' ? '' : ','}${member}${converted}`;
    }
    const object = `{${members}}`;
    // A value of csv may be JSON.
    const problem = this.#mayNest ? nestingProblem(encoder.encode(object)) : undefined;
    return problem === undefined ? { text: object } : { problem };
  }

  #members(text: string): MappedRow {
    const found = exactMembers(text);
    if (found === undefined) return NO_OBJECT;
    const targets = new Set<string>();
    const members: string[] = [];
    for (const [name, value] of found) {
      this.unmet.delete(name);
      const { target = name, type, specialValues } = this.#fields?.get(name) ?? {};
      if (target === null) continue;
      if (targets.has(target)) return sameTarget(target);
      targets.add(target);
      const converted = attempt(() =>
        type === undefined || value === null ? JSON.stringify(value) : typed(value, type, specialValues),
      );
      if (typeof converted !== 'string') return { problem: `“${target}”: ${converted.message}`, column: target };
      members.push(`${JSON.stringify(target)}:${converted}`);
    }
    return { text: `{${members.join(',')}}` };
  }
}

/** One of two values would be lost. */
function sameTarget(target: string): MappedRow {
  return { problem: `Two values of the row go to “${target}”. Leave one of the columns out.`, column: target };
}

function routeOf(source: string, field: ResolvedField | undefined): Route {
  const { target = source, type = 'text', specialValues, isGuessed } = field ?? {};
  return {
    target,
    type,
    member: `${JSON.stringify(target)}:`,
    ...(specialValues === undefined ? {} : { specialValues }),
    ...(isGuessed === undefined ? {} : { isGuessed }),
  };
}

function isGiven(field: DelimitedField): boolean {
  return field.quoted || field.text !== '';
}

function attempt(work: () => string): string | UnfitValue {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnfitValue) return error;
    throw error;
  }
}

/** A JSON value as another type: a text by what it says, a number or truth value by its digits or word. */
function typed(value: unknown, type: NonNullable<ResolvedField['type']>, specialValues: readonly string[] | undefined): string {
  const written = JSON.stringify(value);
  if (typeof value === 'string') return convertText(value, type, specialValues);
  if (type === 'json') return written;
  if (type === 'list') return Array.isArray(value) ? written : `[${written}]`;
  const digits = digitsOfNumber(value);
  if (digits === undefined && typeof value !== 'boolean') throw new UnfitValue('An object or a list has no such type.');
  return convertText(digits ?? written, type);
}
