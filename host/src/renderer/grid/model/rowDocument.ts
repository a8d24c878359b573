import { isAbsent, numeralCell } from '@tabularium/sdk';
import type { Cell, ColumnKind, NumberRange } from '@tabularium/sdk';
import { cellJson } from '../../../common/cellJson.ts';
import { isInRange } from './isInRange.ts';
import { indentJson } from './jsonText.ts';
import { nodeText, parseTree } from './jsonTree.ts';
import type { JsonNode } from './jsonTree.ts';

// A row as the database returns it: a document with nested objects, lists of objects and members that no column names. What is staged for it is
// cells: of columns, and of whole members of the document, whose values are tagged as JSON.

/** Deeper documents are only read and copied. */
export const DEEPEST_DOCUMENT = 1_000;

export type DocumentNode = Extract<JsonNode, { is: 'object' }>;

/** A column, as far as a document is held to it. */
export interface DocumentColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly nullable: boolean;
  /** Why its cell cannot be changed; undefined when it can. */
  readonly refusal: string | undefined;
  readonly range?: NumberRange | undefined;
}

/** A changed cell: of a column, or of a member that no column names, with its JSON as a tagged cell. */
export interface DocumentChange {
  readonly column: string;
  readonly value: Cell;
}

/** Why a document can't be stored so, and the members that lead to the place. */
export type DocumentFault = { readonly path: readonly string[]; readonly name: string } & (
  | { readonly is: 'twice' | 'null' | 'ambiguous' }
  | { readonly is: 'type'; readonly wanted: 'text' | 'integer' | 'number' | 'boolean' }
  | { readonly is: 'range'; readonly range: NumberRange }
  | { readonly is: 'readOnly'; readonly reason: string }
);

export interface DocumentChanges {
  readonly changes: readonly DocumentChange[];
  readonly faults: readonly DocumentFault[];
}

export const EMPTY_DOCUMENT: DocumentNode = { id: 0, is: 'object', members: [] };

/** @throws SyntaxError for a text that isn't JSON or no object, RangeError for one that is too deep */
export function parseDocument(text: string): DocumentNode {
  const node = parseTree(text, DEEPEST_DOCUMENT);
  if (node.is !== 'object') throw new SyntaxError('A document is a JSON object.');
  return node;
}

/** Objects with more members are looked up by name: to search each name among all takes seconds for tens of thousands. */
const MOST_SEARCHED_MEMBERS = 32;
const byName = new WeakMap<DocumentNode, ReadonlyMap<string, JsonNode>>();

/** The member of an object; of two with one name the last, as JSON has it. */
export function memberOf(node: JsonNode | undefined, name: string): JsonNode | undefined {
  if (node?.is !== 'object') return undefined;
  if (node.members.length <= MOST_SEARCHED_MEMBERS) return node.members.findLast(([member]) => member === name)?.[1];
  let members = byName.get(node);
  if (members === undefined) {
    members = new Map(node.members);
    byName.set(node, members);
  }
  return members.get(name);
}

/** Whether two values are the same, members in any order. */
export function sameNode(one: JsonNode | undefined, other: JsonNode | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (one.is === 'object' && other.is === 'object') {
    return (
      one.members.length === other.members.length &&
      one.members.every(([name, node]) => {
        const same = memberOf(other, name);
        return same !== undefined && sameNode(node, same);
      })
    );
  }
  if (one.is === 'array' && other.is === 'array')
    return one.items.length === other.items.length && one.items.every((item, at) => sameNode(item, other.items[at]));
  return 'text' in one && 'text' in other && one.is === other.is && one.text === other.text;
}

/** The members that lead to a column's value: a dotted name is a path, or a member that is called so. Undefined where the document has neither. */
export function pathIn(document: JsonNode | undefined, name: string): readonly string[] | undefined {
  if (document?.is !== 'object') return undefined;
  for (const [member, inside] of document.members) {
    if (member === name) return [member];
    if (!name.startsWith(`${member}.`)) continue;
    const path = pathIn(inside, name.slice(member.length + 1));
    if (path !== undefined) return [member, ...path];
  }
  return undefined;
}

