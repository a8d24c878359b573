import { applyEdits, findNodeAtLocation, getNodeValue, modify, parseTree } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';

// A document is changed as a text and never as values: numbers keep their digits, and members that no form has stay as they are.

type DocumentPath = readonly (number | string)[];

const FORMAT = { formattingOptions: { tabSize: 2, insertSpaces: true, eol: '\n' } } as const;

function nodeAt(text: string, path: DocumentPath): Node | undefined {
  const root = parseTree(text);
  return root === undefined ? undefined : findNodeAtLocation(root, [...path]);
}

/** Whether a text is a JSON object. */
export function isDocument(text: string): boolean {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  return errors.length === 0 && root?.type === 'object';
}

/** Whether a text is one JSON value. */
export function isJsonValue(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The value at a path; undefined where there is none. */
export function documentValue(text: string, path: DocumentPath): unknown {
  const node = nodeAt(text, path);
  return node === undefined ? undefined : (getNodeValue(node) as unknown);
}

/** The text of the value at a path, to the letter; empty where there is none. */
export function documentPart(text: string, path: DocumentPath): string {
  const node = nodeAt(text, path);
  return node === undefined ? '' : text.slice(node.offset, node.offset + node.length);
}

/** The text with another value at a path; undefined takes the member out. */
export function withDocumentValue(text: string, path: DocumentPath, value: unknown): string {
  return applyEdits(text, modify(text, [...path], value, FORMAT));
}

/** The same with the text of a JSON value, whose numbers keep their digits. */
export function withDocumentPart(text: string, path: DocumentPath, json: string): string {
  const mark = crypto.randomUUID();
  return withDocumentValue(text, path, mark).replace(`"${mark}"`, () => json);
}
