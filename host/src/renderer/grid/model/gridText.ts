import type { PageCell } from '@tabularium/sdk';
import { formatCount } from '../../i18n/format.ts';
import { strings } from '../../i18n/index.ts';
import { pictureAddress, pointOf } from './cellLink.ts';
import { MAX_SHOWN, shownText, wholeText } from './cellText.ts';
import type { CellText } from './cellText.ts';
import type { GridColumn } from './gridColumns.ts';

/** A cell of the grid, which is one line high. */
export interface GridText extends CellText {
  /** Drawn at the end of the cell. */
  readonly mark?: 'picture';
  /** How long a text is that the cell shows in part. */
  readonly length?: string;
}

const NUMBERS_ONLY = /^\[[-+\d.eE,\s]+\]$/;
/** Numbers of a long list that are shown. */
const FIRST_NUMBERS = 8;

/** A long list of numbers as their count and the first ones. */
function numbersText(text: string): string | undefined {
  if (!NUMBERS_ONLY.test(text)) return undefined;
  let count = 1;
  for (let comma = text.indexOf(','); comma !== -1; comma = text.indexOf(',', comma + 1)) count += 1;
  const first = text.slice(1, MAX_SHOWN).split(',', FIRST_NUMBERS);
  return `${strings.grid.numbers(count)} · ${first.map((one) => one.trim()).join(', ')}…`;
}

/** The text of a cell in the grid, with the marks of values that a line can't show: long texts, lists of numbers, points, pictures. */
export function gridText(cell: PageCell, column: Pick<GridColumn, 'kind' | 'dateUnit'>): GridText {
  const shown = shownText(cell, column.kind, column.dateUnit);
  if (shown.tone !== 'text' && shown.tone !== 'json') return shown;
  if (column.kind === 'geo') {
    const point = pointOf(shown.text);
    return point === undefined ? shown : { ...shown, text: point.join(', ') };
  }
  if (shown.tone === 'text' && /^https?:/i.test(shown.text)) {
    const address = pictureAddress(wholeText(cell, column.kind).text);
    if (address !== undefined) return { ...shown, mark: 'picture', title: strings.grid.pictureTitle };
  }
  // Only a cut text is longer than this.
  if (shown.text.length < MAX_SHOWN) return shown;
  const whole = wholeText(cell, column.kind).text;
  if (whole.length <= MAX_SHOWN) return shown;
  const numbers = shown.tone === 'json' ? numbersText(whole) : undefined;
  if (numbers !== undefined) return { ...shown, text: numbers, title: strings.grid.longTitle(whole.length) };
  return { ...shown, length: formatCount(whole.length), title: strings.grid.longTitle(whole.length) };
}
