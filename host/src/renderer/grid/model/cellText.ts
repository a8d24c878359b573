import { isUnread } from '@tabularium/sdk';
import type { ColumnKind, PageCell, UnreadValue } from '@tabularium/sdk';
import { strings } from '../../i18n/index.ts';
import { dateText } from './dateView.ts';
import type { DateUnit } from './dateView.ts';

/** The class of a cell's content, because each is drawn in its own way. */
export type CellTone = 'text' | 'number' | 'boolean' | 'json' | 'bytes' | 'null' | 'absent' | 'empty' | 'unread';

export interface CellText {
  readonly text: string;
  readonly tone: CellTone;
  /** The tooltip. */
  readonly title?: string;
}

/** Longer text is cut before the browser lays it out; a person reads no more in one line. */
export const MAX_SHOWN = 300;

function toneOfKind(kind: ColumnKind): CellTone {
  switch (kind) {
    case 'integer':
    case 'decimal':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'json':
      return 'json';
    case 'bytes':
      return 'bytes';
    default:
      return 'text';
  }
}

/**
 * The whole value; of one that was not read its beginning, where that is known. Digits are what the driver sent: an integer beyond 2^53 comes
 * as text and stays text.
 */
export function wholeText(cell: PageCell, kind: ColumnKind): CellText {
  if (cell === null) return { text: '', tone: 'null' };
  if (isUnread(cell)) return { text: cell[1].start ?? '', tone: 'unread' };
  if (typeof cell === 'number') return { text: String(cell), tone: 'number' };
  if (typeof cell === 'boolean') return { text: cell ? 'true' : 'false', tone: 'boolean' };
  if (typeof cell === 'string') return cell === '' ? { text: '', tone: 'empty' } : { text: cell, tone: toneOfKind(kind) };
  if (cell[0] === 'absent') return { text: '', tone: 'absent' };
  return cell[1] === '' ? { text: '', tone: 'empty' } : { text: cell[1], tone: cell[0] };
}

function base64Length(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((text.length * 3) / 4) - padding);
}

/** At most {@link MAX_SHOWN} characters in one line. */
function oneLine(text: string): string {
  const isLong = text.length > MAX_SHOWN;
  let shown = isLong ? text.slice(0, MAX_SHOWN) : text;
  // A pair cut in half would draw a replacement character.
  if (isLong && /[\uD800-\uDBFF]$/.test(shown)) shown = shown.slice(0, -1);
  const line = /[\n\r\t]/.test(shown) ? shown.replaceAll(/\r\n|[\n\r]/g, '⏎').replaceAll('\t', ' ') : shown;
  return isLong ? `${line}…` : line;
}

/** The size of a value that was not read: how many numbers a vector has, or how many bytes. */
export function unreadSize({ bytes, dimensions }: UnreadValue): string {
  if (dimensions !== undefined) return strings.grid.dimensions(dimensions);
  return bytes === undefined ? strings.grid.unread : strings.grid.bytes(bytes);
}

/** The placeholder in the grid: the value's size and its beginning. */
function unreadText(value: UnreadValue): string {
  const size = unreadSize(value);
  return value.start === undefined ? size : `${size} · ${oneLine(value.start)}…`;
}

/**
 * The text of a cell in the grid.
 *
 * @param dateUnit - integers of the column are shown as moments
 */
export function shownText(cell: PageCell, kind: ColumnKind, dateUnit?: DateUnit): CellText {
  if (isUnread(cell)) return { text: unreadText(cell[1]), tone: 'unread', title: strings.grid.unreadTitle };
  const { text, tone } = wholeText(cell, kind);
  if (dateUnit !== undefined && tone === 'number') {
    const date = dateText(text, dateUnit);
    if (date !== undefined) return { text: date, tone, title: strings.columns.dateTitle(text) };
  }
  switch (tone) {
    case 'null':
      return { text: strings.grid.null, tone };
    case 'absent':
      return { text: strings.grid.absent, tone };
    case 'empty':
      return { text: strings.grid.empty, tone };
    case 'bytes':
      return { text: strings.grid.bytes(base64Length(text)), tone };
    default:
      return { text: oneLine(text), tone };
  }
}
