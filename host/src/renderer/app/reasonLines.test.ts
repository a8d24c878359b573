import { expect, it } from 'vitest';
import { namespaceKey } from '../../common/namespaces.ts';
import type { NamespaceTree } from '../api/namespaceTree.ts';
import { heightOfLine, ownLine, withReasons } from './reasonLines.ts';
import type { NamespaceLine } from './namespaceLines.ts';

const namespace = { path: ['sales'], hasNamespaces: true, hasTables: false };
const LINES: readonly NamespaceLine[] = [
  { is: 'heading', key: namespaceKey(['sales']), label: 'sales', indent: 0, isFolded: false, namespace },
  { is: 'state', state: 'failed', namespace, indent: 0 },
  { is: 'heading', key: namespaceKey(['stock']), label: 'stock', indent: 0, isFolded: true, namespace },
];
const treeWith = (message: string): NamespaceTree => {
  const problem = { code: 'ACCESS_REFUSED', message, advice: '', retryable: false, details: {} } as const;
  return {
    initial: [['shop']],
    nodes: new Map([[namespaceKey(['sales']), { isReading: false, namespaces: [], tables: [], problem }]]),
  };
};
const heightWith = (message: string, width = 240): number =>
  heightOfLine(withReasons(LINES, treeWith(message), { width, rowHeight: 28 }), 1);

it('gives a reason as much room as its text takes, below which the next namespace is', () => {
  expect(heightWith('No.')).toBe(2);
  const long = 'FATAL: permission denied for database "sales". '.repeat(6);
  expect(heightWith(long) * 28).toBeGreaterThan((long.length / 25) * 18);
  expect(heightWith(long, 600)).toBeLessThan(heightWith(long));
  expect(heightWith('x'.repeat(500)) * 28).toBeGreaterThan((500 / 25) * 18);
  expect(heightWith('漢'.repeat(100))).toBeGreaterThan(heightWith('x'.repeat(100)));
});

it('finds the line that has the room at a place', () => {
  const lines = withReasons(LINES, treeWith('denied '.repeat(40)), { width: 240, rowHeight: 28 });
  expect([0, 1, 2, 3].map((at) => ownLine(lines, at))).toEqual([0, 1, 1, 1]);
  expect(lines.at(-1)).toBe(LINES[2]);
});
