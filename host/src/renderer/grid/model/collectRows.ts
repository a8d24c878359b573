import { strings } from '../../i18n/index.ts';
import { notify } from '../../state/notify.ts';
import { inStatusBar } from './inStatusBar.ts';
import { readRows } from './rowSource.ts';
import type { PlacedRow, RowSource } from './rowSource.ts';
import { lengthOf } from './selection.ts';
import type { Interval } from './selection.ts';

/**
 * Rows of the grid, read first where they are not here: in the status bar, with a way to stop. Undefined when there are too many, when reading
 * failed or when it was stopped; the status bar has the reason then.
 *
 * @param places - where the rows are to have no placeholders
 */
export async function collectRows(
  source: RowSource,
  intervals: readonly Interval[],
  most: number,
  places: readonly number[] = [],
): Promise<readonly PlacedRow[] | undefined> {
  const count = lengthOf(intervals);
  if (count > most) {
    notify({ tone: 'warning', text: strings.selection.tooManyRows(most) });
    return undefined;
  }
  return inStatusBar(strings.selection.readingRows(count), async (signal) => {
    const all: PlacedRow[] = [];
    for await (const rows of readRows(source, intervals, signal, places)) all.push(...rows);
    return all;
  });
}
