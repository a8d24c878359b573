/** A JSON value with its numbers as they were written. */
export type JsonNode = { readonly id: number } & (
  | { readonly is: 'object'; readonly members: readonly (readonly [name: string, node: JsonNode])[] }
  | { readonly is: 'array'; readonly items: readonly JsonNode[] }
  | { readonly is: 'text' | 'number' | 'word'; readonly text: string }
);

/** Deeper values are shown as text: a person doesn't open a tree that far. */
const DEEPEST = 400;

/** Parses a JSON text. @throws SyntaxError when it is none, RangeError when it is too deep */
export function parseTree(text: string, deepest = DEEPEST): JsonNode {
  // The engine says whether it is JSON; what follows may then trust it.
  JSON.parse(text);
  let at = 0;
  let nextId = 0;
  const token = /\s*("(?:[^"\\]|\\.)*"|[-0-9.eE+]+|true|false|null|[{}[\],:])/y;
  const next = (): string => {
    token.lastIndex = at;
    const match = token.exec(text);
    if (match === null) throw new SyntaxError("The text isn't valid JSON.");
    at = token.lastIndex;
    return match[1] ?? '';
  };
  const value = (first: string, depth: number): JsonNode => {
    if (depth > deepest) throw new RangeError('The JSON is too deep for a tree.');
    nextId += 1;
    const id = nextId;
    if (first === '{') {
      const members: [string, JsonNode][] = [];
      for (let part = next(); part !== '}'; part = next()) {
        const name = part === ',' ? next() : part;
        next();
        members.push([unquoted(name), value(next(), depth + 1)]);
      }
      return { id, is: 'object', members };
    }
    if (first === '[') {
      const items: JsonNode[] = [];
      for (let part = next(); part !== ']'; part = next()) items.push(value(part === ',' ? next() : part, depth + 1));
      return { id, is: 'array', items };
    }
    if (first.startsWith('"')) return { id, is: 'text', text: unquoted(first) };
    return { id, is: /^[tfn]/.test(first) ? 'word' : 'number', text: first };
  };
  return value(next(), 0);
}

function unquoted(text: string): string {
  return String(JSON.parse(text));
}

/** One line of the tree. */
export interface TreeLine {
  readonly node: JsonNode;
  readonly depth: number;
  /** The member's name, or the item's place; absent at the root. */
  readonly name?: string;
  readonly isItem: boolean;
}

export const childCount = (node: JsonNode): number =>
  node.is === 'object' ? node.members.length : node.is === 'array' ? node.items.length : 0;

/** The lines that can be seen while some of the nodes are open. */
export function visibleLines(root: JsonNode, isOpen: (node: JsonNode, depth: number) => boolean): readonly TreeLine[] {
  const lines: TreeLine[] = [];
  const walk = (node: JsonNode, depth: number, name: string | undefined, isItem: boolean): void => {
    lines.push({ node, depth, isItem, ...(name === undefined ? {} : { name }) });
    if (childCount(node) === 0 || !isOpen(node, depth)) return;
    if (node.is === 'object') for (const [member, child] of node.members) walk(child, depth + 1, member, false);
    if (node.is === 'array') for (const [place, child] of node.items.entries()) walk(child, depth + 1, String(place), true);
  };
  walk(root, 0, undefined, false);
  return lines;
}

/** The path of a line, as most languages write it: `hits[0].document["two words"]`; empty for the root. */
export function pathOf(lines: readonly TreeLine[], place: number): string {
  const steps: string[] = [];
  let depth = lines[place]?.depth ?? 0;
  for (let at = place; at >= 0 && depth > 0; at -= 1) {
    const line = lines[at];
    if (line?.depth !== depth || line.name === undefined) continue;
    // A flattened field's name is a path itself.
    const isPlain = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/.test(line.name);
    steps.unshift(line.isItem ? `[${line.name}]` : isPlain ? `.${line.name}` : `[${JSON.stringify(line.name)}]`);
    depth -= 1;
  }
  return steps.join('').replace(/^\./, '');
}

/** A part of the tree as text: a string bare, everything else as JSON, its numbers as they were written. */
export function nodeText(node: JsonNode): string {
  return node.is === 'text' ? node.text : jsonOf(node);
}

function jsonOf(node: JsonNode): string {
  switch (node.is) {
    case 'object':
      return `{${node.members.map(([name, child]) => `${JSON.stringify(name)}:${jsonOf(child)}`).join(',')}}`;
    case 'array':
      return `[${node.items.map(jsonOf).join(',')}]`;
    case 'text':
      return JSON.stringify(node.text);
    default:
      return node.text;
  }
}
