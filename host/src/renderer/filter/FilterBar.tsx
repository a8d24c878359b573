import type { KeyboardEvent, ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { ExpressionView } from './ExpressionView.tsx';
import styles from './filter.module.css';
import { FilterConditions } from './FilterConditions.tsx';
import { hasFaults } from './filterModel.ts';
import { FilterTools } from './FilterTools.tsx';
import { useFilterBar } from './useFilterBar.ts';
import type { FilterBarView, FilteredTable } from './useFilterBar.ts';
import type { TableFilter } from './useTableFilter.ts';

interface Props {
  readonly table: FilteredTable;
  readonly filter: TableFilter;
  readonly view: FilterBarView;
  readonly onReloadStructure: () => void;
  readonly onLeave: () => void;
}

/** The conditions above the rows. */
export function FilterBar({ table, filter, view, onReloadStructure, onLeave }: Props): ReactNode {
  const model = useFilterBar(table, filter, view);
  const { connection, description, filtering, sorts } = table;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.stopPropagation();
    onLeave();
  };
  return (
    <section ref={model.bar} data-tour="filter" className={styles.bar} aria-label={strings.filter.label} onKeyDown={onKeyDown}>
      <FilterConditions model={model} />
      <FilterTools model={model} onReloadStructure={onReloadStructure} />
      {model.expression?.isShown === true ? (
        <ExpressionView
          connectionId={connection.connectionId}
          table={description.ref}
          filter={hasFaults(filter.draft, filtering, description.columns) ? undefined : filter.wanted}
          sorts={sorts}
        />
      ) : null}
    </section>
  );
}
