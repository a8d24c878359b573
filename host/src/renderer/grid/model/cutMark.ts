import { numeralWidth } from './textWidth.ts';

/** The padding at both sides of a cell and the line between cells. */
const CELL_PADDING = 21;
/** Numbers, dates, times, points and telephone numbers: text of digits and the signs between them. */
const NUMERAL = /^[-+(]?\d[\d.,:;/()+\-\sTZeE]*$/;
/** With one decimal, a number says how large it is. */
const TO_FIRST_DECIMAL = /^[-+]?\d+\.\d(?=\d*$)/;
/** No column is wide enough for more digits. */
const LONGEST = 200;

/**
 * The mark in place of a text whose beginning would read as another value in a cell of this width: `12345678` that is cut to `12345` is a number of its
 * own, and so is a date without its day. As in a spreadsheet, `###` says that the column is too narrow. Words that are cut read as words that are cut,
 * and have no mark.
 */
export function cutMark(text: string, cellWidth: number): string | undefined {
  const first = text.charCodeAt(0);
  // Most cells begin with a letter. `(` to `9` are the characters that a numeral begins with.
  if (!(first >= 40 && first <= 57) || text.length > LONGEST) return undefined;
  const room = cellWidth - CELL_PADDING;
  // No character is wider than this, so most cells are not measured.
  if (text.length * 11 <= room || !NUMERAL.test(text) || numeralWidth(text) <= room) return undefined;
  const decimal = TO_FIRST_DECIMAL.exec(text)?.[0];
  if (decimal !== undefined && numeralWidth(`${decimal}…`) <= room) return undefined;
  return '#'.repeat(Math.max(2, Math.floor(room / numeralWidth('#'))));
}
