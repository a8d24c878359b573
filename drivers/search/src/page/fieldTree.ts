import type { BatchColumn } from '@tabularium/sdk';
import { bytesOf } from './jsonScanner.ts';

/** A name in a document: a column, or an object that holds columns. */
export interface FieldNode {
  /** The name as it is in a document, in quotes and with its colon. */
  readonly name: string;
  readonly key: Uint8Array;
  /** The column's index; -1 for an object that holds columns. */
  readonly column: number;
  readonly children: FieldNode[];
}

/**
 * The columns as a tree of names, `seller.name` below `seller`.
 *
 * @returns undefined where a column is also the object that holds others: both would have to be read
 */
export function fieldTree(columns: readonly BatchColumn[]): FieldNode[] | undefined {
  const roots: FieldNode[] = [];
  for (const [column, batchColumn] of columns.entries()) {
    const segments = batchColumn.name.split('.');
    let level = roots;
    for (const [depth, segment] of segments.entries()) {
      const last = depth === segments.length - 1;
      const name = `${JSON.stringify(segment)}:`;
      const known = level.find((node) => node.name === name);
      if (known !== undefined && (last || known.column !== -1)) return undefined;
      const node = known ?? { name, key: bytesOf(name), column: last ? column : -1, children: [] };
      if (known === undefined) level.push(node);
      level = node.children;
    }
  }
  return roots;
}
