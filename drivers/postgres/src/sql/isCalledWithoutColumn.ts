/** A node of a tree that is open. */
interface Node {
  readonly name: string;
  /** Its own fields, without the nodes in it. */
  fields: string;
  /** Whether a node in it is a column, and not a part of an expression. */
  hasColumn: boolean;
}

/** Calls whose arguments are all computed before, and which planning replaces by a value only where all of these are constants. */
const CALLS: ReadonlySet<string> = new Set(['FUNCEXPR', 'OPEXPR']);

/** A column in another type or collation is none the less a column. */
const CONVERSIONS: ReadonlySet<string> = new Set(['RELABELTYPE', 'COLLATEEXPR', 'COERCEVIAIO']);

/**
 * Whether an expression, as the server stores it, has a call of which no argument is a column itself. While the server plans, it calls a function whose arguments are constants, and it makes constants of
 * expressions with columns in them: of `coalesce(1, id)`, `true OR id > 0`, `id IS NOT NULL`. A column alone it never replaces.
 *
 * @param tree - such as `{FUNCEXPR :funcid 16400 … :args ({VAR …} {CONST …})}`
 * @param oid - of the function, or of the operator or the family by which it is called
 */
export function isCalledWithoutColumn(tree: string, oid: string): boolean {
  const open: Node[] = [];
  let from = 0;
  for (let at = 0; at < tree.length; at += 1) {
    const character = tree[at];
    // A brace in a name is behind a backslash.
    if (character === '\\') at += 1;
    else if (character === '{' || character === '}') {
      const inner = open.at(-1);
      if (inner !== undefined) inner.fields += tree.slice(from, at);
      from = at + 1;
      if (character === '{') {
        open.push({ name: /^[A-Z]+/u.exec(tree.slice(from, from + 40))?.[0] ?? '', fields: '', hasColumn: false });
        continue;
      }
      const node = open.pop();
      if (node === undefined) return true;
      const isColumn = node.name === 'VAR' || (CONVERSIONS.has(node.name) && node.hasColumn);
      const outer = open.at(-1);
      if (isColumn && outer !== undefined) outer.hasColumn = true;
      const isOfColumn = CALLS.has(node.name) && node.hasColumn;
      if (node.name !== 'VAR' && !isOfColumn && names(node.fields, oid)) return true;
    }
  }
  return open.length > 0;
}

/** Whether the fields of a node have an oid, alone or in a list. */
function names(fields: string, oid: string): boolean {
  return fields.split(/[\s()]+/u).includes(oid);
}
