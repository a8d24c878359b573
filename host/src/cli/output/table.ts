import { visibleText } from '@tabularium/sdk';

/** A column of a table for people. */
export interface TextColumn {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

const WIDEST = 60;
/** More of a value is not looked at, in UTF-16 code units: a line shows at most {@link WIDEST} characters of it. */
const LONGEST = 4 * WIDEST;

/**
 * Rows under aligned titles, two spaces between columns, as much of a value as a line can show.
 *
 * @param isWhole - whether values are printed whole, however wide the lines get: for a reader that isn't a terminal
 */
export function textTable(columns: readonly TextColumn[], rows: readonly (readonly string[])[], isWhole = false): string {
  const widest = isWhole ? Infinity : WIDEST;
  const cut = (text: string): string => {
    const characters = [...text];
    return characters.length <= widest ? text : `${characters.slice(0, widest - 1).join('')}…`;
  };
  const cells = rows.map((row) => row.map((text) => visibleText(text, 'name', isWhole ? Infinity : LONGEST)));
  const titles = columns.map(({ title }) => visibleText(title));
  const widths = titles.map((title, index) =>
    cells.reduce((width, row) => Math.max(width, Math.min(widthOf(row[index] ?? ''), WIDEST)), Math.min(widthOf(title), WIDEST)),
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
  return [line(titles), ...cells.map(line)].map((text) => `${text}\n`).join('');
}

function widthOf(text: string): number {
  return [...text].length;
}
