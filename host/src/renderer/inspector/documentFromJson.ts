import { findNodeAtLocation } from 'jsonc-parser';
import type { Node } from 'jsonc-parser';
import { documentChanges, parseDocument, undeclaredMembers } from '../grid/model/rowDocument.ts';
import type { DocumentChange, DocumentColumn, DocumentFault, DocumentNode } from '../grid/model/rowDocument.ts';
import { issueAt, objectOf } from './rowFromJson.ts';
import type { Detail, JsonIssue } from './rowFromJson.ts';

type DocumentFromJson =
  | {
      readonly ok: true;
      readonly changes: readonly DocumentChange[];
      /** New members that the table has no field for. They can be stored; often they are mistyped. */
      readonly doubts: readonly JsonIssue[];
    }
  | { readonly ok: false; readonly issues: readonly JsonIssue[] };

/** The changes of an edited document. Everything that does not fit the columns is reported with its place in the text, and nothing is changed then. */
export function documentFromJson(text: string, columns: readonly DocumentColumn[], before: DocumentNode): DocumentFromJson {
  let after: DocumentNode;
  try {
    after = parseDocument(text);
  } catch (error) {
    const parsed = error instanceof RangeError ? undefined : objectOf(text);
    if (parsed?.ok === false) return parsed;
    return { ok: false, issues: [issueAt(text, 0, text.length, { is: 'tooDeep' })] };
  }
  const { changes, faults } = documentChanges(before, after, columns);
  const undeclared = faults.length === 0 ? undeclaredMembers(before, after, columns) : [];
  if (faults.length === 0 && undeclared.length === 0) return { ok: true, changes, doubts: [] };
  const parsed = objectOf(text);
  if (parsed.ok && faults.length === 0)
    return { ok: true, changes, doubts: undeclared.map((member) => issueOf(text, parsed.root, { ...member, is: 'undeclared' })) };
  return parsed.ok ? { ok: false, issues: faults.map((fault) => issueOf(text, parsed.root, fault)) } : parsed;
}

type Doubt = { readonly path: readonly string[]; readonly name: string; readonly is: 'undeclared' };

function issueOf(text: string, root: Node, { path, ...fault }: DocumentFault | Doubt): JsonIssue {
  // A member that is missing has its object's end for a place.
  for (let length = path.length; length >= 0; length -= 1) {
    const node = findNodeAtLocation(root, stepsOf(root, path.slice(0, length)));
    if (node === undefined) continue;
    const isWhole = length === path.length;
    return issueAt(
      text,
      isWhole ? node.offset : node.offset + node.length - 1,
      isWhole ? node.length : 1,
      fault satisfies Detail,
    );
  }
  return issueAt(text, 0, 1, fault);
}

/** The elements of lists are found by their numbers. */
function stepsOf(root: Node, path: readonly string[]): (string | number)[] {
  const steps: (string | number)[] = [];
  for (const step of path) {
    const isItem = findNodeAtLocation(root, steps)?.type === 'array';
    steps.push(isItem ? Number(step) : step);
  }
  return steps;
}
