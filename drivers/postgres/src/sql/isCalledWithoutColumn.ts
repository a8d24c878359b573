/**
 * Whether an expression, as the server stores it, calls a function with arguments of which none has a column. While the server plans, it calls such a function, and no other one.
 *
 * @param tree - such as `{FUNCEXPR :funcid 16400 … :args ({VAR …} {CONST …})}`
 * @param oid - of the function
 */
export function isCalledWithoutColumn(tree: string, oid: string): boolean {
  const open: number[] = [];
  for (let at = 0; at < tree.length; at += 1) {
    const character = tree[at];
    // A brace in a name is behind a backslash.
    if (character === '\\') at += 1;
    else if (character === '{') open.push(at);
    else if (character === '}') {
      const node = tree.slice(open.pop() ?? 0, at + 1);
      if (!node.includes('{VAR ') && callsOfNode(node).includes(oid)) return true;
    }
  }
  return open.length > 0;
}

/** The functions that a node itself calls, whose oids come before the nodes in it. */
function callsOfNode(node: string): readonly string[] {
  const head = node.slice(1).split('{', 1)[0] ?? '';
  return Array.from(head.matchAll(/:(?:funcid|opfuncid|aggfnoid|winfnoid|hashfuncid) ([0-9]+)/gu), ([, found]) => found ?? '');
}
