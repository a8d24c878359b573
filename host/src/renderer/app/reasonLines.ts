import { visibleText } from '@tabularium/sdk';
import { namespaceKey } from '../../common/namespaces.ts';
import type { NamespaceTree } from '../api/namespaceTree.ts';
import type { Problem } from '../api/problem.ts';
import type { NamespaceLine } from './namespaceLines.ts';

/** A line of the sidebar. `below`: room that the line above it takes as well. */
export type SidebarLine = NamespaceLine | { readonly is: 'below' };

/** Pixels of a line of text, and at most of an average character: too much room is better than a reason that is cut. */
const LINE = 18;
const CHARACTER = 7;
/** Pixels beside the text: the icon and the distances. */
const BESIDE = 52;
const INDENT = 12;

/** Why a namespace could not be read, and the advice. */
export function reasonOf(problem: Problem | undefined): string {
  return visibleText([problem?.message ?? '', problem?.advice ?? ''].join(' ').trim(), 'name', 2_000);
}

/**
 * The lines with as much room below each reason as all of its text takes.
 *
 * @param width - of the list, in pixels
 */
export function withReasons(
  lines: readonly NamespaceLine[],
  tree: NamespaceTree | undefined,
  { width, rowHeight }: { readonly width: number; readonly rowHeight: number },
): readonly SidebarLine[] {
  return lines.flatMap((line): readonly SidebarLine[] => {
    if (line.is !== 'state' || line.state !== 'failed') return [line];
    const reason = reasonOf(tree?.nodes.get(namespaceKey(line.namespace.path))?.problem);
    const height = linesOfText(reason, width - BESIDE - INDENT * line.indent) * LINE + rowHeight;
    return [line, ...Array.from({ length: Math.ceil(height / rowHeight) - 1 }, () => ({ is: 'below' as const }))];
  });
}

function linesOfText(text: string, width: number): number {
  const most = Math.max(8, Math.floor(width / CHARACTER));
  let lines = 1;
  let left = most;
  for (const word of text.split(' ')) {
    // Characters of East Asia are twice as wide.
    const length = [...word].reduce((sum, one) => sum + ((one.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1), 0);
    if (length > left && left < most) {
      lines += 1;
      left = most;
    }
    lines += Math.floor(Math.max(0, length - left) / most) + (length > left ? 1 : 0);
    left = length > left ? most - ((length - left) % most) - 1 : left - length - 1;
  }
  return lines;
}

/** Which lines are drawn as one from a place on: the line itself and the room below it. */
export function heightOfLine(lines: readonly SidebarLine[], at: number): number {
  let height = 1;
  while (lines[at + height]?.is === 'below') height += 1;
  return height;
}

/** The place of the line that has the room at a place. */
export function ownLine(lines: readonly SidebarLine[], at: number): number {
  let own = at;
  while (own > 0 && lines[own]?.is === 'below') own -= 1;
  return own;
}
