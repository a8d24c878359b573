import { strings } from '../../i18n/index.ts';
import type { EditableRow } from './editableRow.ts';
import { inStatusBar } from './inStatusBar.ts';
import type { RowSource } from './rowSource.ts';
import { isWhole } from './wholeRows.ts';

/** More rows than this are read for one command and not kept. */
const MOST_CACHED = 50;

/**
 * Runs a command with rows that have no placeholders at some places: at once where that is so, else after they were read. What cannot be read
 * is said in the status bar, and the command does not run.
 */
export type WithWhole = (
  rows: readonly EditableRow[],
  places: readonly number[],
  run: (rows: readonly EditableRow[]) => void,
) => void;

export function withWhole({ cache, staged }: RowSource): WithWhole {
  return (rows, places, run) => {
    const bases = rows.flatMap(({ base, row }) =>
      base === undefined || row === undefined || isWhole(row, places) ? [] : [base],
    );
    if (bases.length === 0) {
      run(rows);
      return;
    }
    void inStatusBar(strings.grid.readingValues, (signal) => cache.whole.read(bases, places, signal)).then((read) => {
      if (read === undefined) return;
      const whole = new Map(bases.map((base, index) => [base, read[index] ?? base]));
      if (bases.length <= MOST_CACHED) cache.replaceRows(whole);
      run(rows.map((row) => (row.base !== undefined && whole.has(row.base) ? staged(whole.get(row.base) ?? row.base) : row)));
    });
  };
}
