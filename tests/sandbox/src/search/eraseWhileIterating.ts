import { emptyObject } from '../json/value.ts';
import type { JsonObject } from '../json/value.ts';
import { RedBlackTree } from './redBlackTree.ts';

const FLAT_KEY = '.flat';

/**
 * The document as 27.1 and 28.0 leave it. They erase unwanted keys while they walk over them and step on from the erased node, which skips some; only
 * names at the top level count. The flattened leaves they add when they read a document, and take out again before, decide the shape of the tree as
 * well.
 */
export const eraseWhileIterating = (
  document: JsonObject,
  flatNames: readonly string[],
  include: readonly string[],
  exclude: readonly string[],
): JsonObject => {
  const tree = new RedBlackTree();
  const keys = Object.keys(document).sort();
  for (const key of [...keys, ...flatNames.toReversed(), FLAT_KEY]) tree.insert(key);
  const erase = (key: string): void => {
    const node = tree.find(key);
    if (node !== undefined) tree.erase(node);
  };
  for (const name of flatNames) erase(name);
  erase(FLAT_KEY);
  const erased = new Set<string>();
  // A walk over erased nodes could go round for ever; a real server would have crashed then.
  let steps = keys.length * 2;
  for (let node = tree.first; node !== tree.header && steps > 0; node = tree.next(node)) {
    steps -= 1;
    const { key } = node;
    if ((include.length > 0 && !include.includes(key)) || exclude.includes(key)) {
      erase(key);
      erased.add(key);
    }
  }
  const result = emptyObject();
  for (const key of Object.keys(document)) if (!erased.has(key)) result[key] = document[key] ?? null;
  return result;
};
