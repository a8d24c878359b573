import type { TableDescription } from '@tabularium/sdk';
import { useMemo } from 'react';
import type { WritableColumn } from '../../editing/cellCommands.ts';
import { saveProblemText } from '../../editing/saveProblemText.ts';
import { StagedOverlay } from '../../editing/stagedRows.ts';
import type { RowMarks } from '../../editing/stagedRows.ts';
import { useClosedNotice } from '../../editing/useClosedNotice.ts';
import { useStage } from '../../editing/useStage.ts';
import type { Stage } from '../../editing/useStage.ts';
import { strings } from '../../i18n/index.ts';
import type { EditableRow } from '../model/editableRow.ts';
import type { GridColumn } from '../model/gridColumns.ts';
import type { PageCache } from '../model/pageCache.ts';
import type { RowSource } from '../model/rowSource.ts';
import { stagedSource } from './stagedSource.ts';
import { writableColumns } from './writableColumns.ts';

interface Options {
  readonly connectionId: string;
  readonly description: TableDescription;
  /** All columns, in the order of a row. */
  readonly all: readonly GridColumn[];
  readonly cache: PageCache;
  /** Whether the tab is in front. */
  readonly isShown: boolean;
}

/** The rows of a tab with what is staged for them. */
export interface EditedRows {
  readonly stage: Stage;
  readonly overlay: StagedOverlay;
  readonly source: RowSource;
  /** How many rows to be inserted are above those of the table. */
  readonly above: number;
  readonly rowAt: (index: number) => EditableRow;
  readonly marks: (index: number) => RowMarks | undefined;
  /** All columns with what may be written into them. */
  readonly writable: readonly WritableColumn[];
  /** Why no row can be added, changed or deleted. */
  readonly readOnly: string | undefined;
}

export function useEditedRows({ connectionId, description, all, cache, isShown }: Options): EditedRows {
  const stage = useStage(connectionId, description.ref, isShown);
  useClosedNotice(connectionId, description.ref, stage.count);
  const names = useMemo(() => all.map(({ name }) => name), [all]);
  const overlay = useMemo(
    () =>
      new StagedOverlay(names, description.key, stage.rows, description.columns, (problem) =>
        saveProblemText(connectionId, problem),
      ),
    [names, description.key, stage.rows, description.columns, connectionId],
  );
  const version = cache.version();
  // Another object when the rows that are here are others: what is found and added up is looked for again then.
  const source = useMemo((): RowSource => {
    void version;
    return stagedSource(cache, overlay);
  }, [cache, version, overlay]);
  const writable = useMemo(() => writableColumns(all, description), [all, description]);
  const { above, rowAt } = source;
  return {
    stage,
    overlay,
    source,
    above,
    rowAt,
    marks: (index) => {
      const { staged } = rowAt(index);
      return staged === undefined ? undefined : overlay.marks(staged);
    },
    writable,
    readOnly: stage.ability?.allowed === false ? strings.editing.readOnly(stage.ability.reason) : undefined,
  };
}
