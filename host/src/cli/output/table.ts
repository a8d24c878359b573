/** A column of a table for people. */
export interface TextColumn {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

const WIDEST = 60;

/** Rows under aligned titles, two spaces between columns, as much of a value as a line can show. */
export function textTable(columns: readonly TextColumn[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(oneLine));
  const widths = columns.map(({ title }, index) =>
    Math.max(widthOf(title), ...cells.map((row) => Math.min(widthOf(row[index] ?? ''), WIDEST))),
  );
  const line = (values: readonly string[]): string =>
    columns
      .map(({ align }, index) => {
        const text = cut(values[index] ?? '');
        const gap = ' '.repeat(Math.max(0, (widths[index] ?? 0) - widthOf(text)));
        return align === 'right' ? gap + text : text + gap;
      })
      .join('  ')
      .trimEnd();
  return [line(columns.map(({ title }) => title)), ...cells.map(line)].map((text) => `${text}\n`).join('');
}

/** No line end and no control character: a value must not steer the terminal that shows it. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\r\n\t]+/g, ' ').replaceAll(/[\p{Cc}\p{Cf}]/gu, '�');
}

/** The same, with the lines that it has: for sentences, which may repeat what a server or a package says. */
export function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => (character === '\n' || character === '\t' ? character : '\u{fffd}'));
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= WIDEST ? text : `${characters.slice(0, WIDEST - 1).join('')}…`;
}

function widthOf(text: string): number {
  return [...text].length;
}
