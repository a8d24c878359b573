import type { ObjectDocument } from '@tabularium/sdk';
import { MOST_OBJECT_CHARACTERS } from '@tabularium/sdk/protocol';
import { findNodeAtLocation, getNodeValue, parseTree } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import { HostError } from '../../common/errors.ts';
import { MOST_FILED_OBJECTS } from '../../common/objects.ts';

/** The objects of one kind as a file: `{"kind","objects":[{"name","document"}]}`, each object on a line, each document to the letter. */
export function writeObjectFile(kind: string, objects: readonly ObjectDocument[]): string {
  const lines = objects.map(({ name, document }) => `{"name":${JSON.stringify(name)},"document":${document.trim()}}`);
  return `{"kind":${JSON.stringify(kind)},"objects":[${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n`}]}\n`;
}

/**
 * The objects of such a file, documents to the letter, so that numbers keep their digits.
 *
 * @throws HostError `INVALID_REQUEST` with the place that can't be read
 */
export function readObjectFile(kind: string, content: string): readonly ObjectDocument[] {
  const text = content.replace(/^\uFEFF/, '');
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { disallowComments: true });
  } catch (cause) {
    // The parser calls itself for each level, and a stack is finite.
    if (!(cause instanceof RangeError)) throw cause;
    throw unreadable('The file is nested too deeply.');
  }
  const [error] = errors;
  if (error !== undefined) {
    const isCut = error.offset + error.length >= text.trimEnd().length;
    const where = `Line ${lineAt(text, error.offset)} of the file`;
    throw unreadable(isCut ? `The file ends too early: ${where} isn’t complete.` : `${where} isn’t valid JSON.`);
  }
  requireOnce(root, text, ['kind', 'objects']);
  const filedKind = valueAt(root, ['kind']);
  const list = root === undefined ? undefined : findNodeAtLocation(root, ['objects']);
  if (typeof filedKind !== 'string' || list?.type !== 'array') {
    throw unreadable('The file has to be an object with “kind” and a list “objects”, as an export writes it.');
  }
  if (filedKind !== kind) throw unreadable(`The file has objects of the kind “${filedKind}”, not “${kind}”.`);
  const entries = list.children ?? [];
  if (entries.length > MOST_FILED_OBJECTS) throw unreadable(`The file has more than ${MOST_FILED_OBJECTS} objects.`);
  const objects = new Map<string, ObjectDocument>();
  for (const entry of entries) {
    const where = `Line ${lineAt(text, entry.offset)} of the file`;
    requireOnce(entry, text, ['name', 'document']);
    const name = valueAt(entry, ['name']);
    const document = findNodeAtLocation(entry, ['document']);
    if (typeof name !== 'string' || name === '' || name.length > 1_000) throw unreadable(`${where}: the object has no “name”.`);
    if (document?.type !== 'object' || document.length > MOST_OBJECT_CHARACTERS) {
      throw unreadable(`${where}: “${name}” has no “document” that is a JSON object.`);
    }
    if (objects.has(name)) throw unreadable(`${where}: “${name}” is in the file twice.`);
    objects.set(name, { name, document: text.slice(document.offset, document.offset + document.length) });
  }
  return [...objects.values()];
}

function valueAt(node: Node | undefined, path: readonly string[]): unknown {
  const found = node === undefined ? undefined : findNodeAtLocation(node, [...path]);
  return found === undefined ? undefined : (getNodeValue(found) as unknown);
}

/** Of a member that is there twice one parser takes the first and another the last. */
function requireOnce(node: Node | undefined, text: string, names: readonly string[]): void {
  const seen = new Set<unknown>();
  for (const member of node?.type === 'object' ? (node.children ?? []) : []) {
    const [key] = member.children ?? [];
    const name: unknown = key?.value;
    if (!names.some((one) => one === name)) continue;
    if (seen.has(name)) throw unreadable(`Line ${lineAt(text, member.offset)} of the file has “${String(name)}” a second time.`);
    seen.add(name);
  }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function unreadable(message: string): HostError {
  return new HostError('INVALID_REQUEST', `${message} Nothing was changed.`);
}
