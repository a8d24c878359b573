import { useHotkeys } from '@mantine/hooks';
import type { TableDescription, TableSummary } from '@tabularium/sdk';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { OpenConnectionInfo } from '../../../common/api.ts';
import { useCommands } from '../../commands/registry.ts';
import { ChangesBar, hasChangesBar } from '../../editing/ChangesBar.tsx';
import { FormerRowsBar } from './FormerRowsBar.tsx';
import { FilterBar } from '../../filter/FilterBar.tsx';
import { RowInspector } from '../../inspector/RowInspector.tsx';
import { strings } from '../../i18n/index.ts';
import { shownFault } from '../commands/stagedPlaces.ts';
import { tabCommands } from '../commands/tabCommands.ts';
import { HEADER_ROW } from '../model/navigation.ts';
import type { TabModel } from '../tab/tabModel.ts';
import { useChangedStructure } from '../tab/useChangedStructure.ts';
import { useDateUnits } from '../tab/useDateUnits.ts';
import { useTabModel } from '../tab/useTabModel.ts';
import { DataGrid } from './DataGrid.tsx';
import { FindBar } from './FindBar.tsx';
import { GridOverlays } from './GridOverlays.tsx';
import type { GridRows } from './gridProps.ts';
import type { PageSize } from './pageSize.ts';
import styles from './tab.module.css';
import { TabDialogs } from './TabDialogs.tsx';
import type { TableFilter } from '../../filter/useTableFilter.ts';
import type { TabSorting } from '../tab/useSorting.ts';
import { TabFooter } from './TabFooter.tsx';
import { openEditors } from './openEditors.tsx';

interface Props {
  readonly connection: OpenConnectionInfo;
  readonly description: TableDescription;
  /** The summary of this table from the list of tables. */
  readonly summary: TableSummary | undefined;
  /** Shared with the search of the table. */
  readonly filter: TableFilter;
  readonly sorting: TabSorting;
  readonly rowHeight: number;
  readonly pageSize: PageSize;
  /** Whether this tab is the one on the screen. */
  readonly isShown: boolean;
  /** Over everything else of the tab. */
  readonly notice?: ReactNode;
  readonly onReloadStructure: () => void;
  /** The switch between the views of the tab. */
  readonly viewSwitch: ReactNode;
}