/** Whether a dotted name is both a member that is called so and a path into another one. A column of that name is one of the two, as its driver decides. */
function isAmbiguous(document: DocumentNode, name: string): boolean {
  return name.includes('.') && placesOf(document, name) > 1;
}

function placesOf(node: JsonNode | undefined, name: string): number {
  if (node?.is !== 'object') return 0;
  return node.members.reduce((places, [member, inside]) => {
    if (member === name) return places + 1;
    return name.startsWith(`${member}.`) ? places + placesOf(inside, name.slice(member.length + 1)) : places;
  }, 0);
}

export function nodeAt(document: JsonNode | undefined, path: readonly string[]): JsonNode | undefined {
  return path.reduce<JsonNode | undefined>((node, name) => memberOf(node, name), document);
}

/** Whether a cell is a whole member of a document, by its own name, as opposed to the cell of a column. */
export function isMemberCell(cell: Cell): boolean {
  return Array.isArray(cell) && cell[0] === 'json';
}

/** The value of a cell that is a whole member; undefined for any other cell. */
export function memberNode(cell: Cell): JsonNode | undefined {
  return Array.isArray(cell) && cell[0] === 'json'
    ? parseTree(String((cell as readonly string[])[1]), DEEPEST_DOCUMENT)
    : undefined;
}

/** A document with what is staged for it. */
export function withCells(
  document: DocumentNode,
  cells: readonly DocumentChange[],
  kinds: ReadonlyMap<string, ColumnKind>,
): DocumentNode {
  return cells.reduce((changed, { column, value }) => {
    const kind = kinds.get(column);
    const found = pathIn(changed, column);
    const path = kind === undefined || isMemberCell(value) ? [column] : (found ?? column.split('.'));
    const json = isAbsent(value) ? undefined : cellJson(value, kind ?? 'json');
    return replacedAt(
      changed,
      isAbsent(value) ? (found ?? path) : path,
      json === undefined ? undefined : parseTree(json, DEEPEST_DOCUMENT),
    );
  }, document);
}

function replacedAt(object: DocumentNode, [name = '', ...rest]: readonly string[], value: JsonNode | undefined): DocumentNode {
  const before = memberOf(object, name);
  const inside = before?.is === 'object' ? before : EMPTY_DOCUMENT;
  // Nothing is to be removed from what is not there.
  if (rest.length > 0 && value === undefined && before?.is !== 'object') return object;
  const after = rest.length === 0 ? value : replacedAt(inside, rest, value);
  const others = object.members.filter(([member]) => member !== name);
  if (after === undefined) return { ...object, members: others };
  if (before === undefined) return { ...object, members: [...others, [name, after]] };
  const last = object.members.findLastIndex(([member]) => member === name);
  return {
    ...object,
    members: object.members.flatMap((member, at): (readonly [string, JsonNode])[] =>
      at === last ? [[name, after]] : member[0] === name ? [] : [member],
    ),
  };
}

/**
 * The cells that make one document of another. A member that a column names is that column's cell, so that the grid shows it; every other difference is
 * the whole member of the document that it is in.
 */
export function documentChanges(before: DocumentNode, after: DocumentNode, columns: readonly DocumentColumn[]): DocumentChanges {
  const named = new Map(columns.map((column) => [column.name, column]));
  const faults: DocumentFault[] = [...repeatedIn(after, [])];
  const changes = namesOf(before, after).flatMap((name) => {
    const found = differences(memberOf(before, name), memberOf(after, name), name, [name], {
      named,
      isAmbiguous: (dotted) => isAmbiguous(before, dotted) || isAmbiguous(after, dotted),
    });
    if (found === undefined) return [memberChange(name, memberOf(after, name))];
    faults.push(...found.faults);
    return found.changes;
  });
  return { changes, faults };
}

