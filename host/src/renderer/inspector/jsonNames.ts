import { syntaxTree } from '@codemirror/language';
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { EditorState } from '@codemirror/state';
import { visibleText } from '@tabularium/sdk';

type SyntaxNode = ReturnType<typeof syntaxTree>['topNode'];

/** A field that a row's JSON may have: a dotted name is a path into nested objects, also through lists. */
export interface JsonName {
  readonly name: string;
  readonly type: string;
  readonly kind: string;
  readonly nullable: boolean;
}

/** The object or list around a place. */
function around(node: SyntaxNode | null): SyntaxNode | null {
  for (let at = node; at !== null; at = at.parent) if (at.name === 'Object' || at.name === 'Array') return at;
  return null;
}

/** The names that lead to an object. Lists have none. */
function pathTo(state: EditorState, object: SyntaxNode): string[] {
  const path: string[] = [];
  for (let at: SyntaxNode | null = object.parent; at !== null; at = at.parent) {
    const name = at.name === 'Property' ? at.getChild('PropertyName') : null;
    if (name !== null) path.unshift(textOf(state, name));
  }
  return path;
}

function textOf(state: EditorState, name: SyntaxNode): string {
  try {
    return String(JSON.parse(state.sliceDoc(name.from, name.to)));
  } catch {
    return '';
  }
}

/** The names of the table where a member's name is typed, and the words of JSON where a value is. */
export function completeJson(names: readonly JsonName[], context: CompletionContext): CompletionResult | null {
  const { state, pos } = context;
  const before = state.sliceDoc(Math.max(0, pos - 300), pos);
  const tree = syntaxTree(state);
  if (tree.resolveInner(pos, -1).name === 'String') return null;
  const name = /[,{]\s{0,50}("[^"\\]{0,200})?$/.exec(before);
  const from = pos - (name?.[1] ?? /[a-z]{0,10}$/.exec(before)?.[0] ?? '').length;
  const object = around(tree.resolveInner(from, -1));
  if (name !== null && object?.name === 'Object') {
    if (!context.explicit && name[1] === undefined) return null;
    return { from, options: memberOptions(state, names, object), filter: true, validFor: /^"?[^"\\]*$/ };
  }
  if (!/:\s{0,50}[a-z]{0,10}$/.test(before) || (!context.explicit && from === pos)) return null;
  // A member whose value is still missing ends at its colon.
  const member = object
    ?.getChildren('Property')
    .findLast((property) => property.from < from)
    ?.getChild('PropertyName');
  if (object?.name !== 'Object' || member === null || member === undefined) return null;
  const path = [...pathTo(state, object), textOf(state, member)].join('.');
  const field = names.find(({ name }) => name === path);
  const words = [...(field?.kind === 'boolean' ? ['true', 'false'] : []), ...(field?.nullable === true ? ['null'] : [])];
  return words.length === 0 ? null : { from, options: words.map((label) => ({ label, type: 'keyword' })) };
}

function memberOptions(state: EditorState, names: readonly JsonName[], object: SyntaxNode): CompletionResult['options'] {
  const prefix = pathTo(state, object)
    .map((name) => `${name}.`)
    .join('');
  const present = new Set(
    object.getChildren('Property').flatMap((property) => {
      const name = property.getChild('PropertyName');
      return name === null ? [] : [textOf(state, name)];
    }),
  );
  const found = new Map<string, string>();
  for (const { name, type } of names) {
    if (!name.startsWith(prefix)) continue;
    const rest = name.slice(prefix.length);
    const [first = ''] = rest.split('.');
    if (!present.has(first) && !found.has(first)) found.set(first, rest === first ? type : '');
  }
  return [...found].map(([name, type]) => ({
    label: `"${visibleText(name)}"`,
    detail: visibleText(type),
    type: 'property',
    apply: (view, _completion, from, to) => {
      // The closing quote that the editor has put there is replaced, too.
      const end = view.state.sliceDoc(to, to + 1) === '"' ? to + 1 : to;
      const isFollowed = /^\s*:/.test(view.state.sliceDoc(end, end + 20));
      const insert = isFollowed ? JSON.stringify(name) : `${JSON.stringify(name)}: `;
      view.dispatch({ changes: { from, to: end, insert }, selection: { anchor: from + insert.length } });
    },
  }));
}
