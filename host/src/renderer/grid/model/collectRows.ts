import { problemOf, wasAborted } from '../../api/problem.ts';
import { strings } from '../../i18n/index.ts';
import { beginActivity, notify } from '../../state/notify.ts';
import { readRows } from './rowSource.ts';
import type { PlacedRow, RowSource } from './rowSource.ts';
import { lengthOf } from './selection.ts';
import type { Interval } from './selection.ts';

const QUIET_MILLISECONDS = 150;

/**
 * Rows of the grid, read first where they are not here: in the status bar, with a way to stop. Undefined when there are too many, when reading
 * failed or when it was stopped; the reason stands in the status bar then.
 */
export async function collectRows(
  source: RowSource,
  intervals: readonly Interval[],
  most: number,
): Promise<readonly PlacedRow[] | undefined> {
  const count = lengthOf(intervals);
  if (count > most) {
    notify({ tone: 'warning', text: strings.selection.tooManyRows(most) });
    return undefined;
  }
  const controller = new AbortController();
  let end: (() => void) | undefined;
  const timer = setTimeout(() => {
    end = beginActivity(strings.selection.readingRows(count), () => controller.abort()).end;
  }, QUIET_MILLISECONDS);
  try {
    const all: PlacedRow[] = [];
    for await (const rows of readRows(source, intervals, controller.signal)) all.push(...rows);
    return all;
  } catch (error) {
    if (!wasAborted(error, controller.signal)) notify({ tone: 'warning', text: problemOf(error).message });
    return undefined;
  } finally {
    clearTimeout(timer);
    end?.();
  }
}