function memberChange(name: string, node: JsonNode | undefined): DocumentChange {
  return { column: name, value: node === undefined ? ['absent'] : ['json', jsonText(node)] };
}

function namesOf(before: DocumentNode, after: DocumentNode): readonly string[] {
  return [...new Set([...before.members, ...after.members].map(([name]) => name))];
}

/** Undefined where the difference is in nothing that a column names. */
function differences(
  before: JsonNode | undefined,
  after: JsonNode | undefined,
  name: string,
  path: readonly string[],
  columns: {
    readonly named: ReadonlyMap<string, DocumentColumn>;
    readonly isAmbiguous: (name: string) => boolean;
  },
): DocumentChanges | undefined {
  if (sameNode(before, after)) return { changes: [], faults: [] };
  const column = columns.named.get(name);
  if (column !== undefined) {
    if (columns.isAmbiguous(name)) return { changes: [], faults: [{ path, name, is: 'ambiguous' }] };
    if (column.refusal !== undefined) return { changes: [], faults: [{ path, name, is: 'readOnly', reason: column.refusal }] };
    const read = documentCell(after, column);
    return read.ok
      ? { changes: [{ column: name, value: read.value }], faults: [] }
      : { changes: [], faults: [{ path, name, ...read.fault }] };
  }
  if (before?.is !== 'object' || after?.is !== 'object') return undefined;
  const parts = namesOf(before, after).map((member) =>
    differences(memberOf(before, member), memberOf(after, member), `${name}.${member}`, [...path, member], columns),
  );
  if (parts.includes(undefined)) return undefined;
  return {
    changes: parts.flatMap((part) => part?.changes ?? []),
    faults: parts.flatMap((part) => part?.faults ?? []),
  };
}

/** New members that no column names and that are in no column: often a name that was mistyped. Lists are not looked into. */
export function undeclaredMembers(
  before: DocumentNode,
  after: DocumentNode,
  columns: readonly Pick<DocumentColumn, 'name'>[],
): readonly { readonly path: readonly string[]; readonly name: string }[] {
  const names = new Set(columns.map(({ name }) => name));
  const holders = new Set(columns.flatMap(({ name }) => name.split('.').map((_, end, parts) => parts.slice(0, end).join('.'))));
  const walk = (
    was: JsonNode | undefined,
    object: DocumentNode,
    prefix: string,
    path: readonly string[],
  ): { readonly path: readonly string[]; readonly name: string }[] =>
    object.members.flatMap(([member, inside]) => {
      const name = `${prefix}${member}`;
      const there = memberOf(was, member);
      if (names.has(name)) return [];
      if (!holders.has(name)) return there === undefined ? [{ path: [...path, member], name }] : [];
      return inside.is === 'object' ? walk(there, inside, `${name}.`, [...path, member]) : [];
    });
  return walk(before, after, '', []);
}

/** A name that an object has twice: JSON allows it, and one of the two would be lost. */
export function* repeatedIn(node: JsonNode, path: readonly string[]): Generator<DocumentFault, undefined> {
  if (node.is === 'array') for (const [at, item] of node.items.entries()) yield* repeatedIn(item, [...path, String(at)]);
  if (node.is !== 'object') return;
  const seen = new Set<string>();
  for (const [name, inside] of node.members) {
    if (seen.has(name)) yield { path: [...path, name], name, is: 'twice' };
    seen.add(name);
    yield* repeatedIn(inside, [...path, name]);
  }
}

type ReadNode =
  | { readonly ok: true; readonly value: Cell }
  | {
      readonly ok: false;
      readonly fault:
        | { readonly is: 'null' }
        | { readonly is: 'range'; readonly range: NumberRange }
        | { readonly is: 'type'; readonly wanted: 'text' | 'integer' | 'number' | 'boolean' };
    };

