import { strings } from '../../i18n/index.ts';
import type { EditableRow } from './editableRow.ts';
import type { GridRow } from './gridRow.ts';
import { inStatusBar } from './inStatusBar.ts';
import type { RowSource } from './rowSource.ts';

/**
 * Runs a command with rows as the database returns them: undefined, and at once, where they are known to be nothing but their cells. What cannot be
 * read is said in the status bar, and the command does not run. Rows that are only staged have no document.
 */
export type WithDocuments = (
  rows: readonly EditableRow[],
  run: (documents: ReadonlyMap<GridRow, string> | undefined) => void,
) => void;

export function withDocuments({ cache: { documents } }: Pick<RowSource, 'cache'>): WithDocuments {
  return (rows, run) => {
    const bases = rows.flatMap(({ base }) => (base === undefined ? [] : [base]));
    if (bases.length === 0 || !documents.mayBeGiven) {
      run(undefined);
      return;
    }
    void inStatusBar(strings.grid.readingValues, async (signal) => ({ read: await documents.ofRows(bases, signal) })).then(
      (found) => (found === undefined ? undefined : run(found.read)),
    );
  };
}