/** The rows of one table. */
export function DataTab({ rowHeight, pageSize, isShown, onReloadStructure, viewSwitch, notice, ...table }: Props): ReactNode {
  const model = useTabModel({ ...table, pageSize: pageSize.rows, isShown });
  const commands = tabCommands(model);
  const { connection, description, filter, rows, edited, finding, layers, grid } = model;
  const { filtering } = connection.manifest;
  useChangedStructure(description, rows.isMisfit, onReloadStructure);
  useCommands(commands.palette, isShown);
  // Wherever the focus is in the tab, also where it is nowhere; not over a dialog.
  const inTab = (act: () => void) => (event: KeyboardEvent) => {
    if (isShown && !(event.target instanceof Element && event.target.closest('[role="dialog"]') !== null)) act();
  };
  useHotkeys(
    [
      ['mod+F', inTab(finding.open)],
      ['mod+shift+F', inTab(() => model.filterBar.current?.focus())],
      ['mod+G', inTab(() => layers.open({ kind: 'goTo' }))],
    ],
    [],
  );
  const { sorts, maxSorts } = model.sorting;
  const sorting = useMemo(() => ({ sorts, maxSorts }), [sorts, maxSorts]);
  const dateUnits = useDateUnits(model);
  /** A text that is typed beside the rows is there again when that part is opened again. */
  const [hasTyped, setHasTyped] = useState(false);
  const fault = shownFault(model);
  const focusGrid = (): void => grid.current?.focus();
  return (
    <div className={styles.tab} onKeyDown={commands.onKeyDown} onPaste={commands.onPaste}>
      <div className={styles.main} data-former={rows.former !== undefined || undefined}>
        {notice}
        {rows.former === undefined ? null : (
          <FormerRowsBar rows={rows.former} isShown={isShown} onReloadStructure={onReloadStructure} />
        )}
        {filtering === undefined ? null : (
          <FilterBar
            table={{ connection, description, filtering, sorts, dateUnits }}
            filter={filter}
            view={{
              isShown,
              problem: filter.refusal,
              handle: model.filterBar,
            }}
            onReloadStructure={onReloadStructure}
            onLeave={focusGrid}
          />
        )}
        <DataGrid
          label={strings.grid.label(description.ref.name)}
          rows={gridRows(model, rowHeight)}
          columns={model.columns}
          sorting={sorting}
          selection={model.selection}
          editors={openEditors(model.cells.editors, model.columns.columns)}
          commands={commands.grid}
          handle={grid}
        >
          <GridOverlays model={model} onReloadStructure={onReloadStructure} />
          {finding.isOpen ? <FindBar find={finding} loaded={rows.cache.loadedCount + edited.above} /> : null}
        </DataGrid>
        <ChangesBar
          stage={edited.stage}
          connectionId={connection.connectionId}
          table={description.ref}
          fault={fault}
          onReview={() => layers.open({ kind: 'review' })}
          onDiscarded={focusGrid}
        />
        <TabFooter model={model} commands={commands} pageSize={pageSize} viewSwitch={viewSwitch} />
      </div>
      {layers.isInspecting || hasTyped ? (
        <div
          className={styles.beside}
          hidden={!layers.isInspecting}
          data-raised={!hasChangesBar(edited.stage) ? undefined : fault === undefined ? true : 'fault'}
        >
          <ShownRow model={model} onClose={commands.closeInspector} onTyped={setHasTyped} />
        </div>
      ) : null}
      <TabDialogs model={model} commands={commands} />
    </div>
  );
}

function gridRows({ rows, edited, finding, isReady }: TabModel, height: number): GridRows {
  const { above, rowAt, marks } = edited;
  return {
    count: rows.count,
    height,
    isReady,
    isReadOnly: edited.stage.ability === undefined ? undefined : !edited.stage.ability.allowed,
    showsWaiting: rows.showsWaiting,
    at: (index) => rowAt(index).row,
    numberOf: (index) => (index < above ? '+' : String(index - above + 1)),
    marks,
    found: finding,
    onVisible: rows.onVisible,
  };
}

interface ShownRowProps {
  readonly model: TabModel;
  readonly onClose: () => void;
  readonly onTyped: (isTyped: boolean) => void;
}

/** The active row beside the grid. */
function ShownRow({ model, onClose, onTyped }: ShownRowProps): ReactNode {
  const { description, edited, grid, references } = model;
  const { all, columns } = model.columns;
  const { active } = model.selection;
  return (
    <RowInspector
      description={description}
      columns={all}
      stage={edited.stage}
      source={edited.source}
      active={{
        row: active === undefined || active.row === HEADER_ROW ? undefined : edited.rowAt(active.row),
        number: active?.row,
        place: active === undefined ? undefined : columns[active.column]?.source,
      }}
      references={(column, row) =>
        [...references.of(column), ...references.referring.filter(({ columns: own }) => own.includes(column))].map((key) => ({
          label:
            key.isReferring === true
              ? strings.grid.referringRows(key.references.name, key.referencedColumns)
              : strings.grid.follow(key.references.name, key.columns),
          refusal: references.refusal(key, row),
          open: () => references.open(key, row),
        }))
      }
      onPlace={(place) => {
        const column = columns.findIndex((one) => one.source === place);
        if (active !== undefined && column !== -1) grid.current?.goTo({ row: active.row, column });
      }}
      onInserted={(last) => model.cells.showNewRow(last, false)}
      onClose={onClose}
      onTyped={onTyped}
    />
  );
}
