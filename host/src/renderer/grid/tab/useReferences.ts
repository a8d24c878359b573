import type { TableDescription } from '@tabularium/sdk';
import { useMemo } from 'react';
import type { OpenConnectionInfo } from '../../../common/api.ts';
import { strings } from '../../i18n/index.ts';
import { followReference } from '../../state/followedReferences.ts';
import { notify } from '../../state/notify.ts';
import { useWorkspace } from '../../state/WorkspaceContext.tsx';
import { workspaceTableKey } from '../../state/workspace.ts';
import type { EditableRow } from '../model/editableRow.ts';
import type { GridColumn } from '../model/gridColumns.ts';
import { referencesOf } from '../model/referencesOf.ts';
import { referringKeys } from '../model/referringKeys.ts';
import type { FollowedKey } from '../model/referringKeys.ts';
import { emptyColumnOf, placesOfReference, referredConditions } from '../model/referredRow.ts';
import type { WithWhole } from '../model/withWhole.ts';

/** The ways from a cell to the row of another table that it refers to, and from a row to those that refer to it. */
export interface References {
  /** Those of a column; none where it refers to no table. */
  readonly of: (column: string) => readonly FollowedKey[];
  /** Those of other tables that refer to the rows of this one. */
  readonly referring: readonly FollowedKey[];
  /** Why a row refers to none by this key, or none to it. */
  readonly refusal: (key: FollowedKey, row: EditableRow | undefined) => string | undefined;
  /** Opens the other table in its tab, with the filter that finds the rows. Values are those that are shown, staged ones too. */
  readonly open: (key: FollowedKey, row: EditableRow | undefined) => void;
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
  const referring = useMemo(() => referringKeys(description), [description]);
  const refusal: References['refusal'] = (key, row) => {
    if (row?.row === undefined) return strings.grid.rowNotRead;
    const places = placesOfReference(key, columns);
    if (places === undefined) return strings.grid.rowNotRead;
    const empty = emptyColumnOf(key, places, row.row);
    if (empty === undefined) return undefined;
    return key.isReferring === true ? strings.grid.referredToByNone(empty) : strings.grid.refersToNone(empty);
  };
  return {
    of: (column) => (manifest.filtering === undefined ? [] : referencesOf(description, column)),
    referring: manifest.filtering === undefined ? [] : referring,
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
        followReference(connectionId, workspaceTableKey(references), {
          conditions,
          ...(key.isReferring === true ? { isReferring: true } : {}),
        });
        dispatch({ type: 'openTable', connectionId, table: references, view: 'data' });
      });
    },
  };
}
