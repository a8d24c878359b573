import { strings } from '../../i18n/index.ts';
import { MOST_READ_WHOLE, alsoRead } from './alsoRead.ts';
import type { EditableRow } from './editableRow.ts';
import { inStatusBar } from './inStatusBar.ts';
import type { RowSource } from './rowSource.ts';
import { isWhole } from './wholeRows.ts';

/**
 * Runs a command with rows that have no placeholders at some places: at once where that is so, else after they were read. What cannot be read
 * is said in the status bar, and the command does not run.
 *
 * @returns whether the command ran
 * @param also - places that are read, too, of a few rows. The command runs all the same where they can't be read now
 */
export type WithWhole = (
  rows: readonly EditableRow[],
  places: readonly number[],
  run: (rows: readonly EditableRow[]) => void,
  also?: readonly number[],
) => Promise<boolean>;

export function withWhole({ cache, staged }: RowSource): WithWhole {
  return (rows, places, run, also = []) => {
    const isFew = rows.length <= MOST_READ_WHOLE;
    const bases = rows.flatMap(({ base, row }) => {
      if (base === undefined || row === undefined) return [];
      return isWhole(row, places) && (!isFew || isWhole(base, also)) ? [] : [base];
    });
    if (bases.length === 0) {
      run(rows);
      return Promise.resolve(true);
    }
    return inStatusBar(strings.grid.readingValues, async (signal) =>
      alsoRead(cache, await cache.whole.read(bases, places, signal), also, signal),
    ).then((read) => {
      if (read === undefined) return false;
      const whole = new Map(bases.map((base, index) => [base, read[index] ?? base]));
      // More rows than this are read for one command and not kept.
      if (isFew) cache.replaceRows(whole);
      run(rows.map((row) => (row.base !== undefined && whole.has(row.base) ? staged(whole.get(row.base) ?? row.base) : row)));
      return true;
    });
  };
}
