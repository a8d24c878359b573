/** Which rows and columns are drawn. `last` is inclusive; an empty window has `last` below `first`. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** The rows that a viewport shows. All rows are equally high, so no row needs to be measured or remembered. */
export function visibleRows(offset: number, viewportPixels: number, rowHeight: number, rowCount: number): Span {
  if (rowCount === 0 || viewportPixels <= 0) return { first: 0, last: -1 };
  const first = Math.min(rowCount - 1, Math.floor(offset / rowHeight));
  const last = Math.min(rowCount - 1, Math.ceil((offset + viewportPixels) / rowHeight) - 1);
  return { first, last: Math.max(first, last) };
}

export function widen(span: Span, by: number, count: number): Span {
  if (span.last < span.first) return span;
  return { first: Math.max(0, span.first - by), last: Math.min(count - 1, span.last + by) };
}

/**
 * Where each column begins; one entry more than there are columns, the last being the width of all.
 *
 * @param start - the width before the first column: the numbers of the rows
 */
export function columnEdges(widths: readonly number[], start = 0): readonly number[] {
  const edges = [start];
  let edge = start;
  for (const width of widths) {
    edge += width;
    edges.push(edge);
  }
  return edges;
}

/** The last index whose edge is at or before a position. */
export function columnAt(edges: readonly number[], position: number): number {
  let low = 0;
  let high = edges.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((edges[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The columns that a viewport shows beside its frozen ones.
 *
 * @param frozen - how many columns at the left stay in place
 */
export function visibleColumns(edges: readonly number[], frozen: number, scrollLeft: number, viewportPixels: number): Span {
  const count = edges.length - 1;
  if (count <= frozen || viewportPixels <= 0) return { first: frozen, last: frozen - 1 };
  const frozenPixels = edges[frozen] ?? 0;
  const first = Math.max(frozen, columnAt(edges, scrollLeft + frozenPixels));
  const last = Math.max(first, columnAt(edges, Math.max(0, scrollLeft + viewportPixels - 1)));
  return { first, last: Math.min(count - 1, last) };
}
