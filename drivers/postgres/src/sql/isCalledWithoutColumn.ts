/**
 * Whether an expression, as the server stores it, calls a function with arguments of which none has a column. While the server plans, it calls such a function, and no other one.
 *
 * @param tree - such as `{FUNCEXPR :funcid 16400 … :args ({VAR …} {CONST …})}`
 * @param oid - of the function, or of the operator or the family by which it is called
 */
export function isCalledWithoutColumn(tree: string, oid: string): boolean {
  const open: number[] = [];
  /** For each node that is open, its own fields, without the nodes in it. */
  const fields: string[] = [];
  let from = 0;
  for (let at = 0; at < tree.length; at += 1) {
    const character = tree[at];
    // A brace in a name is behind a backslash.
    if (character === '\\') at += 1;
    else if (character === '{' || character === '}') {
      const own = (fields.pop() ?? '') + tree.slice(from, at);
      from = at + 1;
      if (character === '{') {
        fields.push(own, '');
        open.push(at);
        continue;
      }
      const node = tree.slice(open.pop() ?? 0, from);
      if (!node.includes('{VAR ') && names(own, oid)) return true;
    }
  }
  return open.length > 0;
}

/** Whether the fields of a node have an oid, alone or in a list. */
function names(fields: string, oid: string): boolean {
  return fields.split(/[\s()]+/u).includes(oid);
}
