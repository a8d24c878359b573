import type { ForeignKey, TableDescription } from '@tabularium/sdk';
import type { OpenConnectionInfo } from '../../../common/api.ts';
import { strings } from '../../i18n/index.ts';
import { followReference } from '../../state/followedReferences.ts';
import { notify } from '../../state/notify.ts';
import { useWorkspace } from '../../state/WorkspaceContext.tsx';
import { workspaceTableKey } from '../../state/workspace.ts';
import type { EditableRow } from '../model/editableRow.ts';
import type { GridColumn } from '../model/gridColumns.ts';
import { referencesOf } from '../model/referencesOf.ts';
import { emptyColumnOf, placesOfReference, referredConditions } from '../model/referredRow.ts';
import type { WithWhole } from '../model/withWhole.ts';

/** The way from a cell to the row of another table that it refers to. */
export interface References {
  /** Those of a column; none where it refers to no table. */
  readonly of: (column: string) => readonly ForeignKey[];
  /** Why a row refers to none by this key. */
  readonly refusal: (key: ForeignKey, row: EditableRow | undefined) => string | undefined;
  /** Opens the other table in its tab, with the filter that finds the row. Values are those that are shown, staged ones too. */
  readonly open: (key: ForeignKey, row: EditableRow | undefined) => void;
}

interface Options {
  readonly connection: OpenConnectionInfo;
  readonly description: TableDescription;
  /** Every column, also those that are hidden. */
  readonly columns: readonly GridColumn[];
  readonly whole: WithWhole;
}

export function useReferences({ connection, description, columns, whole }: Options): References {
  const { dispatch } = useWorkspace();
  const { connectionId, manifest } = connection;
  const refusal: References['refusal'] = (key, row) => {
    if (row?.row === undefined) return strings.grid.rowNotRead;
    const places = placesOfReference(key, columns);
    if (places === undefined) return strings.grid.rowNotRead;
    const empty = emptyColumnOf(key, places, row.row);
    return empty === undefined ? undefined : strings.grid.refersToNone(empty);
  };
  return {
    of: (column) => (manifest.filtering === undefined ? [] : referencesOf(description, column)),
    refusal,
    open: (key, row) => {
      const reason = refusal(key, row);
      const places = placesOfReference(key, columns);
      if (reason !== undefined || row === undefined || places === undefined) {
        notify({ tone: 'plain', text: reason ?? strings.grid.rowNotRead });
        return;
      }
      void whole([row], places, ([read]) => {
        const late = refusal(key, read);
        if (late !== undefined || read?.row === undefined) {
          notify({ tone: 'plain', text: late ?? strings.grid.rowNotRead });
          return;
        }
        const { references } = key;
        const conditions = referredConditions(key, places, read.row, columns);
        followReference(connectionId, workspaceTableKey(references), { conditions });
        dispatch({ type: 'openTable', connectionId, table: references, view: 'data' });
      });
    },
  };
}
