/** A line of a file of rejected rows, up to the row itself. */
export const REJECTED_ROW = /^\{"line":(\d{1,15}),"reason":("(?:[^"\\]|\\.)*"),"row":/;

/** A line about a rejected row. The row is JSON, or the text of what isn't. */
export function writeRejectedRow(line: number, reason: string, row: string): string {
  return `{"line":${line},"reason":${JSON.stringify(reason)},"row":${row}}\n`;
}

/** The row of such a line, and its line in the file that it came from; undefined for any other line. */
export function readRejectedRow(text: string): { readonly line: number; readonly row: string } | undefined {
  const [head, line] = REJECTED_ROW.exec(text) ?? [];
  if (head === undefined || !text.endsWith('}')) return undefined;
  const row = text.slice(head.length, -1);
  if (!row.startsWith('"')) return { line: Number(line), row };
  try {
    const words: unknown = JSON.parse(row);
    return typeof words === 'string' ? { line: Number(line), row: words } : undefined;
  } catch {
    return undefined;
  }
}
