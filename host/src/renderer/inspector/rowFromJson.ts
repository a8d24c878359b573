import { ABSENT, isAbsent, numeralCell } from '@tabularium/sdk';
import type { Cell, ColumnKind, NumberRange } from '@tabularium/sdk';
import { parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import { cellJson, compactJson } from '../../common/cellJson.ts';
import { isInRange } from '../grid/model/isInRange.ts';

/** A column, as far as a row's JSON is held to it. */
export interface JsonColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly nullable: boolean;
  /** Why its cell cannot be changed; undefined when it can. */
  readonly refusal: string | undefined;
  readonly range?: NumberRange | undefined;
  /** The values that the column stores besides numbers, such as `NaN`: JSON has them as texts. */
  readonly specialValues?: readonly string[] | undefined;
  readonly values?: readonly string[] | undefined;
}

/** A fault of a JSON text and its place: offsets in UTF-16 code units, line and column from 1. */
export type JsonIssue = { readonly from: number; readonly to: number; readonly line: number; readonly column: number } & (
  | { readonly is: 'syntax'; readonly code: string }
  | { readonly is: 'notObject' | 'tooDeep' }
  | { readonly is: 'unknown' | 'undeclared' | 'twice' | 'null' | 'ambiguous'; readonly name: string }
  | { readonly is: 'type'; readonly name: string; readonly wanted: 'text' | 'integer' | 'number' | 'boolean' }
  | { readonly is: 'range'; readonly name: string; readonly range: NumberRange }
  | { readonly is: 'label'; readonly name: string; readonly labels: readonly string[] }
  | { readonly is: 'readOnly'; readonly name: string; readonly reason: string }
);

export interface JsonChange {
  readonly place: number;
  readonly value: Cell;
}

export type RowFromJson =
  { readonly ok: true; readonly changes: readonly JsonChange[] } | { readonly ok: false; readonly issues: readonly JsonIssue[] };

export type Detail = JsonIssue extends infer Issue
  ? Issue extends JsonIssue
    ? Omit<Issue, 'from' | 'to' | 'line' | 'column'>
    : never
  : never;

/** More faults than this don't help a person. */
const MOST_ISSUES = 50;
const INTEGER = /^-?(?:0|[1-9]\d*)$/;

export function issueAt(text: string, from: number, length: number, detail: Detail): JsonIssue {
  const before = text.slice(0, from);
  const line = before.split('\n').length;
  return { from, to: from + length, line, column: from - (before.lastIndexOf('\n') + 1) + 1, ...detail };
}

/**
 * The changes of an edited JSON text to a row. Everything that does not fit the columns is reported, each with its place in the text, and
 * nothing is changed then. A member with the row's present value changes nothing, even where its type is another than the column's.
 */
export function rowFromJson(text: string, columns: readonly JsonColumn[], row: readonly Cell[]): RowFromJson {
  const parsed = objectOf(text);
  if (!parsed.ok) return parsed;
  const { root } = parsed;
  const issues: JsonIssue[] = [];
  const changes: JsonChange[] = [];
  const places = new Map(columns.map(({ name }, place) => [name, place]));
  const seen = new Set<number>();
  for (const member of root.children ?? []) {
    const [key, value] = member.children ?? [];
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    const place = places.get(name);
    const column = place === undefined ? undefined : columns[place];
    const wrong = (node: Node, detail: Detail): void => void issues.push(issueAt(text, node.offset, node.length, detail));
    if (place === undefined || column === undefined) wrong(key, { is: 'unknown', name });
    else if (seen.has(place)) wrong(key, { is: 'twice', name });
    else {
      seen.add(place);
      const written = text.slice(value.offset, value.offset + value.length);
      if (compactJson(written) === cellJson(row[place] ?? null, column.kind)) continue;
      const read = cellOf(value, written, column);
      if (column.refusal !== undefined) wrong(key, { is: 'readOnly', name, reason: column.refusal });
      else if (!read.ok) wrong(value, read.detail);
      else changes.push({ place, value: read.value });
    }
  }
  for (const [place, column] of columns.entries()) {
    if (seen.has(place) || isAbsent(row[place] ?? null)) continue;
    if (column.refusal === undefined) changes.push({ place, value: ABSENT });
    else {
      const detail: Detail = { is: 'readOnly', name: column.name, reason: column.refusal };
      issues.push(issueAt(text, root.offset + root.length - 1, 1, detail));
    }
  }
  return issues.length === 0 ? { ok: true, changes } : { ok: false, issues: issues.slice(0, MOST_ISSUES) };
}

type ParsedObject = { readonly ok: true; readonly root: Node } | { readonly ok: false; readonly issues: readonly JsonIssue[] };

/** The object of a JSON text with the places of its parts, or why it is none. */
export function objectOf(text: string): ParsedObject {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  if (errors.length > 0 || root === undefined) {
    const found = errors.length > 0 ? errors : [{ error: 4, offset: 0, length: text.length }];
    return {
      ok: false,
      issues: found
        .slice(0, MOST_ISSUES)
        .map(({ error, offset, length }) => issueAt(text, offset, length, { is: 'syntax', code: printParseErrorCode(error) })),
    };
  }
  if (root.type === 'object') return { ok: true, root };
  return { ok: false, issues: [issueAt(text, root.offset, root.length, { is: 'notObject' })] };
}

type ReadCell = { readonly ok: true; readonly value: Cell } | { readonly ok: false; readonly detail: Detail };

function cellOf(node: Node, written: string, { name, kind, nullable, range, specialValues, values }: JsonColumn): ReadCell {
  const good = (value: Cell): ReadCell => ({ ok: true, value });
  const number = (): ReadCell =>
    range === undefined || isInRange(written, range)
      ? good(numeralCell(written))
      : { ok: false, detail: { is: 'range', name, range } };
  const wanted = (type: 'text' | 'integer' | 'number' | 'boolean'): ReadCell => ({
    ok: false,
    detail: { is: 'type', name, wanted: type },
  });
  if (node.type === 'null') return nullable ? good(null) : { ok: false, detail: { is: 'null', name } };
  if ((kind === 'integer' || kind === 'decimal') && node.type === 'string') {
    const special = specialValues?.find((one) => one.toLowerCase() === String(node.value).trim().toLowerCase());
    if (special !== undefined) return good(['text', special]);
  }
  switch (kind) {
    case 'integer':
      return node.type === 'number' && INTEGER.test(written) ? number() : wanted('integer');
    case 'decimal':
      return node.type === 'number' ? number() : wanted('number');
    case 'boolean':
      return node.type === 'boolean' ? good(node.value === true) : wanted('boolean');
    case 'json':
    case 'geo':
      return good(compactJson(written) ?? written);
    case 'enum':
      if (node.type === 'string' && values?.includes(String(node.value)) === false)
        return { ok: false, detail: { is: 'label', name, labels: values } };
      return node.type === 'string' ? good(String(node.value)) : wanted('text');
    default:
      return node.type === 'string' ? good(String(node.value)) : wanted('text');
  }
}