const INTEGER = /^-?(?:0|[1-9]\d*)$/;

/** The cell of a column for a value of a document. */
export function documentCell(
  node: JsonNode | undefined,
  { kind, nullable, range }: Pick<DocumentColumn, 'kind' | 'nullable' | 'range'>,
): ReadNode {
  const good = (value: Cell): ReadNode => ({ ok: true, value });
  const number = (digits: string): ReadNode =>
    range === undefined || isInRange(digits, range) ? good(numeralCell(digits)) : { ok: false, fault: { is: 'range', range } };
  const wanted = (type: 'text' | 'integer' | 'number' | 'boolean'): ReadNode => ({
    ok: false,
    fault: { is: 'type', wanted: type },
  });
  if (node === undefined) return good(['absent']);
  if (node.is === 'word' && node.text === 'null') return nullable ? good(null) : { ok: false, fault: { is: 'null' } };
  switch (kind) {
    case 'integer':
      return node.is === 'number' && INTEGER.test(node.text) ? number(node.text) : wanted('integer');
    case 'decimal':
      return node.is === 'number' ? number(node.text) : wanted('number');
    case 'boolean':
      return node.is === 'word' ? good(node.text === 'true') : wanted('boolean');
    case 'json':
    case 'geo':
      return good(jsonText(node));
    default:
      return node.is === 'text' ? good(node.text) : wanted('text');
  }
}

/** A value as JSON, its numbers as they were written. */
export function jsonText(node: JsonNode): string {
  return node.is === 'text' ? JSON.stringify(node.text) : nodeText(node);
}

/** The value of a column inside a member, such as `variants.size` in the list `variants`: a list with one entry for each element, null where it has none. */
export function cellInside(node: JsonNode, name: string, column: Pick<DocumentColumn, 'kind'>): Cell {
  const found = nodeInside(node, name);
  if (found === undefined) return ['absent'];
  if (found.is === 'word' && found.text === 'null') return null;
  const read = documentCell(found, { kind: column.kind, nullable: true });
  return read.ok ? read.value : ['json', jsonText(found)];
}

function nodeInside(node: JsonNode, name: string): JsonNode | undefined {
  if (node.is === 'array') {
    const items = node.items.map((item): JsonNode => nodeInside(item, name) ?? { id: 0, is: 'word', text: 'null' });
    return { id: 0, is: 'array', items };
  }
  const path = pathIn(node, name);
  if (path !== undefined) return nodeAt(node, path);
  if (node.is !== 'object') return undefined;
  for (const [member, inside] of node.members) {
    if (!name.startsWith(`${member}.`)) continue;
    const found = nodeInside(inside, name.slice(member.length + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * A row as it will be in the database, as JSON with line breaks: with what is staged for it. A document that is too deep for that comes as it is.
 *
 * @param text - as the database returned it; undefined for a new row
 */
export function documentText(
  text: string | undefined,
  cells: readonly DocumentChange[],
  kinds: ReadonlyMap<string, ColumnKind>,
): string {
  if (text !== undefined && cells.length === 0) return indentJson(text);
  try {
    return indentJson(jsonText(withCells(text === undefined ? EMPTY_DOCUMENT : parseDocument(text), cells, kinds)));
  } catch (error) {
    if (text === undefined || !(error instanceof RangeError || error instanceof SyntaxError)) throw error;
    return indentJson(text);
  }
}

/** The members of a document that hold a text in their name or value, letter case aside; undefined where none does. */
export function matchingMembers(text: string, search: string): string | undefined {
  const wanted = search.trim().toLocaleLowerCase();
  if (wanted === '') return text;
  const members = parseDocument(text).members.filter(([name, node]) =>
    `${name} ${jsonText(node)}`.toLocaleLowerCase().includes(wanted),
  );
  return members.length === 0 ? undefined : indentJson(jsonText({ ...EMPTY_DOCUMENT, members }));
}
