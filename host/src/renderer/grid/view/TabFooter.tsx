import { IconFileExport, IconLayoutSidebarRight, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { InsertRowAction } from '../../editing/InsertRowAction.tsx';
import { isFiltering } from '../../filter/filterModel.ts';
import { strings } from '../../i18n/index.ts';
import { LabelledAction } from '../../ui/LabelledAction.tsx';
import { canExport } from '../commands/canExport.ts';
import type { TabCommands } from '../commands/tabCommands.ts';
import { isMultiple } from '../model/selection.ts';
import type { TabModel } from '../tab/tabModel.ts';
import { ColumnsMenu } from './ColumnsMenu.tsx';
import { Pager } from './Pager.tsx';
import type { PageSize } from './pageSize.ts';
import { SelectionText } from './SelectionText.tsx';
import styles from './tab.module.css';

interface Props {
  readonly model: TabModel;
  readonly commands: TabCommands;
  readonly pageSize: PageSize;
  /** The switch between the views of the tab. */
  readonly viewSwitch: ReactNode;
}

/** The footer of a tab: the actions for the rows, the selection, and the part of the table on the screen. */
export function TabFooter({ model, commands, pageSize, viewSwitch }: Props): ReactNode {
  const { rows, columns, edited, selection, layers } = model;
  const { cache, reload } = rows;
  const { milliseconds } = cache;
  const exports = canExport(model);
  const hasSelection = selection.selection !== undefined && isMultiple(selection.selection);
  return (
    <div className={styles.footer} data-tour="footer" data-selection={hasSelection || undefined}>
      {viewSwitch}
      <LabelledAction
        icon={<IconRefresh size={16} stroke={1.75} />}
        label={strings.grid.reload}
        aria-label={strings.grid.reloadRows}
        title={strings.grid.reloadRows}
        onClick={reload}
      />
      <ColumnsMenu arrangement={columns} isOpen={layers.isArranging} onOpen={layers.setArranging} />
      <LabelledAction
        icon={<IconLayoutSidebarRight size={16} stroke={1.75} />}
        label={strings.rowPanel.label}
        aria-label={strings.rowPanel.show}
        title={strings.rowPanel.show}
        aria-pressed={layers.isInspecting}
        onClick={layers.toggleInspector}
      />
      <LabelledAction
        icon={<IconFileExport size={16} stroke={1.75} />}
        label={strings.transfer.open}
        aria-label={strings.transfer.open}
        title={exports ? strings.transfer.open : strings.transfer.unavailable}
        disabled={!exports}
        onClick={() => layers.open({ kind: 'export' })}
      />
      <InsertRowAction stage={edited.stage} onInsert={model.cells.insert} />
      <SelectionText
        selection={selection}
        columns={columns.columns}
        source={edited.source}
        size={model.size}
        isWhole={cache.knownRows === cache.rowCount}
      />
      <Pager
        place={{
          span: cache.rowCount === 0 || rows.nothingRead ? undefined : cache.pageSpan(rows.topPage),
          rowCount: cache.rowCount,
          total: cache.total,
          isFiltered: isFiltering(model.filter.applied),
          reachesEnd: cache.reachesEnd,
        }}
        pageSize={pageSize}
        pageSizes={model.connection.manifest.reading.pageSizes}
        onGoTo={(row) => model.grid.current?.scrollToRow(row)}
        onLast={commands.goToLast}
      />
      <span className={styles.milliseconds} title={strings.pager.millisecondsTitle}>
        {milliseconds === undefined ? null : strings.pager.milliseconds(milliseconds)}
      </span>
    </div>
  );
}
